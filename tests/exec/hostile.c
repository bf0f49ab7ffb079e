/* Does to its standard streams what a contestant should not, prints `end` and ends with 0. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/falloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <asm/sockios.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char *text) {
    (void)!write(1, text, strlen(text));
}

int main(int count, char **words) {
    if (count < 2) return 2;
    const char *way = words[1];
    say("begin\n");
    if (!strcmp(way, "truncate")) {
        (void)!ftruncate(1, 0);
        (void)!truncate("/proc/self/fd/1", 0);
        close(open("/proc/self/fd/1", O_WRONLY | O_TRUNC));
        close(creat("/dev/stdout", 0600));
    } else if (!strcmp(way, "grow")) {
        (void)!ftruncate(1, 1L << 40);
        (void)!ftruncate(1, 100000);
        (void)!fallocate(1, 0, 0, 200000);
    } else if (!strcmp(way, "punch")) {
        (void)!fallocate(1, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096);
        (void)!fallocate(1, FALLOC_FL_COLLAPSE_RANGE, 0, 4096);
        (void)!fallocate(1, FALLOC_FL_INSERT_RANGE, 0, 4096);
        (void)!fallocate(1, FALLOC_FL_KEEP_SIZE, 0, 1L << 40);
    } else if (!strcmp(way, "map")) {
        int again = open("/proc/self/fd/1", O_RDWR);
        char *bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again < 0 ? 1 : again, 0);
        if (bytes != MAP_FAILED && lseek(again, 0, SEEK_END) > 0) memset(bytes, 'x', 3);
    } else if (!strcmp(way, "seal")) {
        for (int seals = 1; seals < 64; seals *= 2) fcntl(1, F_ADD_SEALS, seals);
    } else if (!strcmp(way, "lock")) {
        flock(1, LOCK_EX);
        fcntl(1, F_SETLEASE, F_WRLCK);
        struct flock lock = {.l_type = F_WRLCK};
        fcntl(1, F_SETLK, &lock);
    } else if (!strcmp(way, "flags")) {
        for (int fd = 0; fd < 3; fd++) {
            fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND);
            fcntl(fd, F_SETPIPE_SZ, 4096);
            fcntl(fd, F_SETSIG, SIGKILL);
        }
    } else if (!strcmp(way, "owner")) {
        /* The kernel would signal whom it names: its parent, and each process near it. */
        int ends[2];
        if (pipe(ends) != 0) return 3;
        fcntl(ends[0], F_SETSIG, SIGKILL);
        fcntl(ends[0], F_SETFL, O_ASYNC);
        for (int pid = getpid() - 20; pid <= getpid(); pid++) {
            struct f_owner_ex owner = {F_OWNER_PID, pid};
            if (pid < 2 || pid == getpid()) continue;
            if (fcntl(ends[0], F_SETOWN, pid) == 0) say("F_SETOWN\n");
            if (fcntl(ends[0], F_SETOWN_EX, &owner) == 0) say("F_SETOWN_EX\n");
            (void)!write(ends[1], "x", 1);
        }
        int socket = getppid();
        if (ioctl(0, FIOSETOWN, &socket) == 0) say("FIOSETOWN\n");
    } else if (!strcmp(way, "not-appending")) {
        fcntl(1, F_SETFL, 0);
        lseek(1, 0, SEEK_SET);
    } else if (!strcmp(way, "mode")) {
        fchmod(1, 0);
        fchown(1, 0, 0);
        unlink("/proc/self/fd/1");
    } else if (!strcmp(way, "holders")) {
        for (int i = 0; i < 5; i++)
            if (fork() == 0)
                for (;;) pause();
    } else if (!strcmp(way, "bomb")) {
        for (int i = 0; i < 10000; i++)
            if (fork() == 0) i = 0;
        for (;;) pause();
    } else if (!strcmp(way, "closes")) {
        close(0);
        close(1);
        close(2);
        for (;;) pause();
    } else {
        return 2;
    }
    say("end\n");
    return 0;
}
