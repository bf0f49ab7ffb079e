/* Uses the calls for looking into and controlling other processes on its own child; the argument
 * says which. Afterwards: `vm-write` and `attach` have ended it, the rest was refused. */
#include "attack.h"
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    static char memory[16] = "untouched";
    struct iovec mine = {memory, 1}, theirs = {memory, 1};
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    if (!strcmp(what, "attach")) ptrace(PTRACE_ATTACH, child, 0, 0);
    if (!strcmp(what, "seize")) ptrace(PTRACE_SEIZE, child, 0, 0);
    if (!strcmp(what, "vm-write")) process_vm_writev(child, &mine, 1, &theirs, 1, 0);
    FAILS(ptrace(PTRACE_TRACEME, 0, 0, 0), "");
    FAILS(process_vm_readv(child, &mine, 1, &theirs, 1, 0), "");
    FAILS(prctl(PR_SET_DUMPABLE, 0), "");
    FAILS(prctl(PR_SET_SECCOMP, 1), "");
    FAILS(syscall(317 /* seccomp */, 0, 0, NULL), "");
    HOLDS(prctl(PR_SET_PDEATHSIG, SIGTERM) == 0);
    HOLDS(prctl(PR_SET_NAME, "a) Z 1 (b") == 0);
    HOLDS(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
    FAILS(prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0), "");
    kill(child, SIGTERM);
    return safe();
}
