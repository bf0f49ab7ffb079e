/* Ways to wait for input: one of them, by name, for each line. Returns what was read, 0 at the end
 * of input. */
#ifndef READS_H
#define READS_H
#include "attack.h"
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/uio.h>

struct by_thread {
    char *block;
    size_t size;
    ssize_t got;
};

static inline void *read_in_thread(void *given) {
    struct by_thread *work = given;
    work->got = read(0, work->block, work->size);
    return NULL;
}

static inline ssize_t reads(const char *way, char *block, size_t size) {
    if (!strcmp(way, "poll")) {
        struct pollfd in = {.fd = 0, .events = POLLIN};
        poll(&in, 1, -1);
    } else if (!strcmp(way, "poll-timeout")) {
        /* Wakes up now and then for something of its own. */
        struct pollfd in = {.fd = 0, .events = POLLIN};
        while (poll(&in, 1, 100) == 0) {}
    } else if (!strcmp(way, "poll-often")) {
        struct pollfd in = {.fd = 0, .events = POLLIN};
        while (poll(&in, 1, 5) == 0) {}
    } else if (!strcmp(way, "ppoll")) {
        struct pollfd in = {.fd = 0, .events = POLLIN};
        ppoll(&in, 1, NULL, NULL);
    } else if (!strcmp(way, "select")) {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(0, &set);
        select(1, &set, NULL, NULL, NULL);
    } else if (!strcmp(way, "epoll")) {
        static int epoll = -1;
        struct epoll_event event = {.events = EPOLLIN};
        if (epoll < 0) {
            epoll = epoll_create1(0);
            epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event);
        }
        epoll_wait(epoll, &event, 1, -1);
    } else if (!strcmp(way, "nonblock")) {
        fcntl(0, F_SETFL, O_NONBLOCK);
        for (;;) {
            struct pollfd in = {.fd = 0, .events = POLLIN};
            ssize_t got = read(0, block, size);
            if (got >= 0 || errno != EAGAIN) return got;
            poll(&in, 1, -1);
        }
    } else if (!strcmp(way, "readv")) {
        struct iovec parts[2] = {{block, 1}, {block + 1, size - 1}};
        return readv(0, parts, 2);
    } else if (!strcmp(way, "splice")) {
        static int ends[2] = {-1, -1};
        if (ends[0] < 0 && pipe(ends) < 0) return -1;
        ssize_t got = splice(0, NULL, ends[1], NULL, size, 0);
        return got > 0 ? read(ends[0], block, got) : got;
    } else if (!strcmp(way, "thread")) {
        pthread_t thread;
        struct by_thread work = {block, size, -1};
        pthread_create(&thread, NULL, read_in_thread, &work);
        pthread_join(thread, NULL);
        return work.got;
    } else if (!strcmp(way, "copy")) {
        static int copy = -1;
        if (copy < 0) {
            copy = fcntl(0, F_DUPFD, 100);
            close(0);
        }
        return read(copy, block, size);
    } else if (!strcmp(way, "by-name")) {
        static int again = -1;
        if (again < 0) again = open("/dev/stdin", O_RDONLY);
        return read(again, block, size);
    }
    return read(0, block, size);
}
#endif
