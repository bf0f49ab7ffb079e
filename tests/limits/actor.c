/* Either side of a dialogue: does what its first words say, then ends with 0.
   What it used is written to stderr as `used MICROSECONDS`, one line a process. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
    fprintf(stderr, "FAIL %s: %s\n", what, strerror(errno));
    exit(3);
}

static long number(char **words, int index) {
    if (words[index] == NULL) fail("a number is missing");
    return atol(words[index]);
}

/* CPU time of this process with all its threads, in microseconds. */
static long cpu(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

static void report(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) fail("getrusage");
    long user = usage.ru_utime.tv_sec * 1000000L + usage.ru_utime.tv_usec;
    long system = usage.ru_stime.tv_sec * 1000000L + usage.ru_stime.tv_usec;
    fprintf(stderr, "used %ld\n", user + system);
}

static void burn(long ms) {
    volatile unsigned long work = 0;
    while (cpu() < ms * 1000)
        for (int i = 0; i < 10000; i++) work++;
}

static void *burning(void *ms) {
    burn(*(long *)ms);
    return NULL;
}

static void rest(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0) {
    }
}

static void touch(long mib) {
    size_t size = (size_t)mib << 20;
    volatile char *memory = malloc(size);
    if (memory == NULL) fail("malloc");
    for (size_t at = 0; at < size; at += 4096) memory[at] = 1;
}

/* Everything until the end of input. */
static void hear(void) {
    static char bytes[1 << 16];
    while (read(0, bytes, sizeof bytes) > 0) {
    }
}

static void print(long size) {
    static char bytes[1 << 14];
    memset(bytes, '.', sizeof bytes);
    while (size > 0) {
        ssize_t wrote = write(1, bytes, (size_t)size < sizeof bytes ? (size_t)size : sizeof bytes);
        if (wrote < 0) fail("write");
        size -= wrote;
    }
}

/* A child that computes; what becomes of it depends on `reap`. */
static void child(long ms, int reap) {
    pid_t made = fork();
    if (made < 0) fail("fork");
    if (made == 0) {
        burn(ms);
        report();
        _exit(0);
    }
    siginfo_t info;
    if (waitid(P_PID, (id_t)made, &info, WEXITED | (reap ? 0 : WNOWAIT)) != 0) fail("waitid");
}

/* As many sleeping tasks as can be had, at most so many. */
static void *sleeping(void *none) {
    for (;;) pause();
    return none;
}

static void tasks(long most, int threads) {
    long made = 0;
    while (made < most) {
        if (threads) {
            pthread_t thread;
            pthread_attr_t small;
            pthread_attr_init(&small);
            pthread_attr_setstacksize(&small, 1 << 16);
            int error = pthread_create(&thread, &small, sleeping, NULL);
            if (error != 0) {
                errno = error;
                break;
            }
        } else {
            pid_t pid = fork();
            if (pid == 0) sleeping(NULL);
            if (pid < 0) break;
        }
        made++;
    }
    if (made < most && errno != EAGAIN) fail("another errno than EAGAIN");
    fprintf(stderr, "made %ld\n", made);
}

static int deep(int kib) {
    volatile char frame[1024];
    frame[kib % 1024] = (char)kib;
    return kib == 0 ? frame[0] : deep(kib - 1) + frame[kib % 1024];
}

int main(int count, char **words) {
    if (count < 2) fail("say what to do");
    char *what = words[1];
    words += 2;
    if (strcmp(what, "hear") == 0) {
        hear();
    } else if (strcmp(what, "burn") == 0) {
        burn(number(words, 0));
    } else if (strcmp(what, "threads") == 0) {
        /* All of them until the process has used so much. */
        long ms = number(words, 1);
        pthread_t threads[16];
        for (long i = 0; i < number(words, 0); i++)
            if (pthread_create(&threads[i], NULL, burning, &ms) != 0) fail("pthread_create");
        for (long i = 0; i < number(words, 0); i++) pthread_join(threads[i], NULL);
    } else if (strcmp(what, "child") == 0) {
        child(number(words, 1), strcmp(words[0], "reaped") == 0);
    } else if (strcmp(what, "rest") == 0) {
        /* So often for so long, with a little work in between. */
        for (long i = 0; i < number(words, 0); i++) {
            rest(number(words, 1));
            burn(cpu() / 1000 + 2);
        }
    } else if (strcmp(what, "ask") == 0) {
        /* So many questions, resting so long before each. */
        char line[64];
        for (long i = 0; i < number(words, 0); i++) {
            rest(number(words, 1));
            printf("%ld\n", i);
            fflush(stdout);
            if (fgets(line, sizeof line, stdin) == NULL) fail("no reply");
        }
    } else if (strcmp(what, "answer") == 0) {
        /* Every question, resting so long before each reply. */
        char line[64];
        while (fgets(line, sizeof line, stdin) != NULL) {
            rest(number(words, 0));
            printf("yes\n");
            fflush(stdout);
        }
    } else if (strcmp(what, "unflushed") == 0) {
        char line[64];
        printf("1\n");
        if (fgets(line, sizeof line, stdin) == NULL) fail("no reply");
    } else if (strcmp(what, "touch") == 0) {
        touch(number(words, 0));
    } else if (strcmp(what, "touch-two") == 0) {
        /* Half in a child and half here, at the same time. */
        int ready[2];
        if (pipe(ready) != 0) fail("pipe");
        pid_t made = fork();
        if (made < 0) fail("fork");
        if (made == 0) {
            touch(number(words, 0) / 2);
            if (write(ready[1], "", 1) != 1) fail("write");
            for (;;) pause();
        }
        char byte;
        if (read(ready[0], &byte, 1) != 1) fail("read");
        touch(number(words, 0) / 2);
        rest(200);
    } else if (strcmp(what, "print") == 0) {
        print(number(words, 0));
    } else if (strcmp(what, "print-and-touch") == 0) {
        print(number(words, 0));
        touch(number(words, 1));
        rest(300);
    } else if (strcmp(what, "rest-and-hear") == 0) {
        rest(number(words, 0));
        hear();
    } else if (strcmp(what, "forks") == 0) {
        tasks(number(words, 0), 0);
    } else if (strcmp(what, "pthreads") == 0) {
        tasks(number(words, 0), 1);
    } else if (strcmp(what, "fork-on") == 0) {
        /* One child after the other, without end. */
        for (;;) {
            pid_t made = fork();
            if (made == 0) _exit(0);
            if (made > 0) waitpid(made, NULL, 0);
        }
    } else if (strcmp(what, "churn") == 0) {
        /* So many threads, one after the other. */
        long none = 0;
        for (long i = 0; i < number(words, 0); i++) {
            pthread_t thread;
            if (pthread_create(&thread, NULL, burning, &none) != 0) fail("pthread_create");
            pthread_join(thread, NULL);
        }
    } else if (strcmp(what, "reject") == 0) {
        /* The first byte that comes. */
        char byte;
        if (read(0, &byte, 1) != 1) fail("read");
        _exit(1);
    } else if (strcmp(what, "recurse") == 0) {
        return deep((int)number(words, 0)) == 12345;
    } else {
        fail(what);
    }
    report();
    fflush(stderr);
    fflush(stdout);
    _exit(0);
}
