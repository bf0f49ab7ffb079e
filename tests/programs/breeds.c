/* Makes as many tasks as it can, by the way that its argument names, all alive at once. Afterwards:
 * it was given some but never more than its limit (second argument), went on, and nothing is left. */
#include "attack.h"
#include <pthread.h>
#include <sched.h>

static void *sleeps(void *unused) {
    while (!unused) pause();
    return NULL;
}

static char stacks[300][1 << 14];

static int in_clone(void *unused) {
    while (!unused) pause();
    return 0;
}

/* Each child of vfork holds its parent up, so they are all alive. */
static void chain(int most) {
    static volatile int depth;
    pid_t child = 0;
    while (child == 0 && depth < 300) {
        child = vfork();
        if (child == 0) depth++;
    }
    if (child < 0) {
        if (depth > most - 1) broken("more tasks than the limit", "");
        safe();
    }
    _exit(0);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "fork";
    int most = argc > 2 ? atoi(argv[2]) : 16, made = 0;
    alarm(20);
    if (!strcmp(way, "vfork")) chain(most);
    for (int i = 0; i < 300; i++) {
        long made_one = -1;
        if (!strcmp(way, "fork") && (made_one = fork()) == 0) sleeps(NULL);
        if (!strcmp(way, "thread")) {
            pthread_attr_t small;
            pthread_t thread;
            pthread_attr_init(&small);
            pthread_attr_setstacksize(&small, 1 << 16);
            made_one = pthread_create(&thread, &small, sleeps, NULL) == 0 ? 1 : -1;
        }
        if (!strcmp(way, "clone"))
            made_one = clone(in_clone, stacks[i] + sizeof stacks[i], CLONE_VM | CLONE_PARENT | SIGCHLD, NULL);
        if (!strcmp(way, "untraced"))
            made_one = clone(in_clone, stacks[i] + sizeof stacks[i], CLONE_UNTRACED | SIGCHLD, NULL);
        made += made_one > 0;
    }
    if (made > most - 1) broken("more tasks than the limit", "");
    if (strcmp(way, "untraced") && made < most - 2) broken("fewer than the limit", "");
    return safe();
}
