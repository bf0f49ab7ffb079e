/* Signals processes outside its own tree by the less common ways, in the range of ids around its
 * own: pidfd, signals on input (F_SETOWN), prlimit. Afterwards: nobody outside has noticed. */
#include "attack.h"
#include <sys/resource.h>

int main(void) {
    int ends[2];
    HOLDS(pipe(ends) == 0);
    fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
    fcntl(ends[0], F_SETSIG, SIGKILL);
    int self = getpid();
    for (int pid = self - 200; pid < self + 50; pid++) {
        if (pid <= 1 || pid == self) continue; /* the first is the sandbox's own */
        int fd = syscall(434 /* pidfd_open */, pid, 0);
        if (fd >= 0) {
            siginfo_t *none = NULL;
            if (syscall(424 /* pidfd_send_signal */, fd, 0, none, 0) == 0) broken("pidfd reaches", "a neighbour");
            close(fd);
        }
        fcntl(ends[0], F_SETOWN, pid);
        if (write(ends[1], "x", 1) < 0) perror("write");
        struct rlimit limit = {0, 0};
        FAILS(prlimit(pid, RLIMIT_CPU, &limit, NULL), "a neighbour");
        FAILS(prlimit(pid, RLIMIT_CPU, NULL, &limit), "a neighbour");
    }
    return safe();
}
