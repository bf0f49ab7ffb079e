/* Fills what can be full: folders with bytes and names, the table of descriptors, pipes, sockets.
 * Afterwards: no byte was written to a folder, descriptors ended at their limit, and it went on. */
#include "../programs/attack.h"
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
    const char *folders[] = {"/tmp", "/var/tmp", "/dev/shm", "/dev", "/run", "/", "/proc", ".", "/home", argc > 1 ? argv[1] : "."};
    char path[4096];
    static char block[1 << 16];
    for (unsigned f = 0; f < sizeof folders / sizeof *folders; f++)
        for (int i = 0; i < 50; i++) {
            snprintf(path, sizeof path, "%s/planted-%d", path_of(folders[f]), i);
            FAILS(open(path, O_CREAT | O_WRONLY, 0600), path);
            FAILS(mkdir(path, 0700), path);
        }
    int last = 0, fd, pair[2], pairs = 0;
    while ((fd = dup(0)) >= 0) last = fd;
    HOLDS(errno == EMFILE && last < 1024);
    struct rlimit limit = {1 << 20, 1 << 20};
    FAILS(setrlimit(RLIMIT_NOFILE, &limit), "");
    FAILS(dup2(0, 5000), "");
    FAILS(fcntl(0, F_DUPFD, 2000), "");
    for (int i = 3; i <= last; i++) close(i);
    /* What is written into pipes and sockets lies in the kernel's memory. */
    while (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pairs < 600) {
        pairs++;
        fcntl(pair[1], F_SETFL, O_NONBLOCK);
        if (pairs < 8) while (write(pair[1], block, sizeof block) > 0) {}
    }
    HOLDS(pairs < 400);
    close_range(3, ~0u, 0);
    for (int i = 0; i < 40 && pipe(pair) == 0; i++) {
        fcntl(pair[1], F_SETFL, O_NONBLOCK);
        FAILS(fcntl(pair[1], F_SETPIPE_SZ, 1 << 26), "");
        while (write(pair[1], block, sizeof block) > 0) {}
    }
    return safe();
}
