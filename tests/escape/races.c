/* Opens its output by name while a thread changes the name to that of a file which it must not write
 * to (first argument) or make (in the folder of the second). Whoever decides by a name in its memory,
 * and then lets the kernel read the name again, is fooled. Afterwards: no file was changed or made. */
#include "../programs/attack.h"
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>

static char name[4096];
static volatile int done;
static char names[4][4096] = {"/dev/stdout", "/proc/self/fd/1"};

static void *flips(void *unused) {
    while (!done)
        for (int i = 0; i < 4; i++) {
            memcpy(name, names[i], sizeof names[i]);
            for (volatile int wait = i * 50; wait > 0; wait--) {}
        }
    return unused;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    snprintf(names[2], sizeof names[2], "%s", path_of(argv[1]));
    snprintf(names[3], sizeof names[3], "%s/planted", path_of(argv[2]));
    struct stat own, got;
    pthread_t thread;
    fstat(1, &own);
    pthread_create(&thread, NULL, flips, NULL);
    for (int i = 0; i < 3000; i++) {
        int fd = -1;
        switch (i % 4) {
        case 0: fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666); break;
        case 1: fd = creat(name, 0666); break;
        case 2: fd = syscall(SYS_open, name, O_RDWR | O_CREAT, 0666); break;
        /* Of its own output that is no matter: it does not get shorter. */
        case 3: if (truncate(name, 0) < 0) sched_yield(); break;
        }
        if (fd < 0) continue;
        if (fstat(fd, &got) < 0 || got.st_ino != own.st_ino || got.st_dev != own.st_dev) {
            if (write(fd, "hostile", 7) > 0) broken("wrote to", "a file");
        }
        close(fd);
    }
    done = 1;
    pthread_join(thread, NULL);
    return safe();
}
