/* What the sorts have in common: whole reads and writes, complaints, and figures of their own.
 *
 * Each reads a regular file of 32-bit integers from standard input and writes them in ascending
 * order, binary, to standard output, a regular file that is open for appending. At its end it says
 * on standard error how much memory it had at most, by the kernel's account of its process.
 *
 * Exit codes: 0 sorted, 2 wrong arguments, 3 no memory, 4 a read or write failed. Nothing here
 * allocates, so that a limit on memory meets the sort alone.
 */
#ifndef SORT_H
#define SORT_H

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((unused)) static void say(const char *words)
{
    /* There is nobody to tell that this failed. */
    if (write(STDERR_FILENO, words, strlen(words)) < 0)
        return;
}

__attribute__((unused)) static void fail(int code, const char *words)
{
    say(words);
    say("\n");
    _exit(code);
}

/* Bytes of the input. */
__attribute__((unused)) static size_t input_size(void)
{
    struct stat found;
    if (fstat(STDIN_FILENO, &found) != 0 || !S_ISREG(found.st_mode))
        fail(4, "the input is no regular file");
    return (size_t)found.st_size;
}

/* Reads so many bytes from a place of a file. */
__attribute__((unused)) static void read_at(int fd, void *into, size_t bytes, off_t place)
{
    for (size_t have = 0; have < bytes;) {
        ssize_t got = pread(fd, (char *)into + have, bytes - have, place + (off_t)have);
        if (got <= 0)
            fail(4, "failed to read");
        have += (size_t)got;
    }
}

/* Appends so many bytes to the output. */
__attribute__((unused)) static void append(const void *from, size_t bytes)
{
    for (size_t have = 0; have < bytes;) {
        ssize_t put = write(STDOUT_FILENO, (const char *)from + have, bytes - have);
        if (put <= 0)
            fail(4, "failed to write");
        have += (size_t)put;
    }
}

/* A figure of /proc/self/status in KiB, such as "VmHWM:"; -1 if there is none. */
static long status_kib(const char *name)
{
    static char text[4096];
    int fd = open("/proc/self/status", O_RDONLY);
    if (fd < 0)
        return -1;
    ssize_t got = read(fd, text, sizeof text - 1);
    close(fd);
    const char *found = got > 0 ? strstr(text, name) : NULL;
    return found ? strtol(found + strlen(name), NULL, 10) : -1;
}

__attribute__((unused)) static void say_kib(const char *name, const char *key)
{
    char digits[24], *at = digits + sizeof digits - 1;
    long kib = status_kib(key);
    *at = '\0';
    do
        *--at = (char)('0' + kib % 10);
    while ((kib /= 10) > 0);
    say(name);
    say(" ");
    say(at);
    say("\n");
}

/* The last thing that a sort does. */
static int sorted(void)
{
    say_kib("peak_kib", "VmHWM:");
    return 0;
}

__attribute__((unused)) static int by_value(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

#endif
