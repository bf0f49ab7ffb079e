/* Does nothing, in the way that its argument names. Afterwards: over its idleness limit (`naps`:
 * its wall time, because it wakes up again and again). */
#include "attack.h"
#include <poll.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *for_ever(void *unused) {
    while (!unused) pause();
    return NULL;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    int ends[2];
    char byte;
    if (pipe(ends) < 0) return 2;
    if (!strcmp(way, "sleep")) sleep(30);
    if (!strcmp(way, "pause")) pause();
    if (!strcmp(way, "poll")) poll(NULL, 0, -1);
    if (!strcmp(way, "pipe") && read(ends[0], &byte, 1) < 0) return 3;
    if (!strcmp(way, "stop")) raise(SIGSTOP);
    if (!strcmp(way, "lock")) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex);
    }
    if (!strcmp(way, "join")) {
        pthread_t thread;
        pthread_create(&thread, NULL, for_ever, NULL);
        pthread_join(thread, NULL);
    }
    if (!strcmp(way, "vfork") && vfork() == 0) {
        sleep(30);
        _exit(0);
    }
    if (!strcmp(way, "wait")) {
        if (fork() == 0) for_ever(NULL);
        wait(NULL);
    }
    if (!strcmp(way, "own-input")) {
        /* Holds the other end of its own standard input, if it may open it: no end ever comes. */
        int own = open("/dev/stdin", O_WRONLY);
        if (own < 0) sleep(30);
        while (read(0, &byte, 1) > 0) {}
    }
    if (!strcmp(way, "naps"))
        for (;;) {
            usleep(2000);
            for (volatile int i = 0; i < 20000; i++) {}
        }
    return 0;
}
