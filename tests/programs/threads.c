/* A thousand threads at once, then as many one after the other, then the leader ends first and a
 * thread plays. Afterwards: accepted. */
#include "attack.h"
#include <pthread.h>

static pthread_barrier_t barrier;

static void *meets(void *unused) {
    (void)unused;
    pthread_barrier_wait(&barrier);
    return NULL;
}

static void *nothing(void *unused) { return unused; }

static void *plays(void *unused) {
    (void)unused;
    usleep(20000);
    safe();
    exit(0);
}

int main(void) {
    enum { MANY = 1000 };
    static pthread_t threads[MANY];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    pthread_barrier_init(&barrier, NULL, MANY + 1);
    for (int i = 0; i < MANY; i++) HOLDS((errno = pthread_create(&threads[i], &small, meets, NULL)) == 0);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < MANY; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < MANY; i++) {
        HOLDS((errno = pthread_create(&threads[0], &small, nothing, NULL)) == 0);
        pthread_join(threads[0], NULL);
    }
    pthread_t last;
    pthread_create(&last, NULL, plays, NULL);
    pthread_exit(NULL);
}
