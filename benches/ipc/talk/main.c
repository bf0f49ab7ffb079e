/* Messages from a writer to a reader, one at a time and in order.
 *
 *     talk CHANNEL PARTIES MESSAGES WRITER-CPU READER-CPU FOLDER
 *
 * CHANNEL is fifo, queue, socket, shared, pipe or watched; PARTIES is processes or threads. Each
 * side is bound to its CPU. The reader looks at every message: whether its index is the next one,
 * and whether its text is whole.
 *
 * Prints one line of numbers: nanoseconds from before the first message is sent until after the
 * last one was received; nanoseconds of CPU time of the reader and of the writer; how often the
 * reader and the writer went to sleep; bytes received; and the most bytes that waited, 0 where the
 * channel itself sets a limit.
 *
 * Exit codes: 0 all messages arrived, 1 something failed, which is said on stderr, 4 bad arguments.
 */
#define _GNU_SOURCE
#include "channel.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What one side has to tell. */
struct side {
    long began, ended, cpu, sleeps;
};

/* In memory that both sides share, whether they are processes or threads. */
static struct told {
    struct side writer, reader;
    unsigned long bytes;
    size_t kept;
} *told;

static const struct channel *const channels[] = { &fifo, &queue, &sockets, &shared, &pipes, &watched };
static const struct channel *channel;
static unsigned long messages;
static int writer_cpu, reader_cpu;

void fail(const char *what)
{
    fprintf(stderr, "%s, %s: %s\n", channel ? channel->name : "talk", what, strerror(errno));
    _exit(1);
}

static long now(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time) != 0)
        fail("clock_gettime");
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static long sleeps(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) != 0)
        fail("getrusage");
    return usage.ru_nvcsw;
}

static void stay_on(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        fail("sched_setaffinity");
}

static void begin(struct side *side)
{
    side->sleeps = sleeps();
    side->cpu = now(CLOCK_THREAD_CPUTIME_ID);
    side->began = now(CLOCK_MONOTONIC);
}

static void end(struct side *side)
{
    side->ended = now(CLOCK_MONOTONIC);
    side->cpu = now(CLOCK_THREAD_CPUTIME_ID) - side->cpu;
    side->sleeps = sleeps() - side->sleeps;
}

/* The letter that begins and ends the text of a message. */
static char letter(unsigned long index)
{
    return (char)('a' + index % 26);
}

static void *write_all(void *unused)
{
    (void)unused;
    stay_on(writer_cpu);
    if (channel->open_writer)
        channel->open_writer();
    struct message message;
    memset(message.text, '.', sizeof message.text);
    begin(&told->writer);
    for (unsigned long index = 0; index < messages; index++) {
        message.index = index;
        message.text[0] = message.text[sizeof message.text - 1] = letter(index);
        channel->send(&message);
    }
    end(&told->writer);
    return NULL;
}

static void *read_all(void *unused)
{
    (void)unused;
    stay_on(reader_cpu);
    if (channel->open_reader)
        channel->open_reader();
    struct message message;
    begin(&told->reader);
    for (unsigned long index = 0; index < messages; index++) {
        channel->receive(&message);
        if (message.index != index || message.text[0] != letter(index) ||
            message.text[sizeof message.text - 1] != letter(index)) {
            fprintf(stderr, "%s: message %lu came where message %lu was due, or is not whole\n",
                    channel->name, message.index, index);
            _exit(1);
        }
        told->bytes += sizeof message;
    }
    end(&told->reader);
    if (channel->most_kept)
        told->kept = channel->most_kept();
    return NULL;
}

static void between_threads(void)
{
    pthread_t writer;
    errno = pthread_create(&writer, NULL, write_all, NULL);
    if (errno != 0)
        fail("pthread_create");
    read_all(NULL);
    errno = pthread_join(writer, NULL);
    if (errno != 0)
        fail("pthread_join");
}

static void between_processes(void)
{
    pid_t writer = fork();
    if (writer < 0)
        fail("fork");
    if (writer == 0) {
        /* A writer without its reader would wait for ever. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        write_all(NULL);
        _exit(0);
    }
    read_all(NULL);
    int status;
    if (waitpid(writer, &status, 0) != writer)
        fail("waitpid");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "%s: the writer failed\n", channel->name);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 7)
        return 4;
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        if (strcmp(channels[i]->name, argv[1]) == 0)
            channel = channels[i];
    int threads = strcmp(argv[2], "threads") == 0;
    if (!channel || (!threads && strcmp(argv[2], "processes") != 0))
        return 4;
    messages = strtoul(argv[3], NULL, 10);
    writer_cpu = atoi(argv[4]);
    reader_cpu = atoi(argv[5]);

    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED)
        fail("mmap");
    channel->make(argv[6]);
    if (threads)
        between_threads();
    else
        between_processes();
    printf("%ld %ld %ld %ld %ld %lu %zu\n", told->reader.ended - told->writer.began,
           told->reader.cpu, told->writer.cpu, told->reader.sleeps, told->writer.sleeps,
           told->bytes, told->kept);
    return 0;
}
