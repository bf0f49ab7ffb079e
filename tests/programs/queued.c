/* Queues real-time signals with values, to itself and from a child, blocked and unblocked.
 * Afterwards: every one has arrived, in order, with its value and its sender. */
#include "attack.h"

enum { EACH = 40 };
static volatile int next[3], wrong, from;

static void handler(int signal, siginfo_t *info, void *unused) {
    (void)unused;
    int which = signal - SIGRTMIN;
    if (info->si_value.sival_int != next[which]++) wrong = 1;
    if (info->si_code != SI_QUEUE || info->si_pid != from) wrong = 2;
}

static void send_to(pid_t target) {
    for (int i = 0; i < EACH; i++)
        for (int which = 0; which < 3; which++)
            while (sigqueue(target, SIGRTMIN + which, (union sigval){.sival_int = i}) < 0) usleep(1000);
}

static void check(void) {
    HOLDS(wrong == 0);
    for (int which = 0; which < 3; which++) {
        HOLDS(next[which] == EACH);
        next[which] = 0;
    }
}

int main(void) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigset_t all;
    sigfillset(&action.sa_mask);
    sigfillset(&all);
    for (int which = 0; which < 3; which++) sigaction(SIGRTMIN + which, &action, NULL);
    from = getpid();
    send_to(getpid());
    check();
    sigprocmask(SIG_BLOCK, &all, NULL);
    send_to(getpid());
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    check();
    pid_t parent = getpid();
    sigprocmask(SIG_BLOCK, &all, NULL);
    if ((from = fork()) == 0) {
        send_to(parent);
        _exit(0);
    }
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    waitpid(from, NULL, 0);
    check();
    return safe();
}
