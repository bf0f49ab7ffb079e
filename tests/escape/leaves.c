/* Ends, after as many microseconds as its argument says, while its threads make processes: one may be
 * heard of only when nothing of the program is left. Afterwards: that one is gone too, and the
 * program's end was told once. */
#include "../programs/attack.h"
#include <pthread.h>
#include <time.h>

static void *makes(void *unused) {
    for (;;) {
        pid_t child = fork();
        if (child == 0) for (;;) pause();
    }
    return unused;
}

int main(int argc, char **argv) {
    long us = argc > 1 ? atol(argv[1]) : 0;
    struct timespec begin, now;
    pthread_t thread;
    safe();
    for (int i = 0; i < 3; i++) pthread_create(&thread, NULL, makes, NULL);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 < us);
    _exit(0);
}
