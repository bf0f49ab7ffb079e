/* Waits for one line of input, each way in its own manner, and ends. `late` answers instead: it
 * sleeps, writes a line, and waits for the end; `line` answers a line with a line. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int fail(const char *what) {
    perror(what);
    exit(9);
}

static void take(int fd) {
    char bytes[64];
    if (read(fd, bytes, sizeof bytes) <= 0) exit(8);
}

static void *reading(void *none) {
    take(0);
    return none;
}

static void until_end(void) {
    char bytes[4096];
    while (read(0, bytes, sizeof bytes) > 0) {}
}

static void watch(int timeout) {
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event) != 0) fail("epoll_ctl");
    while (epoll_wait(epoll, &event, 1, timeout) <= 0) {}
    take(0);
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "read";
    char bytes[64];
    struct pollfd input = {.fd = 0, .events = POLLIN};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(0, &set);
    if (!strcmp(way, "read")) {
        take(0);
    } else if (!strcmp(way, "readv")) {
        struct iovec pieces[2] = {{bytes, 4}, {bytes + 4, 60}};
        if (readv(0, pieces, 2) <= 0) return 8;
    } else if (!strcmp(way, "poll")) {
        if (poll(&input, 1, -1) != 1) fail("poll");
        take(0);
    } else if (!strcmp(way, "poll-again")) {
        while (poll(&input, 1, 20) == 0) {}
        take(0);
    } else if (!strcmp(way, "ppoll")) {
        if (ppoll(&input, 1, NULL, NULL) != 1) fail("ppoll");
        take(0);
    } else if (!strcmp(way, "select")) {
        if (select(1, &set, NULL, NULL, NULL) != 1) fail("select");
        take(0);
    } else if (!strcmp(way, "pselect")) {
        struct timespec long_time = {.tv_sec = 60};
        if (pselect(1, &set, NULL, NULL, &long_time, NULL) != 1) fail("pselect");
        take(0);
    } else if (!strcmp(way, "epoll")) {
        watch(-1);
    } else if (!strcmp(way, "poll-normal")) {
        struct pollfd normal = {.fd = 0, .events = POLLRDNORM};
        if (poll(&normal, 1, -1) != 1) fail("poll");
        take(0);
    } else if (!strcmp(way, "epoll-in-epoll") || !strcmp(way, "poll-epoll")) {
        int outer = epoll_create1(0), inner = epoll_create1(0);
        struct epoll_event event = {.events = EPOLLIN};
        if (epoll_ctl(inner, EPOLL_CTL_ADD, 0, &event) != 0) fail("epoll_ctl");
        if (epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event) != 0) fail("epoll_ctl");
        struct pollfd watched = {.fd = outer, .events = POLLIN};
        int ready = way[0] == 'e' ? epoll_wait(outer, &event, 1, -1) : poll(&watched, 1, -1);
        if (ready != 1) fail("no event");
        take(0);
    } else if (!strcmp(way, "epoll-closed")) {
        /* What an epoll instance watches stays open for it. */
        int epoll = epoll_create1(0), copy = dup(0);
        struct epoll_event event = {.events = EPOLLIN};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, copy, &event) != 0) fail("epoll_ctl");
        close(copy);
        if (epoll_wait(epoll, &event, 1, -1) != 1) fail("epoll_wait");
        take(0);
    } else if (!strcmp(way, "epoll-again")) {
        watch(30);
    } else if (!strcmp(way, "dup")) {
        int copy = dup2(0, 100);
        close(0);
        take(copy);
    } else if (!strcmp(way, "reopen")) {
        int again = open("/dev/stdin", O_RDONLY);
        if (again < 0) fail("/dev/stdin");
        take(again);
    } else if (!strcmp(way, "thread")) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, reading, NULL) != 0) fail("pthread_create");
        pthread_join(thread, NULL);
    } else if (!strcmp(way, "child")) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            take(0);
            _exit(0);
        }
        if (waitpid(child, &status, 0) != child || status != 0) return 8;
    } else if (!strcmp(way, "stdio")) {
        if (fgets(bytes, sizeof bytes, stdin) == NULL) return 8;
    } else if (!strcmp(way, "all")) {
        until_end();
    } else if (!strcmp(way, "late")) {
        long milliseconds = atol(words[2]);
        struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
        nanosleep(&time, NULL);
        if (write(1, "7\n", 2) != 2) fail("write");
        until_end();
    } else if (!strcmp(way, "line")) {
        take(0);
        if (write(1, "7\n", 2) != 2) fail("write");
    } else {
        return 7;
    }
    return 0;
}
