/* Sends SIGKILL to everything it may signal, to the sandbox's first process, and to its group's
 * neighbours. Afterwards: nothing outside has noticed. Where a pid namespace bounds it, it goes on
 * to say so; elsewhere it was stopped for the attempt. */
#include "attack.h"
#include <sys/prctl.h>

int main(void) {
    kill(1, SIGKILL);
    kill(1, SIGSTOP);
    kill(getppid(), SIGTERM);
    kill(-1, SIGSTOP);
    kill(-1, SIGKILL);
    for (int pid = 1; pid < 200; pid++)
        if (pid != getpid()) kill(pid, SIGKILL);
    return safe();
}
