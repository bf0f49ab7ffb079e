/* Goes over a limit in the way that its first word says, without end.
 *
 * Every way but `output` is also the machine's other work, where the benchmark wants some.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, BLOCK = 1 << 16, THREADS = 4 };

static char block[BLOCK];

static void *compute(void *unused)
{
    (void)unused;
    volatile unsigned long work = 0;
    for (;;)
        work++;
}

/* All of them but the main thread. */
static void start_threads(int count)
{
    pthread_t thread;
    while (--count > 0)
        if (pthread_create(&thread, NULL, compute, NULL) != 0)
            exit(3);
}

/* The kernel fills the block with zeros, again and again. */
static void call(void)
{
    int zero = open("/dev/zero", O_RDONLY);
    while (zero >= 0 && read(zero, block, sizeof block) > 0)
        ;
}

/* More address space than any limit here, page by page. */
static void touch(void)
{
    size_t bytes = (size_t)1 << 32;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        exit(3);
    for (size_t at = 0; at < bytes; at += PAGE)
        memory[at] = 1;
}

static void print(void)
{
    while (write(STDOUT_FILENO, block, sizeof block) > 0)
        ;
}

int main(int count, char **words)
{
    const char *way = count > 1 ? words[1] : "";
    if (strcmp(way, "one-thread") == 0) {
        compute(NULL);
    } else if (strcmp(way, "four-threads") == 0) {
        start_threads(THREADS);
        compute(NULL);
    } else if (strcmp(way, "system") == 0) {
        call();
    } else if (strcmp(way, "sleep") == 0) {
        for (;;)
            pause();
    } else if (strcmp(way, "memory") == 0) {
        touch();
    } else if (strcmp(way, "output") == 0) {
        print();
    }
    return 3; /* Nothing above comes to an end. */
}
