/* Ends as its arguments say: `exit N`, `signal N`, or `pidfd` for SIGKILL to itself by descriptor.
 * Afterwards: the report names exactly that end. */
#include "attack.h"

int main(int argc, char **argv) {
    int n = argc > 2 ? atoi(argv[2]) : 0;
    if (argc > 1 && !strcmp(argv[1], "exit")) return n;
    if (argc > 1 && !strcmp(argv[1], "signal")) {
        signal(n, SIG_DFL);
        kill(getpid(), n);
    }
    if (argc > 1 && !strcmp(argv[1], "pidfd"))
        syscall(424 /* pidfd_send_signal */, syscall(434 /* pidfd_open */, getpid(), 0), SIGKILL, NULL, 0);
    pause();
    return 0;
}
