/* Is stopped by a signal of its own (first argument; second: `thread` to aim at one thread), and
 * continued by a child after a while, then plays on. Afterwards: accepted. */
#include "attack.h"
#include <pthread.h>

static int number;

static void *stop_me(void *unused) {
    (void)unused;
    syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), number);
    return NULL;
}

int main(int argc, char **argv) {
    number = argc > 1 ? atoi(argv[1]) : SIGSTOP;
    int parent = getpid();
    for (int round = 0; round < 3; round++) {
        pid_t child = fork();
        if (child == 0) {
            usleep(50000);
            kill(parent, SIGCONT);
            _exit(0);
        }
        setpgid(0, 0);
        if (argc > 2) {
            pthread_t thread;
            HOLDS(pthread_create(&thread, NULL, stop_me, NULL) == 0);
            pthread_join(thread, NULL);
        } else {
            /* TSTP and its like are ignored in an orphaned group. */
            kill(getpid(), number);
        }
        int status;
        HOLDS(waitpid(child, &status, 0) == child && status == 0);
    }
    return safe();
}
