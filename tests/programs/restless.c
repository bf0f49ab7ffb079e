/* Answers for ever, while children and threads come and go. Afterwards: nothing of it is left,
 * whatever became of the coordinator. */
#include "attack.h"
#include <pthread.h>

static void *forks(void *unused) {
    while (!unused) {
        pid_t child = fork();
        if (child == 0) {
            setsid();
            if (fork() == 0) usleep(20000);
            _exit(0);
        }
        if (child > 0) waitpid(child, NULL, 0);
        usleep(500);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    char byte;
    pthread_create(&thread, NULL, forks, NULL);
    while (read(0, &byte, 1) > 0) safe();
    return 0;
}
