/* An interactor whose one thread reads while another thinks about what came, for as many
 * microseconds as its argument says, and then rejects it. Afterwards: it was let decide, every time,
 * although it also asked for more all the while and the contestant had failed. */
#include "attack.h"
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static int lines;

static void *reads(void *unused) {
    char block[256];
    while (read(0, block, sizeof block) > 0) {
        pthread_mutex_lock(&mutex);
        lines++;
        pthread_cond_signal(&came);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static long now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int main(int argc, char **argv) {
    long thinks = argc > 1 ? atol(argv[1]) : 0;
    pthread_t thread;
    pthread_create(&thread, NULL, reads, NULL);
    dprintf(1, "?\n");
    pthread_mutex_lock(&mutex);
    while (lines == 0) pthread_cond_wait(&came, &mutex);
    pthread_mutex_unlock(&mutex);
    for (long since = now_us(); now_us() - since < thinks;) {}
    _exit(1);
}
