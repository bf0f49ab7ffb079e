/* Prints so many bytes (first argument), in pieces of so many (second), ignoring (`ignore`) or
 * blocking (`block`) SIGXFSZ if the third says so, to stderr if the fourth says `2`. Afterwards:
 * accepted up to its output limit, over it from the next byte on. */
#include "attack.h"

int main(int argc, char **argv) {
    if (argc < 3) return 50;
    long total = atol(argv[1]), piece = atol(argv[2]);
    int fd = argc > 4 ? atoi(argv[4]) : 1;
    if (argc > 3 && !strcmp(argv[3], "ignore")) signal(SIGXFSZ, SIG_IGN);
    if (argc > 3 && !strcmp(argv[3], "block")) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGXFSZ);
        sigprocmask(SIG_BLOCK, &set, NULL);
    }
    char *block = malloc(piece);
    memset(block, 'x', piece);
    while (total > 0) {
        ssize_t written = write(fd, block, piece < total ? piece : total);
        if (written <= 0) return 0;
        total -= written;
    }
    if (fd == 2) return safe();
    return 0;
}
