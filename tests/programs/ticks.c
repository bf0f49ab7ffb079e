/* Answers from a timer while it is blocked in a read: by setitimer, timer_create or alarm (the
 * argument says which). The first answer comes after both sides have waited for 400 ms or more.
 * Afterwards: accepted, for it was no deadlock. */
#include "attack.h"
#include <sys/time.h>
#include <time.h>

static void tick(int unused) {
    (void)unused;
    safe();
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "setitimer";
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval once = {.it_value = {.tv_usec = 400000}};
    if (!strcmp(way, "setitimer")) setitimer(ITIMER_REAL, &once, NULL);
    if (!strcmp(way, "alarm")) alarm(1);
    if (!strcmp(way, "timer")) {
        timer_t timer;
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
        struct itimerspec at = {.it_value = {.tv_nsec = 400000000}};
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        timer_settime(timer, 0, &at, NULL);
    }
    if (!strcmp(way, "child")) {
        if (fork() == 0) {
            usleep(400000);
            safe();
            _exit(0);
        }
    }
    char block[64];
    while (read(0, block, sizeof block) > 0) {}
    return 0;
}
