/* A thread waits for input while the main thread is at work (argument: `computes`, `sleeps`,
 * `floods` its standard error) for longer than it may be idle; then it answers. Afterwards: what it
 * did counts, not that it also waited: accepted. */
#include "attack.h"
#include <pthread.h>
#include <time.h>

static void *reads(void *unused) {
    char block[64];
    (void)unused;
    while (read(0, block, sizeof block) > 0) {}
    return NULL;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    pthread_t thread;
    pthread_create(&thread, NULL, reads, NULL);
    if (!strcmp(what, "computes")) {
        struct timespec used = {0};
        while (used.tv_sec < 1 && used.tv_nsec < 900000000) {
            for (volatile int i = 0; i < 100000; i++) {}
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        }
    }
    if (!strcmp(what, "sleeps")) usleep(200000);
    if (!strcmp(what, "floods")) {
        static char block[1 << 16];
        memset(block, 'x', sizeof block);
        for (int i = 0; i < 1600; i++)
            if (write(2, block, sizeof block) < 0) return 3;
    }
    safe();
    pthread_join(thread, NULL);
    return 0;
}
