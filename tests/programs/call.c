/* Makes system calls as its arguments say, one after the other, and tells on standard error which
 * came out otherwise. An argument is NUMBER=ERRNO, or NUMBER=any where the outcome does not matter,
 * and may end in :PLACE=VALUE for one argument of the call; all others are -1, which is no file, no
 * process, and no place in memory. Numbers may be written as in C. A word with a slash in it is not
 * for this program but for an interactor.
 * Afterwards: it exits with 0 if every call came out as it was to, and has been ended by one that
 * is forbidden. */
#include "attack.h"

int main(int argc, char **argv) {
    int wrong = 0;
    for (int i = 1; i < argc; i++) {
        if (strchr(argv[i], '/')) continue;
        long args[6] = {-1, -1, -1, -1, -1, -1};
        char *rest;
        long number = strtoul(argv[i], &rest, 0);
        int any = !strncmp(rest, "=any", 4);
        int wanted = any ? 0 : strtol(rest + 1, &rest, 0);
        if (any) rest += 4;
        if (*rest == ':') {
            int place = strtol(rest + 1, &rest, 0);
            args[place] = strtoul(rest + 1, &rest, 0);
        }
        errno = 0;
        long result = syscall(number, args[0], args[1], args[2], args[3], args[4], args[5]);
        if (!any && (result != -1 || errno != wanted)) {
            dprintf(2, "%s: %ld, errno %d\n", argv[i], result, errno);
            wrong = 1;
        }
    }
    return wrong;
}
