/* Uses CPU time in the way that its first word says, and prints what the kernel tells it of that:
   `used MICROSECONDS`, one line a process, each counted in one line only. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
    perror(what);
    _exit(3);
}

static long of(int who) {
    struct rusage usage;
    if (getrusage(who, &usage) != 0) fail("getrusage");
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec +
           usage.ru_stime.tv_usec;
}

/* At once, and as the last thing that a process does. */
static void report(void) {
    char line[64];
    int length = snprintf(line, sizeof line, "used %ld\n", of(RUSAGE_SELF) + of(RUSAGE_CHILDREN));
    if (write(1, line, (size_t)length) != length) fail("write");
}

/* Until this thread has used so much. */
static void burn(long ms) {
    volatile unsigned long work = 0;
    struct timespec time;
    do {
        for (int i = 0; i < 10000; i++) work++;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    } while (time.tv_sec * 1000 + time.tv_nsec / 1000000 < ms);
}

static void *burning(void *ms) {
    burn(*(long *)ms);
    return NULL;
}

static void threads(long each) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, burning, &each) != 0) fail("pthread_create");
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

/* Nearly all of it in the kernel. */
static void calls(long ms) {
    static char bytes[1 << 16];
    int zero = open("/dev/zero", O_RDONLY);
    if (zero < 0) fail("/dev/zero");
    while (of(RUSAGE_SELF) < ms * 1000)
        for (int i = 0; i < 20; i++)
            if (read(zero, bytes, sizeof bytes) < 0) fail("read");
    close(zero);
}

/* It says what it used if nobody will be told by reaping it. */
static pid_t child(long ms, int says) {
    pid_t made = fork();
    if (made < 0) fail("fork");
    if (made == 0) {
        burn(ms);
        if (says) report();
        _exit(0);
    }
    return made;
}

/* Says so on a pipe when it has said what it used, and only rests from then on. */
static void resting_child(long ms, int ready) {
    pid_t made = fork();
    if (made < 0) fail("fork");
    if (made > 0) return;
    burn(ms);
    report();
    if (write(ready, "", 1) != 1) fail("write");
    for (;;) pause();
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    if (strcmp(what, "one-thread") == 0) {
        burn(300);
    } else if (strcmp(what, "four-threads") == 0) {
        threads(100);
    } else if (strcmp(what, "system") == 0) {
        calls(300);
    } else if (strcmp(what, "children-reaped") == 0) {
        for (int i = 0; i < 3; i++) child(80, 0);
        burn(50);
        while (wait(NULL) > 0) {
        }
    } else if (strcmp(what, "many-short-children") == 0) {
        for (int i = 0; i < 100; i++) waitpid(child(2, 0), NULL, 0);
    } else if (strcmp(what, "threads-of-a-child") == 0) {
        pid_t made = fork();
        if (made < 0) fail("fork");
        if (made == 0) {
            threads(50);
            _exit(0);
        }
        waitpid(made, NULL, 0);
    } else if (strcmp(what, "children-dead-and-left") == 0) {
        siginfo_t info;
        for (int i = 0; i < 3; i++)
            if (waitid(P_PID, (id_t)child(80, 1), &info, WEXITED | WNOWAIT) != 0) fail("waitid");
        burn(50);
    } else if (strcmp(what, "children-alive-and-left") == 0) {
        int ready[2];
        char byte;
        if (pipe(ready) != 0) fail("pipe");
        for (int i = 0; i < 3; i++) resting_child(80, ready[1]);
        for (int i = 0; i < 3; i++)
            if (read(ready[0], &byte, 1) != 1) fail("read");
    } else if (strcmp(what, "hear") == 0) {
        /* An interactor that accepts whatever comes. */
        char bytes[256];
        while (read(0, bytes, sizeof bytes) > 0) {
        }
        return 0;
    } else if (strcmp(what, "for-ever") == 0) {
        for (;;) burn(1000000);
    } else if (strcmp(what, "for-ever-in-threads") == 0) {
        threads(1000000);
    } else {
        return 2;
    }
    report();
    _exit(0);
}
