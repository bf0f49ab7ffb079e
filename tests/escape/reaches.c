/* Uses one call (first argument) on a process that is not its own: the second argument is `parent`,
 * `neighbours` (all ids around its own that are not of its tree), or an id. Afterwards: that process
 * has noticed nothing. */
#include "../programs/attack.h"
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>

static char memory[64] = "hostile";

static long use(const char *way, pid_t pid) {
    struct iovec mine = {memory, 8}, theirs = {memory, 8};
    struct rlimit limit = {1, 1};
    struct sched_param param = {.sched_priority = 0};
    cpu_set_t set;
    siginfo_t info = {.si_code = SI_QUEUE, .si_signo = SIGUSR1};
    int fd = syscall(SYS_pidfd_open, pid, 0), number = SIGTERM;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    if (!strcmp(way, "kill")) return kill(pid, SIGKILL);
    if (!strcmp(way, "stop")) return kill(pid, SIGSTOP);
    if (!strcmp(way, "group")) return kill(-pid, number);
    if (!strcmp(way, "tkill")) return syscall(SYS_tkill, pid, number);
    if (!strcmp(way, "tgkill")) return syscall(SYS_tgkill, pid, pid, number);
    if (!strcmp(way, "queue")) return syscall(SYS_rt_sigqueueinfo, pid, SIGUSR1, &info);
    if (!strcmp(way, "tgqueue")) return syscall(SYS_rt_tgsigqueueinfo, pid, pid, SIGUSR1, &info);
    if (!strcmp(way, "pidfd")) return fd < 0 ? -1 : syscall(SYS_pidfd_send_signal, fd, number, NULL, 0);
    if (!strcmp(way, "attach")) return ptrace(PTRACE_ATTACH, pid, 0, 0);
    if (!strcmp(way, "seize")) return ptrace(PTRACE_SEIZE, pid, 0, 0);
    if (!strcmp(way, "vm-write")) return process_vm_writev(pid, &mine, 1, &theirs, 1, 0);
    if (!strcmp(way, "vm-read")) return process_vm_readv(pid, &mine, 1, &theirs, 1, 0);
    if (!strcmp(way, "descriptor")) return syscall(SYS_pidfd_getfd, fd, 0, 0);
    if (!strcmp(way, "enter")) return fd < 0 ? -1 : setns(fd, CLONE_NEWNS | CLONE_NEWPID);
    if (!strcmp(way, "limits")) return prlimit(pid, RLIMIT_NOFILE, &limit, NULL);
    if (!strcmp(way, "affinity")) return sched_setaffinity(pid, sizeof set, &set);
    if (!strcmp(way, "scheduler")) return sched_setscheduler(pid, SCHED_IDLE, &param);
    if (!strcmp(way, "priority")) return setpriority(PRIO_PROCESS, pid, 19);
    if (!strcmp(way, "priorities")) return setpriority(PRIO_USER, 0, 19);
    if (!strcmp(way, "io-priority")) return syscall(SYS_ioprio_set, 1, pid, 3 << 13);
    if (!strcmp(way, "migrate")) return syscall(SYS_migrate_pages, pid, 0, NULL, NULL);
    if (!strcmp(way, "compare")) return syscall(SYS_kcmp, pid, pid, 0, 0, 0);
    if (!strcmp(way, "robust")) {
        void *head;
        size_t length;
        return syscall(SYS_get_robust_list, pid, &head, &length);
    }
    if (!strcmp(way, "advise")) return fd < 0 ? -1 : syscall(440, fd, &theirs, 1, 21 /* MADV_PAGEOUT */, 0);
    if (!strcmp(way, "perf")) {
        struct perf_event_attr attributes = {.size = sizeof attributes};
        return syscall(SYS_perf_event_open, &attributes, pid, -1, -1, 0);
    }
    if (!strcmp(way, "owner")) {
        /* Input that arrives signals the owner of the descriptor. */
        int ends[2];
        if (pipe(ends) < 0 || fcntl(ends[0], F_SETFL, O_ASYNC) < 0) return -1;
        fcntl(ends[0], F_SETSIG, SIGKILL);
        fcntl(ends[0], F_SETOWN, pid);
        if (write(ends[1], "x", 1) < 0) perror("write");
        fcntl(ends[0], F_SETOWN, -pid);
        if (write(ends[1], "x", 1) < 0) perror("write");
        close(ends[0]);
        close(ends[1]);
        return -1;
    }
    if (!strcmp(way, "timer")) {
        timer_t timer;
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL | 4 /* THREAD_ID */, .sigev_signo = SIGUSR1};
        event._sigev_un._tid = pid;
        return timer_create(CLOCK_MONOTONIC, &event, &timer);
    }
    if (!strcmp(way, "memory-file") || !strcmp(way, "oom")) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/%s", pid, *way == 'm' ? "mem" : "oom_score_adj");
        int file = open(path, O_RDWR);
        return file < 0 ? -1 : write(file, "1000", 4);
    }
    broken("there is no way", way);
    return 0;
}

/* To the sandbox's first process, where it has the same user, a signal can be sent; the kernel drops
 * those that it does not expect. */
static void must_fail(const char *way, pid_t pid) {
    const char *signals[] = {"kill", "stop", "group", "tkill", "tgkill", "queue", "tgqueue", "pidfd"};
    long result = use(way, pid);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) if (pid == 1 && !strcmp(way, signals[i])) return;
    if (result >= 0) broken(way, "has reached somebody");
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    const char *way = argv[1];
    if (!strcmp(argv[2], "parent")) must_fail(way, getppid());
    else if (!strcmp(argv[2], "neighbours")) {
        for (int pid = getpid() - 40; pid < getpid() + 10; pid++)
            if (pid > 0 && pid != getpid()) must_fail(way, pid);
    } else {
        if (atoi(argv[2]) == getpid()) return safe();
        must_fail(way, atoi(argv[2]));
    }
    return safe();
}
