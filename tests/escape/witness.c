/* A process outside the sandbox, of the user who judges, that an attacker may want to reach. It keeps
 * its first argument, a secret, in its command line, environment, memory and descriptors, and
 * listens where a program without a network could be heard: an abstract socket, a socket in a
 * folder (second argument), loopback. First it prints where. At the end of its input it prints what
 * happened to it, in a sentence a line, and at last `end`. */
#include "../programs/attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static char memory[1 << 14], copy[1 << 14];

static int bound(int family, int kind, void *address, socklen_t length) {
    int fd = socket(family, kind | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, address, length) < 0 || (kind == SOCK_STREAM && listen(fd, 8) < 0)) {
        perror("witness");
        exit(1);
    }
    return fd;
}

static int port_of(int fd) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    return getsockname(fd, (struct sockaddr *)&address, &length) == 0 ? ntohs(address.sin_port) : 0;
}

/* What others could change of a process: one text of it all. */
static void condition(char *text, size_t size) {
    const char *files[] = {"/proc/self/limits", "/proc/self/status", "/proc/self/stat", "/proc/self/oom_score_adj"};
    const char *lines[] = {"SigPnd", "ShdPnd", "Cpus_allowed:", "TracerPid"};
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < 4; i++) {
        char line[4096];
        FILE *file = fopen(files[i], "r");
        while (file && fgets(line, sizeof line, file)) {
            int wanted = i != 1;
            for (int l = 0; l < 4; l++) wanted |= !strncmp(line, lines[l], strlen(lines[l]));
            if (i == 2) {
                /* Priority, nice value; policy and real-time priority. */
                int field = 2;
                char kept[256] = "";
                for (char *word = strtok(strrchr(line, ')') + 1, " "); word; word = strtok(NULL, " "), field++)
                    if (field + 1 == 18 || field + 1 == 19 || field + 1 == 40 || field + 1 == 41) {
                        strcat(kept, word);
                        strcat(kept, " ");
                    }
                strcpy(line, kept);
            }
            if (wanted && used + strlen(line) < size) used += sprintf(text + used, "%s", line);
        }
        if (file) fclose(file);
    }
}

int main(int argc, char **argv) {
    static char before[1 << 14], after[1 << 14], block[1 << 12];
    if (argc < 3) return 2;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (size_t i = 0; i + strlen(argv[1]) < sizeof memory; i += strlen(argv[1])) strcpy(memory + i, argv[1]);
    memcpy(copy, memory, sizeof memory);

    struct sockaddr_un hidden = {.sun_family = AF_UNIX}, named = {.sun_family = AF_UNIX};
    int length = snprintf(hidden.sun_path + 1, 64, "rejoinder-witness-%d", getpid());
    snprintf(named.sun_path, sizeof named.sun_path, "%s", argv[2]);
    struct sockaddr_in loopback = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t hidden_length = offsetof(struct sockaddr_un, sun_path) + 1 + length;
    int listening[] = {
        bound(AF_UNIX, SOCK_STREAM, &hidden, hidden_length), bound(AF_UNIX, SOCK_STREAM, &named, sizeof named),
        bound(AF_INET, SOCK_STREAM, &loopback, sizeof loopback),
    };
    hidden.sun_path[1] = 'R';
    int receiving[] = {
        bound(AF_UNIX, SOCK_DGRAM, &hidden, hidden_length), bound(AF_INET, SOCK_DGRAM, &loopback, sizeof loopback),
    };
    condition(before, sizeof before);
    printf("%d %s %d %d\n", getpid(), hidden.sun_path + 1 + strlen("rejoinder-witness-"), port_of(listening[2]), port_of(receiving[1]));
    fflush(stdout);

    while (read(0, block, sizeof block) > 0) {}
    for (int i = 0; i < 3; i++)
        if (accept(listening[i], NULL, NULL) >= 0) printf("somebody connected to listener %d\n", i);
    for (int i = 0; i < 2; i++)
        if (recv(receiving[i], block, sizeof block, MSG_DONTWAIT) >= 0) printf("somebody sent to receiver %d\n", i);
    if (memcmp(memory, copy, sizeof memory)) printf("its memory was changed\n");
    condition(after, sizeof after);
    if (strcmp(before, after)) printf("its condition was changed, from %s to %s\n", before, after);
    printf("end\n");
    return 0;
}
