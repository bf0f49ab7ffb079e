/* Leaves dead children unreaped, some of them grandchildren that were handed to the sandbox's
 * first process, and daemons that outlive it. Afterwards: accepted, and nothing is left. */
#include "attack.h"

int main(void) {
    for (int i = 0; i < 40; i++) {
        pid_t child = fork();
        if (child == 0) {
            if (fork() == 0) _exit(3);
            _exit(4);
        }
        if (child < 0) break;
        /* One at a time: the limit counts who is alive. */
        siginfo_t info;
        waitid(P_PID, child, &info, WEXITED | WNOWAIT);
    }
    for (int i = 0; i < 2; i++) {
        pid_t middle = fork();
        if (middle == 0) {
            setsid();
            if (fork() == 0) {
                setsid();
                signal(SIGTERM, SIG_IGN);
                signal(SIGHUP, SIG_IGN);
                for (;;) sleep(30);
            }
            _exit(0);
        }
        if (middle > 0) waitpid(middle, NULL, 0);
    }
    return safe();
}
