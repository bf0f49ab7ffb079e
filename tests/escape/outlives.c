/* Leaves something that goes on after it (argument): timers of every kind, stopped children, children
 * that ignore every signal, in sessions and groups of their own, half-born ones. Afterwards: the
 * verdict does not wait for them, and nothing is left. */
#include "../programs/attack.h"
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

static void *for_ever(void *unused) {
    while (!unused) pause();
    return NULL;
}

static void deaf(void) {
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    for (;;) pause();
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    /* Each is a stop for the tracer: seldom enough that the program itself gets on. */
    struct itimerval soon = {{0, 5000}, {0, 5000}};
    struct itimerspec sooner = {{0, 20000000}, {0, 20000000}};
    if (!strcmp(what, "timers")) {
        timer_t timer;
        int clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
        signal(SIGALRM, SIG_IGN);
        signal(SIGVTALRM, SIG_IGN);
        signal(SIGPROF, SIG_IGN);
        for (int i = 0; i < 40; i++) {
            struct sigevent event = {.sigev_notify = i % 2 ? SIGEV_SIGNAL : SIGEV_NONE, .sigev_signo = SIGALRM};
            if (timer_create(clocks[i % 4], &event, &timer) == 0) timer_settime(timer, 0, &sooner, NULL);
            int fd = timerfd_create(CLOCK_MONOTONIC, 0);
            if (fd >= 0) timerfd_settime(fd, 0, &sooner, NULL);
        }
        for (int which = 0; which < 3; which++) setitimer(which, &soon, NULL);
        for (int i = 0; i < 3; i++)
            if (fork() == 0) {
                for (int which = 0; which < 3; which++) setitimer(which, &soon, NULL);
                deaf();
            }
    }
    if (!strcmp(what, "children"))
        for (int i = 0; i < 6; i++)
            if (fork() == 0) {
                if (i % 2) setsid();
                else setpgid(0, 0);
                prctl(PR_SET_NAME, "kworker/0:0");
                if (i > 2) raise(SIGSTOP);
                deaf();
            }
    if (!strcmp(what, "subreaper")) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        for (int i = 0; i < 4; i++)
            if (fork() == 0) {
                if (fork() == 0) deaf();
                _exit(0);
            }
    }
    if (!strcmp(what, "vfork")) {
        pthread_t thread;
        for (int i = 0; i < 4; i++)
            if (fork() == 0) {
                if (vfork() == 0) deaf();
                _exit(0);
            }
        pthread_create(&thread, NULL, for_ever, NULL);
    }
    if (!strcmp(what, "leader")) {
        pthread_t thread;
        for (int i = 0; i < 3; i++)
            if (fork() == 0) {
                pthread_create(&thread, NULL, for_ever, NULL);
                pthread_exit(NULL);
            }
    }
    if (!strcmp(what, "stops-parent")) {
        if (fork() == 0) {
            for (int i = 0; i < 20; i++) {
                kill(getppid(), SIGSTOP);
                kill(getppid(), SIGCONT);
            }
            deaf();
        }
    }
    usleep(3000);
    return safe();
}
