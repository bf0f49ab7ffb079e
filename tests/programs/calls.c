/* Calls that a contestant has no use for. The argument says which: `sockets`, `namespaces`,
 * `numbers` (unknown ones and every known one without arguments, each in a child), `int80`, `x32`.
 * Afterwards: `int80` and `x32` have ended it, all else was refused or had no effect. */
#include "attack.h"
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/time.h>

static void sockets(void) {
    int pair[2];
    for (int family = 0; family < 48; family++)
        for (int kind = 1; kind <= 10; kind++) FAILS(socket(family, kind, 0), "");
    FAILS(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), "");
    HOLDS(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
}

static int nothing(void *unused) { return unused != NULL; }

static void namespaces(void) {
    static char stack[1 << 16];
    for (int bit = 0; bit < 32; bit++) {
        unsigned flag = 1u << bit;
        if (flag & (CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                    CLONE_NEWCGROUP)) {
            FAILS(unshare(flag), "");
            FAILS(clone(nothing, stack + sizeof stack, flag | SIGCHLD, NULL), "");
        }
    }
    FAILS(mount("none", "/tmp", "tmpfs", 0, NULL), "");
    FAILS(umount2("/proc", MNT_DETACH), "");
    FAILS(chroot("/usr"), "");
    FAILS(setns(0, 0), "");
    FAILS(sethostname("x", 1), "");
    FAILS(syscall(SYS_pivot_root, "/", "/"), "");
    FAILS(syscall(435 /* clone3 */, NULL, 0), "");
    FAILS(setuid(0), "");
    FAILS(setgid(0), "");
    FAILS(setresuid(0, 0, 0), "");
}

static void numbers(void) {
    /* Those that end a program. */
    const int skipped[] = {SYS_ptrace, SYS_process_vm_writev, SYS_init_module, SYS_finit_module, SYS_delete_module,
                           SYS_create_module, SYS_kexec_load, SYS_kexec_file_load, SYS_reboot,
                           /* Its child would hold it up past its alarm: a tracee does not die of one here. */
                           SYS_vfork};
    FAILS(syscall(-1), "");
    HOLDS(errno == ENOSYS);
    FAILS(syscall(9999), "");
    FAILS(syscall(0x3fffffff), "");
    for (int number = 0; number < 512; number++) {
        int skip = 0;
        for (unsigned i = 0; i < sizeof skipped / sizeof *skipped; i++) skip |= number == skipped[i];
        pid_t child = skip ? -1 : fork();
        if (child == 0) {
            int pid = getpid();
            struct itimerval soon = {.it_value = {.tv_usec = 20000}};
            signal(SIGALRM, SIG_DFL);
            setitimer(ITIMER_REAL, &soon, NULL);
            close(1);
            syscall(number, 0, 0, 0, 0, 0, 0);
            if (getpid() != pid) pause();
            _exit(0);
        }
        if (child > 0) waitpid(child, NULL, 0);
    }
    while (kill(-1, SIGKILL), waitpid(-1, NULL, WNOHANG) >= 0) usleep(1000);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "sockets")) sockets();
    if (!strcmp(what, "namespaces")) namespaces();
    if (!strcmp(what, "numbers")) numbers();
    if (!strcmp(what, "int80")) __asm__ volatile("int $0x80" ::"a"(20) : "memory");
    if (!strcmp(what, "x32")) syscall(0x40000000 | SYS_getpid);
    return safe();
}
