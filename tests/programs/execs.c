/* Executes itself from a thread that is not the leader, while others run and fork; then plays.
 * Afterwards: accepted. */
#include "attack.h"
#include <pthread.h>

static char *self;

static void *busy(void *unused) {
    while (!unused) getppid();
    return NULL;
}

static void *forks(void *unused) {
    while (!unused) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        if (child > 0) waitpid(child, NULL, 0);
    }
    return NULL;
}

static void *executes(void *unused) {
    (void)unused;
    usleep(20000);
    execl(self, self, "play", (char *)NULL);
    _exit(30);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "play")) return safe();
    self = argv[0];
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, busy, NULL);
    pthread_create(&threads[1], NULL, forks, NULL);
    pthread_create(&threads[2], NULL, executes, NULL);
    if (argc > 1 && !strcmp(argv[1], "leader-exits")) pthread_exit(NULL);
    pthread_join(threads[2], NULL);
    return 31;
}
