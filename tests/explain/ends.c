/* Comes to an end, or to a stop, in the way that the first argument names. The lines where it then
 * stands have a mark with that name. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <assert.h>

#define KEPT __attribute__((noinline, noclone))

static volatile int zero;
static int *volatile nowhere;
static volatile char sink;

KEPT static int follow(void) {
    return *nowhere; /* null */
}

KEPT static int divide(int n) {
    int part = n / zero; /* division */
    return part + 1;
}

KEPT static int deeper(int n) {
    volatile char room[200];
    room[n % 200] = 1;
    return deeper(n + 1) + room[(n + 7) % 200];
}

KEPT static void must(int n) {
    assert(n > 0); /* assertion */
    sink = 1;
}

KEPT static void spin(void) {
    for (;;)
        sink++; /* spins */
}

KEPT static void rest(void) {
    struct timespec long_time = {1000, 0};
    nanosleep(&long_time, NULL); /* sleeps */
    sink = 1;
}

KEPT static void ask(void) {
    char line[100];
    ssize_t got = read(0, line, sizeof line); /* asks */
    sink = (char)got;
}

KEPT static void hoard(void) {
    for (;;) {
        char *more = malloc(1 << 20); /* hoards */
        if (more)
            memset(more, 1, 1 << 20);
    }
}

KEPT static void flood(void) {
    static char text[4096];
    for (;;)
        if (write(1, text, sizeof text) < 0) /* floods */
            sink = 1;
}

static void *thread(void *way) {
    if (!strcmp(way, "spins"))
        spin();
    else
        follow();
    return NULL;
}

static void in_a_thread(const char *way) {
    pthread_t other;
    pthread_create(&other, NULL, thread, (void *)way);
    pthread_join(other, NULL);
}

static void give_up(int signal) {
    (void)signal;
    _exit(3);
}

/* A buffer that no library knows of, written when there is no more input. */
KEPT static void keep(void) {
    const char kept[] = "kept to the end\n";
    ask();
    if (write(1, kept, sizeof kept - 1) < 0)
        sink = 1;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    if (!strcmp(way, "null"))
        follow();
    else if (!strcmp(way, "null-in-a-thread"))
        in_a_thread("null");
    else if (!strcmp(way, "spins-in-a-thread"))
        in_a_thread("spins");
    else if (!strcmp(way, "division"))
        divide(3);
    else if (!strcmp(way, "overflow"))
        deeper(1);
    else if (!strcmp(way, "assertion"))
        must(zero);
    else if (!strcmp(way, "spins"))
        spin();
    else if (!strcmp(way, "sleeps"))
        rest();
    else if (!strcmp(way, "asks"))
        ask();
    else if (!strcmp(way, "keeps"))
        keep();
    else if (!strcmp(way, "hoards"))
        hoard();
    else if (!strcmp(way, "floods"))
        flood();
    else if (!strcmp(way, "handled")) {
        signal(SIGSEGV, give_up);
        follow();
    } else if (!strcmp(way, "lies")) {
        fprintf(stderr, "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n"
                        "ValueError: lies\n");
        follow();
    } else if (!strcmp(way, "in-a-child")) {
        if (fork() == 0)
            follow();
        wait(NULL);
        return 4;
    } else if (!strcmp(way, "vfork")) {
        /* The parent cannot be interrupted until the child has ended. */
        if (vfork() == 0)
            for (;;)
                pause();
    } else if (!strcmp(way, "no-stack"))
        __asm__ volatile("mov $0x10, %rsp; push %rax");
    return 0;
}
