/* Kills processes at the moment at which they make a task, by SIGKILL or by their own exit from another
 * thread, again and again. What the tracer then asks about a report that it has just taken is about
 * another stop: an exit status in the place of a child's id. Afterwards: accepted, and nobody hangs. */
#include "../programs/attack.h"
#include <pthread.h>
#include <time.h>

static void *makes(void *unused) {
    for (;;) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        if (child > 0) waitpid(child, NULL, 0);
    }
    return unused;
}

static void wait_us(long us) {
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 < us);
}

int main(int argc, char **argv) {
    int times = argc > 1 ? atoi(argv[1]) : 200;
    for (int i = 0; i < times; i++) {
        pid_t child = fork();
        HOLDS(child >= 0);
        if (child == 0) {
            pthread_t thread;
            pthread_create(&thread, NULL, makes, NULL);
            if (i % 2) pthread_create(&thread, NULL, makes, NULL);
            wait_us(i * 7 % 300);
            /* As an id, this status is that of no process of ours. */
            if (i % 3) _exit(250);
            for (;;) pause();
        }
        wait_us(i * 13 % 400);
        if (i % 3 == 0) kill(child, SIGKILL);
        HOLDS(waitpid(child, NULL, 0) == child);
    }
    return safe();
}
