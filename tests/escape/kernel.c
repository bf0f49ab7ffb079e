/* Calls into corners of the kernel that no solution needs, with arguments that would work. With an
 * argument, only the call of that name, which ends it. Afterwards: every one was refused, and the
 * report says so. */
#include "../programs/attack.h"
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>

static void ends_here(const char *what) {
    if (!strcmp(what, "init_module")) syscall(SYS_init_module, "x", 1, "");
    if (!strcmp(what, "finit_module")) syscall(SYS_finit_module, 0, "", 0);
    if (!strcmp(what, "delete_module")) syscall(SYS_delete_module, "x", 0);
    if (!strcmp(what, "kexec_load")) syscall(SYS_kexec_load, 0, 0, NULL, 0);
    if (!strcmp(what, "kexec_file_load")) syscall(SYS_kexec_file_load, 0, 0, 0, NULL, 0);
    if (!strcmp(what, "reboot")) syscall(SYS_reboot, 0, 0, 0, NULL);
    broken("went on after", what);
}

int main(int argc, char **argv) {
    static char block[4096];
    struct sched_param param = {.sched_priority = 1};
    struct perf_event_attr perf = {.type = PERF_TYPE_SOFTWARE, .size = sizeof perf, .exclude_kernel = 1};
    union bpf_attr bpf = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    struct { unsigned entry; unsigned long base; unsigned limit, flags; } segment = {0};
    unsigned long all[16];
    if (argc > 1) ends_here(argv[1]);
    memset(all, 0xff, sizeof all);
    FAILS(syscall(425 /* io_uring_setup */, 4, block), "");
    FAILS(syscall(SYS_userfaultfd, O_CLOEXEC | 1), "");
    FAILS(syscall(SYS_bpf, BPF_MAP_CREATE, &bpf, sizeof bpf), "");
    FAILS(syscall(SYS_perf_event_open, &perf, 0, -1, -1, 0), "");
    FAILS(syscall(SYS_keyctl, 1 /* join a session keyring */, NULL), "");
    FAILS(syscall(SYS_add_key, "user", "x", "x", 1, -2), "");
    FAILS(syscall(SYS_request_key, "user", "x", "", -2), "");
    FAILS(syscall(SYS_modify_ldt, 1, &segment, sizeof segment), "");
    FAILS(syscall(SYS_modify_ldt, 0, block, 16), "");
    FAILS(personality(ADDR_NO_RANDOMIZE), "");
    FAILS(personality(PER_LINUX32), "");
    HOLDS(personality(0xffffffff) >= 0);
    FAILS(syscall(SYS_memfd_create, "x", 0), "");
    FAILS(syscall(SYS_shmget, IPC_PRIVATE, 4096, 0600), "");
    FAILS(syscall(SYS_msgget, IPC_PRIVATE, 0600), "");
    FAILS(syscall(SYS_semget, IPC_PRIVATE, 1, 0600), "");
    FAILS(syscall(SYS_mq_open, "x", O_CREAT | O_RDWR, 0600, NULL), "");
    FAILS(syscall(SYS_fanotify_init, 0, 0), "");
    FAILS(syscall(SYS_io_setup, 4, block), "");
    FAILS(syscall(SYS_seccomp, 1, 0, block), "");
    FAILS(syscall(444 /* landlock_create_ruleset */, NULL, 0, 1), "");
    FAILS(syscall(SYS_name_to_handle_at, AT_FDCWD, "/", block, all, 0), "");
    FAILS(syscall(SYS_open_by_handle_at, AT_FDCWD, block, 0), "");
    FAILS(syscall(SYS_unshare, CLONE_NEWUSER), "");
    FAILS(syscall(SYS_setns, 0, 0), "");
    FAILS(syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL), "");
    FAILS(syscall(428 /* open_tree */, AT_FDCWD, "/", 1), "");
    FAILS(syscall(430 /* fsopen */, "tmpfs", 0), "");
    FAILS(syscall(442 /* mount_setattr */, AT_FDCWD, "/", 0, block, 32), "");
    FAILS(syscall(SYS_pivot_root, "/", "/"), "");
    FAILS(syscall(SYS_chroot, "/"), "");
    FAILS(syscall(SYS_quotactl, 0x800001 << 8, "/dev/vda", 0, block), "");
    FAILS(syscall(SYS_acct, NULL), "");
    FAILS(syscall(SYS_syslog, 3, block, sizeof block), "");
    FAILS(syscall(SYS_iopl, 3), "");
    FAILS(syscall(SYS_ioperm, 0, 1, 1), "");
    FAILS(syscall(SYS_sethostname, "x", 1), "");
    FAILS(sched_setscheduler(0, SCHED_FIFO, &param), "");
    FAILS(sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0}), "");
    FAILS(sched_setparam(0, &param), "");
    FAILS(syscall(314 /* sched_setattr */, 0, block, 0), "");
    FAILS(syscall(SYS_sched_setaffinity, 0, sizeof all, all), "");
    FAILS(setpriority(PRIO_PROCESS, 0, -5), "");
    FAILS(setpriority(PRIO_PGRP, 0, 5), "");
    FAILS(syscall(SYS_ioprio_set, 1, 0, 1 << 13), "");
    FAILS(syscall(SYS_ptrace, 0, 0, 0, 0), "");
    return safe();
}
