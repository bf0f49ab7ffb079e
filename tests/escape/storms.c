/* Is in a storm of signals from itself: timers as fast as they go, children that end all the time,
 * real-time signals queued by the thousand, threads that aim at each other. Afterwards: it could
 * play on, and was given what it was sent. */
#include "../programs/attack.h"
#include <pthread.h>
#include <sys/time.h>

static volatile int arrived, done;

static void count(int number) {
    (void)number;
    __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
}

static void *aims(void *target) {
    while (!done) {
        pthread_kill(*(pthread_t *)target, SIGUSR1);
        usleep(200);
    }
    return NULL;
}

int main(void) {
    struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
    struct itimerval fast = {{0, 1000}, {0, 1000}};
    pthread_t self = pthread_self(), threads[2];
    int queued = 0;
    for (int number = 1; number < 65; number++) sigaction(number, &action, NULL);
    signal(SIGSEGV, SIG_DFL);
    setitimer(ITIMER_REAL, &fast, NULL);
    for (int i = 0; i < 2; i++) HOLDS(pthread_create(&threads[i], NULL, aims, &self) == 0);
    for (int i = 0; i < 20; i++)
        if (fork() == 0) _exit(0);
        else usleep(500);
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    done = 1;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) {}
    sigset_t set;
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    while (sigqueue(getpid(), SIGRTMAX, (union sigval){0}) == 0 && queued < 3000) queued++;
    int before = arrived;
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    HOLDS(arrived - before >= queued && before > 0);
    return safe();
}
