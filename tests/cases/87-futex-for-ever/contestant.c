/* Takes a lock that it has. */
#include <pthread.h>
#include <stdio.h>
int main(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    printf("? 1\n");
    fflush(stdout);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    printf("! 7\n");
    return 0;
}
