/* Writes to its standard output in the way that its first word names, so many bytes as the second
   says. What a pipe refuses (an offset, a copy within the kernel) is then written plainly, as
   programs do. The bytes are every value in a long period, NUL and invalid UTF-8 among them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(3);
}

static char *bytes;
static size_t size;

static void all(int fd, const char *from, size_t length) {
    while (length > 0) {
        ssize_t wrote = write(fd, from, length);
        if (wrote <= 0) fail("write");
        from += wrote;
        length -= (size_t)wrote;
    }
}

/* Past a compiler that knows better. */
static long raw(long call, long from, long length) {
    return syscall(call, 1, from, length);
}

/* In pieces of lengths that grow and shrink. */
static size_t piece(size_t at) {
    size_t length = 1 + at * 7 % 4093;
    return length < size - at ? length : size - at;
}

static void *thread(void *none) {
    all(1, bytes, size);
    return none;
}

/* A file of the bytes: the read end of a pipe that a child fills. */
static int source(void) {
    int ends[2];
    if (pipe(ends) != 0) fail("pipe");
    if (fork() == 0) {
        close(ends[0]);
        all(ends[1], bytes, size);
        _exit(0);
    }
    close(ends[1]);
    return ends[0];
}

static void rest_of(int from) {
    static char buffer[5000];
    ssize_t found;
    while ((found = read(from, buffer, sizeof buffer)) > 0) all(1, buffer, (size_t)found);
}

static void reopened(const char *name, int flags) {
    int fd = open(name, O_WRONLY | flags);
    if (fd < 0) fail(name);
    all(fd, bytes + size / 2, size - size / 2);
    close(fd);
}

