/* One message in shared memory, with a flag that says whether it is there. A mutex guards both; on
 * a condition variable the writer waits for the flag to fall and the reader for it to rise. */
#include "channel.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

static struct place {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool data_ready;
    struct message message;
} *place;

/* The functions of pthread return the error's number. */
static void check(int error, const char *what)
{
    if (error != 0) {
        errno = error;
        fail(what);
    }
}

static void make(const char *folder)
{
    (void)folder;
    place = mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        fail("mmap");
    pthread_mutexattr_t mutex;
    check(pthread_mutexattr_init(&mutex), "pthread_mutexattr_init");
    check(pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED), "share a mutex");
    check(pthread_mutex_init(&place->mutex, &mutex), "pthread_mutex_init");
    pthread_condattr_t changed;
    check(pthread_condattr_init(&changed), "pthread_condattr_init");
    check(pthread_condattr_setpshared(&changed, PTHREAD_PROCESS_SHARED), "share a condition");
    check(pthread_cond_init(&place->changed, &changed), "pthread_cond_init");
}

/* Takes the mutex when the flag is as wanted. */
static void enter(bool wanted)
{
    check(pthread_mutex_lock(&place->mutex), "pthread_mutex_lock");
    while (place->data_ready != wanted)
        check(pthread_cond_wait(&place->changed, &place->mutex), "pthread_cond_wait");
}

/* Turns the flag over, gives the mutex back and wakes the other side. */
static void leave(void)
{
    place->data_ready = !place->data_ready;
    check(pthread_mutex_unlock(&place->mutex), "pthread_mutex_unlock");
    check(pthread_cond_signal(&place->changed), "pthread_cond_signal");
}

static void put(const struct message *message)
{
    enter(false);
    memcpy(&place->message, message, sizeof *message);
    leave();
}

static void take(struct message *message)
{
    enter(true);
    memcpy(message, &place->message, sizeof *message);
    leave();
}

const struct channel shared = { "shared", make, NULL, NULL, put, take, NULL };
