/* One side of a flood: as many bytes as there are to be, as fast as they go.
 *
 *     flood send SIZE BLOCK    writes SIZE bytes to its standard output, BLOCK bytes at a time
 *     flood take SIZE BLOCK    reads SIZE bytes from its standard input, BLOCK bytes at a time
 *     flood both SIZE BLOCK    does both at once, in a thread each
 *
 * Every block begins with its number, as far as one byte can hold it, and whoever reads compares.
 * At the end it says on standard error when it began and when it had finished, in nanoseconds of
 * the machine's clock since boot: before the first byte was written or after it was read, and after
 * the last.
 *
 * As an interactor in the manner of testlib it exits with 0, which accepts. The file names that
 * such an interactor is given come after BLOCK and are ignored.
 *
 * Exit codes: 0 all bytes went and came, 2 input ended too soon, 3 a call failed, 4 bad arguments,
 * 5 other bytes came than were sent.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static size_t size, block;

struct span {
    long began, ended;
};

static long now(void)
{
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0)
        exit(3);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static char *new_block(void)
{
    char *bytes = malloc(block);
    if (!bytes)
        exit(3);
    memset(bytes, '.', block);
    return bytes;
}

static size_t least(size_t one, size_t other)
{
    return one < other ? one : other;
}

static void *send_all(void *argument)
{
    struct span *span = argument;
    char *bytes = new_block();
    span->began = now();
    for (size_t sent = 0; sent < size;) {
        bytes[0] = (char)(sent / block);
        size_t length = least(block, size - sent);
        for (size_t done = 0; done < length;) {
            ssize_t wrote = write(STDOUT_FILENO, bytes + done, length - done);
            if (wrote < 0)
                exit(3);
            done += (size_t)wrote;
        }
        sent += length;
    }
    span->ended = now();
    free(bytes);
    return NULL;
}

/* Compares the numbers of the blocks that begin in these bytes, which were preceded by so many. */
static void compare(const char *bytes, size_t length, size_t before)
{
    size_t number = (before + block - 1) / block;
    for (; number * block < before + length; number++)
        if (bytes[number * block - before] != (char)number)
            exit(5);
}

static void *take_all(void *argument)
{
    struct span *span = argument;
    char *bytes = new_block();
    for (size_t taken = 0; taken < size;) {
        ssize_t got = read(STDIN_FILENO, bytes, least(block, size - taken));
        if (got <= 0)
            exit(got == 0 ? 2 : 3);
        if (taken == 0)
            span->began = now();
        compare(bytes, (size_t)got, taken);
        taken += (size_t)got;
    }
    span->ended = now();
    free(bytes);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 4;
    size = strtoul(argv[2], NULL, 10);
    block = strtoul(argv[3], NULL, 10);
    if (size == 0 || block == 0)
        return 4;
    struct span span, other;
    if (strcmp(argv[1], "send") == 0) {
        send_all(&span);
    } else if (strcmp(argv[1], "take") == 0) {
        take_all(&span);
    } else if (strcmp(argv[1], "both") == 0) {
        pthread_t taking;
        if (pthread_create(&taking, NULL, take_all, &other) != 0)
            return 3;
        send_all(&span);
        if (pthread_join(taking, NULL) != 0)
            return 3;
        if (other.ended > span.ended)
            span.ended = other.ended;
        if (other.began < span.began)
            span.began = other.began;
    } else {
        return 4;
    }
    fprintf(stderr, "%ld %ld\n", span.began, span.ended);
    return 0;
}