int main(int count, char **words) {
    if (count < 3) return 2;
    const char *way = words[1];
    size = strtoul(words[2], NULL, 10);
    bytes = malloc(size + 1);
    for (size_t i = 0; i < size; i++) bytes[i] = (char)(i * 31 + (i >> 8) * 17 + (i >> 16));
    if (!strcmp(way, "once")) {
        all(1, bytes, size);
    } else if (!strcmp(way, "bytewise")) {
        setvbuf(stdout, NULL, _IONBF, 0);
        for (size_t i = 0; i < size; i++) putchar(bytes[i]);
    } else if (!strcmp(way, "stdio")) {
        for (size_t i = 0; i < size; i++) putchar(bytes[i]);
    } else if (!strcmp(way, "vectors")) {
        for (size_t at = 0; at < size;) {
            struct iovec parts[3] = {{bytes + at, 1}, {bytes, 0}, {bytes + at + 1, piece(at) - 1}};
            ssize_t wrote = writev(1, parts, 3);
            if (wrote <= 0) fail("writev");
            at += (size_t)wrote;
        }
    } else if (!strcmp(way, "many-vectors")) {
        /* As many as the kernel takes; one more is refused as a whole. */
        struct iovec parts[1025];
        for (int i = 0; i < 1025; i++) parts[i] = (struct iovec){bytes + i, 1};
        if (writev(1, parts, 1025) >= 0) fail("1025 vectors");
        if (writev(1, parts, 1024) != 1024) fail("1024 vectors");
        all(1, bytes + 1024, size - 1024);
    } else if (!strcmp(way, "offsets")) {
        /* On a pipe there are none. */
        for (size_t at = 0; at < size;) {
            ssize_t wrote = pwrite(1, bytes + at, piece(at), (off_t)(at * 3 % 1001));
            if (wrote <= 0) wrote = write(1, bytes + at, piece(at));
            if (wrote <= 0) fail("pwrite");
            at += (size_t)wrote;
        }
    } else if (!strcmp(way, "by-name")) {
        all(1, bytes, size / 2);
        reopened(words[3], O_TRUNC);
    } else if (!strcmp(way, "by-copy-name")) {
        /* It closes its standard output and opens it again by the name of a copy. */
        all(1, bytes, size / 2);
        int copy = dup(1);
        char name[32];
        snprintf(name, sizeof name, "/proc/self/fd/%d", copy);
        close(1);
        if (open(name, O_WRONLY) != 1) fail(name);
        all(1, bytes + size / 2, size - size / 2);
    } else if (!strcmp(way, "copy")) {
        int copy = fcntl(1, F_DUPFD, 100);
        close(1);
        all(copy, bytes, size / 2);
        if (dup2(copy, 1) != 1) fail("dup2");
        close(copy);
        all(1, bytes + size / 2, size - size / 2);
    } else if (!strcmp(way, "passed")) {
        /* A descriptor that came through a socket. */
        int ends[2];
        char control[CMSG_SPACE(sizeof(int))] = {0};
        struct iovec part = {"x", 1};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
                                 .msg_controllen = sizeof control};
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        int out = 1;
        char byte;
        part.iov_base = &byte;
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof out);
        memcpy(CMSG_DATA(header), &out, sizeof out);
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("socketpair");
        if (sendmsg(ends[0], &message, 0) != 1) fail("sendmsg");
        if (recvmsg(ends[1], &message, 0) != 1) fail("recvmsg");
        memcpy(&out, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof out);
        close(1);
        all(out, bytes, size);
    } else if (!strcmp(way, "child")) {
        if (fork() == 0) {
            all(1, bytes, size / 2);
            _exit(0);
        }
        wait(NULL);
        all(1, bytes + size / 2, size - size / 2);
    } else if (!strcmp(way, "exec")) {
        execl("/proc/self/exe", words[0], "once", words[2], (char *)NULL);
        execl(words[0], words[0], "once", words[2], (char *)NULL);
        fail("exec");
    } else if (!strcmp(way, "thread")) {
        pthread_t other;
        if (pthread_create(&other, NULL, thread, NULL) != 0) fail("pthread_create");
        pthread_join(other, NULL);
    } else if (!strcmp(way, "sendfile")) {
        /* From its own program, which is a file. */
        int file = open("/proc/self/exe", O_RDONLY);
        if (file < 0) file = open(words[0], O_RDONLY);
        if (file < 0) fail("open");
        size_t left = size;
        while (left > 0) {
            ssize_t sent = sendfile(1, file, NULL, left);
            if (sent <= 0) break;
            left -= (size_t)sent;
        }
        while (left > 0) {
            ssize_t found = read(file, bytes, left);
            if (found <= 0) fail("read");
            all(1, bytes, (size_t)found);
            left -= (size_t)found;
        }
    } else if (!strcmp(way, "splice")) {
        int from = source();
        while (splice(from, NULL, 1, NULL, size, 0) > 0) {
        }
        rest_of(from);
    } else if (!strcmp(way, "copy-range")) {
        int file = open("/proc/self/exe", O_RDONLY);
        if (file < 0) file = open(words[0], O_RDONLY);
        size_t left = size;
        while (left > 0) {
            ssize_t sent = copy_file_range(file, NULL, 1, NULL, left, 0);
            if (sent <= 0) break;
            left -= (size_t)sent;
        }
        while (left > 0) {
            ssize_t found = read(file, bytes, left);
            if (found <= 0) fail("read");
            all(1, bytes, (size_t)found);
            left -= (size_t)found;
        }
    } else if (!strcmp(way, "edges")) {
        /* Pieces that end where memory ends, at every alignment. */
        long page = sysconf(_SC_PAGESIZE);
        char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        munmap(two + page, page);
        for (size_t at = 0; at < size;) {
            size_t length = 1 + at % 29;
            if (length > size - at) length = size - at;
            memcpy(two + page - length, bytes + at, length);
            all(1, two + page - length, length);
            at += length;
        }
    } else if (!strcmp(way, "wrong")) {
        /* Calls that are refused as a whole, then one that is not. */
        const long bad = 8;
        struct iovec parts[3] = {{(char *)bad, 100}, {bytes, size}, {bytes, size}};
        struct iovec huge[2] = {{bytes, 5}, {bytes, (size_t)1 << 63}};
        raw(SYS_write, 0, 10);
        raw(SYS_write, bad, 1L << 40);
        raw(SYS_write, (long)bytes, -1);
        raw(SYS_writev, (long)huge, 2);
        raw(SYS_writev, (long)parts, 3);
        raw(SYS_writev, bad, 3);
        raw(SYS_writev, (long)parts, -1);
        all(1, bytes, size);
    } else if (!strcmp(way, "endless")) {
        for (;;) all(1, bytes, size);
    } else if (!strcmp(way, "beyond")) {
        /* One write of far more than there is. */
        raw(SYS_write, (long)bytes, strtol(words[3], NULL, 10));
    } else if (!strcmp(way, "left-behind")) {
        /* A child holds the output, and does not end. */
        all(1, bytes, size);
        if (fork() == 0)
            for (;;) pause();
    } else {
        fprintf(stderr, "there is no way `%s`\n", way);
        return 2;
    }
    fflush(stdout);
    return ferror(stdout) ? 3 : 0;
}
