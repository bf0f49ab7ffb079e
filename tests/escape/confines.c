/* Looks at and changes what confines it: limits, core dumps, environment, loader tricks. Prints its
 * environment and its core limit. Afterwards: what it printed is just what a program is given. */
#include "../programs/attack.h"
#include <sys/prctl.h>
#include <sys/resource.h>

extern char **environ;

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void limits(void) {
    const int upwards[] = {RLIMIT_CORE, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_STACK, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_MEMLOCK,
                           RLIMIT_MSGQUEUE};
    struct rlimit now, more;
    for (unsigned i = 0; i < sizeof upwards / sizeof *upwards; i++) {
        HOLDS(getrlimit(upwards[i], &now) == 0);
        more = (struct rlimit){now.rlim_cur, now.rlim_max + 1};
        if (now.rlim_max != RLIM_INFINITY) FAILS(setrlimit(upwards[i], &more), "");
        if (now.rlim_max != RLIM_INFINITY) FAILS(prlimit(getpid(), upwards[i], &more, NULL), "");
        /* To lower it is its own affair. */
        if (upwards[i] == RLIMIT_NOFILE || upwards[i] == RLIMIT_CORE) HOLDS(setrlimit(upwards[i], &now) == 0);
    }
    getrlimit(RLIMIT_RTPRIO, &now);
    HOLDS(now.rlim_max == 0 || nice(-1) == -1);
    /* 1 is the only value at which no core is written, and no program that takes them started. */
    HOLDS(getrlimit(RLIMIT_CORE, &now) == 0);
    dprintf(1, "core %ld %ld\n", (long)now.rlim_cur, (long)now.rlim_max);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "limits")) {
        limits();
        return 0;
    }
    if (!strcmp(what, "environment")) {
        int count = 0;
        while (environ[count]) count++;
        qsort(environ, count, sizeof *environ, by_name);
        for (int i = 0; i < count; i++)
            if (strncmp(environ[i], "HOME=", 5)) dprintf(1, "%s\n", environ[i]);
        return 0;
    }
    if (!strcmp(what, "cores")) {
        /* Crashing children: nothing is written anywhere. */
        for (int i = 0; i < 5; i++) {
            pid_t child = fork();
            if (child == 0) {
                prctl(PR_SET_DUMPABLE, 1);
                abort();
            }
            int status;
            HOLDS(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && !WCOREDUMP(status));
        }
        safe();
        abort();
    }
    if (!strcmp(what, "preload")) {
        /* What tells the loader to run other code gains nothing that the program does not have. */
        char *names[] = {"LD_PRELOAD=/proc/self/fd/0", "LD_LIBRARY_PATH=.:/tmp:/proc/self/cwd", "LD_AUDIT=/dev/stdin",
                         "LD_DEBUG=all", "LD_DEBUG_OUTPUT=/tmp/planted", "LD_PROFILE=libc.so.6",
                         "LD_PROFILE_OUTPUT=/tmp", "GCONV_PATH=/tmp", "MALLOC_TRACE=/tmp/planted",
                         "GLIBC_TUNABLES=glibc.malloc.check=3", "TMPDIR=/tmp", NULL};
        const char *programs[] = {"/usr/bin/su", "/usr/bin/mount", "/usr/bin/passwd", "/bin/true"};
        for (int i = 0; i < 4; i++) {
            pid_t child = fork();
            int status;
            if (child == 0) {
                close(0);
                dup2(2, 1);
                execle(programs[i], programs[i], "-c", "id", (char *)NULL, names);
                _exit(99);
            }
            HOLDS(waitpid(child, &status, 0) == child);
            if (i < 3 && WIFEXITED(status) && WEXITSTATUS(status) == 0) broken("ran as another user", programs[i]);
        }
        safe();
        execle(argv[0], argv[0], "ends", (char *)NULL, names);
        return 31;
    }
    return 0;
}
