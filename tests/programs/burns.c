/* Burns CPU time for ever where a careless judge does not look; the argument says where. It is
 * bounded by alarm. Afterwards: over its CPU limit, soon after it was reached. */
#include "attack.h"
#include <dirent.h>
#include <pthread.h>

static void spin(void) {
    for (;;) getppid();
}

static void *in_thread(void *unused) {
    (void)unused;
    spin();
    return NULL;
}

static void *refused(void *unused) {
    while (!unused) syscall(9999);
    return NULL;
}

static void *nothing(void *unused) { return unused; }

int main(int argc, char **argv) {
    const char *where = argc > 1 ? argv[1] : "";
    pthread_t thread;
    alarm(12);
    if (!strcmp(where, "child")) {
        if (fork() == 0) spin();
        wait(NULL);
    }
    if (!strcmp(where, "short-children"))
        for (;;) {
            if (fork() == 0) {
                for (volatile int i = 0; i < 3000000; i++) {}
                _exit(0);
            }
            wait(NULL);
        }
    if (!strcmp(where, "unreaped-grandchildren"))
        for (;;) {
            pid_t middle = fork();
            if (middle == 0) {
                pid_t child = fork();
                if (child == 0) {
                    for (volatile int i = 0; i < 3000000; i++) {}
                }
                _exit(0);
            }
            if (middle > 0) waitpid(middle, NULL, 0);
        }
    if (!strcmp(where, "daemon")) {
        if (fork() == 0) {
            setsid();
            if (fork() == 0) spin();
            _exit(0);
        }
        wait(NULL);
        pause();
    }
    if (!strcmp(where, "thread")) {
        pthread_create(&thread, NULL, in_thread, NULL);
        pthread_exit(NULL);
    }
    if (!strcmp(where, "threads")) {
        for (int i = 0; i < 4; i++) pthread_create(&thread, NULL, in_thread, NULL);
        pause();
    }
    if (!strcmp(where, "short-threads"))
        for (;;) {
            pthread_create(&thread, NULL, nothing, NULL);
            pthread_join(thread, NULL);
        }
    if (!strcmp(where, "kernel"))
        for (;;) {
            DIR *folder = opendir("/usr/lib");
            while (folder && readdir(folder)) {}
            if (folder) closedir(folder);
        }
    if (!strcmp(where, "refused")) refused(NULL);
    if (!strcmp(where, "refused-threads")) {
        for (int i = 0; i < 8; i++) pthread_create(&thread, NULL, refused, NULL);
        pause();
    }
    if (!strcmp(where, "while-another-reads")) {
        if (fork() == 0) spin();
        char byte;
        if (read(0, &byte, 1) < 0) return 3;
    }
    if (!strcmp(where, "ignoring")) {
        for (int i = 1; i < 65; i++) signal(i, SIG_IGN);
        alarm(12);
    }
    if (!strcmp(where, "exec"))
        for (volatile int i = 0; i < 20000000; i++) {}
    if (!strcmp(where, "exec")) execl(argv[0], argv[0], "exec", (char *)NULL);
    spin();
}
