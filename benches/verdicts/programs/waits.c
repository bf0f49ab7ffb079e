/* Asks three times, notes the time, and waits for an answer to nothing; with `thread`, another thread
 * reads. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int lines, threaded;

static void *reader(void *none) {
    char line[64];
    while (fgets(line, sizeof line, stdin) != NULL) {
        pthread_mutex_lock(&lock);
        lines++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return none;
}

static void take(void) {
    char line[64];
    if (!threaded) {
        if (fgets(line, sizeof line, stdin) == NULL) _exit(1);
        return;
    }
    pthread_mutex_lock(&lock);
    while (lines == 0) pthread_cond_wait(&changed, &lock);
    lines--;
    pthread_mutex_unlock(&lock);
}

int main(int count, char **words) {
    pthread_t thread;
    threaded = count > 1 && strcmp(words[1], "thread") == 0;
    if (threaded && pthread_create(&thread, NULL, reader, NULL) != 0) return 1;
    for (int i = 0; i < 3; i++) {
        printf("? %d\n", i);
        fflush(stdout);
        take();
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    fprintf(stderr, "%ld%09ld\n", (long)now.tv_sec, now.tv_nsec);
    take();
    return 1;
}
