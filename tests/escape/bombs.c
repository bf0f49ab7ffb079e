/* Bombs: every task makes more, in the way of its argument, and none is ever waited for. Bounded by
 * alarm. Afterwards: over its CPU limit, not over its tasks limit, and nothing of it is left. */
#include "../programs/attack.h"
#include <pthread.h>
#include <sched.h>

static char stacks[64][1 << 13] __attribute__((aligned(16)));

static void compute(void) {
    for (volatile int i = 0; i < 1000; i++) {}
}

static void *breeds(void *unused) {
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 14);
    pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
    for (;;) {
        pthread_create(&thread, &small, breeds, NULL);
        compute();
    }
    return unused;
}

static int in_clone(void *unused) {
    (void)unused;
    for (;;) compute();
    return 0;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    alarm(55);
    if (!strcmp(way, "thread")) breeds(NULL);
    for (unsigned i = 0;; i++) {
        if (!strcmp(way, "vfork") && vfork() == 0) {
            if (i % 2) _exit(0);
            execl(argv[0], argv[0], way, (char *)NULL);
            _exit(1);
        }
        if (!strcmp(way, "clone")) clone(in_clone, stacks[i % 64] + sizeof stacks[0], CLONE_VM | SIGCHLD, NULL);
        if (!strcmp(way, "sibling")) clone(in_clone, stacks[i % 64] + sizeof stacks[0], CLONE_PARENT | SIGCHLD, NULL);
        if (!strcmp(way, "silent")) syscall(SYS_clone, 0, 0, 0, 0, 0);
        if (!strcmp(way, "zombie") && fork() == 0) _exit(0);
        if (!strcmp(way, "session") && fork() == 0) setsid();
        if (!strcmp(way, "ignored")) {
            signal(SIGCHLD, SIG_IGN);
            if (fork() == 0 && fork() == 0) setpgid(0, 0);
        }
        if (!strcmp(way, "stopped") && fork() == 0) raise(SIGSTOP);
        if (!strcmp(way, "executes") && fork() == 0) execl(argv[0], argv[0], way, (char *)NULL);
        compute();
    }
}
