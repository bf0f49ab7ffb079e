/* What attackers have in common: they say `safe` to the interactor `judge` if every attack failed,
 * and otherwise which one did not. */
#ifndef ATTACK_H
#define ATTACK_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static inline void broken(const char *what, const char *detail) {
    dprintf(1, "broken: %s %s\n", what, detail);
    _exit(0);
}

static inline int safe(void) {
    if (write(1, "safe\n", 5) != 5) _exit(9);
    return 0;
}

/* An argument that names a file makes it one that the program may read; `@` before it hides it. */
static inline const char *path_of(const char *argument) { return argument + (*argument == '@'); }

/* The call must be refused. */
#define FAILS(call, detail) do { if ((long)(call) >= 0) broken(#call, detail); } while (0)
/* The condition must hold. */
#define HOLDS(condition) do { if (!(condition)) broken(#condition, strerror(errno)); } while (0)
#endif
