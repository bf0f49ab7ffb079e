/* Waits for input, but wakes by itself before it comes and says something: no deadlock. Ends with
 * the next line of input. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void say(void) {
    if (write(1, "late\n", 5) != 5) _exit(9);
}

static void say_so(int signal) {
    (void)signal;
    say();
}

static void take(void) {
    char bytes[64];
    ssize_t length;
    do length = read(0, bytes, sizeof bytes);
    while (length < 0 && errno == EINTR);
    _exit(length > 0 ? 0 : 8);
}

static void *sleeping(void *none) {
    usleep(150000);
    say();
    return none;
}

/* Runtimes have a thread that looks after things once a minute. */
static void *caretaking(void *none) {
    usleep(60000000);
    return none;
}

static void *sleeping_beside_a_caretaker(void *none) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, caretaking, NULL) != 0) _exit(9);
    return sleeping(none);
}

/* Is called as a thread of Java's that does nothing for its program. */
static void *named(void *none) {
    pthread_setname_np(pthread_self(), "Service Thread");
    return sleeping(none);
}

/* Sleeps for longer than its process may be idle, but has nearly done so when that asks. */
static void *sleeping_long(void *none) {
    usleep(1400000);
    say();
    return none;
}

static void play_meanwhile(void) {
    struct timespec now, begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        usleep(20000);
        for (volatile int work = 0; work < 200000; work++) {}
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 1200);
}

static void *napping(void *none) {
    for (int i = 0; i < 200; i++) usleep(1000);
    say();
    return none;
}

static void *conditional(void *none) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 300000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_mutex_lock(&lock);
    pthread_cond_timedwait(&never, &lock, &until);
    say();
    return none;
}

static void *relaying(void *none) {
    /* One wakes the other, which speaks. */
    static int ends[2];
    if (pipe(ends) != 0) _exit(9);
    if (fork() == 0) {
        usleep(200000);
        if (write(ends[1], "x", 1) != 1) _exit(9);
        _exit(0);
    }
    char byte;
    if (read(ends[0], &byte, 1) != 1) _exit(9);
    say();
    return none;
}

/* Waits for one child after the other. Where there is other work, the last thing that each of them
 * does takes it long. */
static void *burying(void *none) {
    for (int i = 0; i < 100; i++) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        if (waitpid(child, NULL, 0) != child) _exit(9);
    }
    say();
    return none;
}

static void beside(void *(*work)(void *)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) != 0) _exit(9);
    take();
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "";
    struct itimerval time = {.it_value = {.tv_usec = 150000}};
    struct pollfd fds[2] = {{.fd = 0, .events = POLLIN}, {.events = POLLIN}};
    if (!strcmp(way, "sleep")) beside(sleeping);
    if (!strcmp(way, "caretaker")) beside(sleeping_beside_a_caretaker);
    if (!strcmp(way, "named")) beside(named);
    if (!strcmp(way, "long")) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, sleeping_long, NULL) != 0) return 9;
        play_meanwhile();
        take();
    }
    if (!strcmp(way, "naps")) beside(napping);
    if (!strcmp(way, "condition")) beside(conditional);
    if (!strcmp(way, "relay")) beside(relaying);
    if (!strcmp(way, "burial")) beside(burying);
    if (!strcmp(way, "alarm")) {
        struct sigaction action = {.sa_handler = say_so, .sa_flags = SA_RESTART};
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &time, NULL);
        take();
    }
    if (!strcmp(way, "timerfd")) {
        struct itimerspec when = {.it_value = {.tv_nsec = 150000000}};
        fds[1].fd = timerfd_create(CLOCK_MONOTONIC, 0);
        timerfd_settime(fds[1].fd, 0, &when, NULL);
        if (poll(fds, 2, -1) != 1 || fds[1].revents == 0) return 9;
        say();
        take();
    }
    if (!strcmp(way, "timeout")) {
        if (poll(fds, 1, 180) != 0) return 9;
        say();
        take();
    }
    if (!strcmp(way, "child")) {
        if (fork() == 0) {
            usleep(150000);
            say();
            _exit(0);
        }
        take();
    }
    return 7;
}
