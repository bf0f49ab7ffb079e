/* Tries to change a file that it may read and whose mode lets everyone write (first argument), and to
 * put something into a folder that is open to everyone (second), by roundabout ways: descriptors
 * opened again, links, /proc, mappings, splicing, file attributes. Afterwards: both are as before. */
#include "../programs/attack.h"
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/xattr.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <linux/fs.h>

static void opens_for_writing(const char *path) {
    FAILS(open(path, O_WRONLY), path);
    FAILS(open(path, O_RDWR | O_APPEND), path);
    FAILS(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666), path);
    FAILS(open(path, O_RDONLY | O_TRUNC), path);
    FAILS(creat(path, 0666), path);
    FAILS(truncate(path, 0), path);
}

static void again(int fd, const char *bait) {
    const char *forms[] = {"/proc/self/fd/%d", "/proc/thread-self/fd/%d", "/dev/fd/%d", "/proc/self/task/../fd/%d",
                           "/proc/self/root/proc/self/fd/%d"};
    char path[256];
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
        snprintf(path, sizeof path, forms[i], fd);
        opens_for_writing(path);
        FAILS(linkat(AT_FDCWD, path, AT_FDCWD, "planted", AT_SYMLINK_FOLLOW), path);
    }
    FAILS(linkat(fd, "", AT_FDCWD, "planted", AT_EMPTY_PATH), bait);
    FAILS(openat(fd, "", O_WRONLY), bait);
}

static void descriptor(const char *bait) {
    int fd = open(bait, O_RDONLY), path = open(bait, O_PATH), ends[2];
    unsigned long flags = 0x40 | 0x80; /* FS_NODUMP_FL, FS_NOATIME_FL */
    struct fsxattr attributes = {.fsx_xflags = 0x40};
    char *mapped;
    if (path >= 0) again(path, bait);
    if (fd < 0) return;
    again(fd, bait);
    FAILS(write(fd, "hostile", 7), bait);
    FAILS(pwrite(fd, "hostile", 7, 0), bait);
    FAILS(ftruncate(fd, 0), bait);
    FAILS(fallocate(fd, 0, 0, 4096), bait);
    HOLDS(mmap(0, 4096, PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED);
    mapped = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) {
        FAILS(mprotect(mapped, 4096, PROT_READ | PROT_WRITE), bait);
        FAILS(madvise(mapped, 4096, MADV_REMOVE), bait);
        /* A program may write to its own memory so, not to the file behind it. */
        int memory = open("/proc/self/mem", O_RDWR);
        if (memory >= 0 && pwrite(memory, "hostile", 7, (off_t)(size_t)mapped) > 0) broken("wrote through", "/proc/self/mem");
    }
    HOLDS(pipe(ends) == 0 && write(ends[1], "hostile", 7) == 7);
    FAILS(splice(ends[0], NULL, fd, NULL, 7, 0), bait);
    FAILS(copy_file_range(fd, NULL, fd, &(off_t){0}, 7, 0), bait);
    FAILS(sendfile(fd, fd, NULL, 7), bait);
    FAILS(ioctl(fd, FS_IOC_SETFLAGS, &flags), bait);
    FAILS(ioctl(fd, FS_IOC_FSSETXATTR, &attributes), bait);
    FAILS(ioctl(fd, FICLONE, fd), bait);
    FAILS(ioctl(fd, 0x40087602 /* FS_IOC_SETVERSION */, &flags), bait);
    FAILS(ioctl(fd, 0x40806685 /* FS_IOC_ENABLE_VERITY */, &flags), bait);
    FAILS(ioctl(fd, 0x5828 /* EXT4_IOC_... */, &flags), bait);
    FAILS(fchmod(fd, 0600), bait);
    FAILS(fsetxattr(fd, "user.hostile", "x", 1, 0), bait);
    FAILS(syscall(463 /* setxattrat */, fd, "", AT_EMPTY_PATH, "user.hostile", NULL, 0), bait);
    FAILS(syscall(469 /* file_setattr */, fd, "", NULL, 0, AT_EMPTY_PATH), bait);
}

static void folder(const char *open_folder) {
    char path[9000];
    snprintf(path, sizeof path, "%s/planted", open_folder);
    FAILS(open(path, O_CREAT | O_WRONLY, 0666), path);
    FAILS(mkdir(path, 0777), path);
    FAILS(mkfifo(path, 0666), path);
    FAILS(symlink("/etc/passwd", path), path);
    FAILS(link("/proc/self/exe", path), path);
    FAILS(syscall(SYS_renameat2, AT_FDCWD, "/proc/self/exe", AT_FDCWD, path, 0), path);
    FAILS(open(open_folder, 020000000 | O_DIRECTORY | O_RDWR, 0600), path); /* O_TMPFILE */
    snprintf(path, sizeof path, "%s/inside", open_folder);
    FAILS(unlink(path), path);
    FAILS(rename(path, "/tmp/planted"), path);
    FAILS(syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, "/dev/null", 2 /* exchange */), path);
    FAILS(rmdir(open_folder), open_folder);
    opens_for_writing(path);
}

int main(int argc, char **argv) {
    const char *before[] = {"", "/proc/self/root", "/proc/1/root", "/../..", "/usr/bin/../..", "/dev/fd/../../..",
                            "/proc/self/cwd/../../../.."};
    const char *own[] = {"/proc/self/oom_score_adj", "/proc/1/oom_score_adj", "/proc/sys/kernel/core_pattern",
                         "/proc/sys/fs/suid_dumpable", "/proc/sysrq-trigger", "/proc/1/mem", "/dev/mem", "/dev/kmsg",
                         "/dev/tty", "/dev/ptmx", "/dev/pts/ptmx", "/dev/shm/planted", "/sys/fs/cgroup/cgroup.procs",
                         "/proc/self/uid_map", "/proc/self/setgroups"};
    char path[8192];
    if (argc < 3) return 2;
    for (unsigned i = 0; i < sizeof before / sizeof *before; i++) {
        snprintf(path, sizeof path, "%s%s", before[i], path_of(argv[1]));
        opens_for_writing(path);
        descriptor(path);
        snprintf(path, sizeof path, "%s%s", before[i], path_of(argv[2]));
        folder(path);
    }
    for (unsigned i = 1; i < sizeof own / sizeof *own; i++) {
        int fd = open(own[i], O_WRONLY);
        if (fd >= 0 && write(fd, "1", 1) > 0) broken("wrote to", own[i]);
    }
    int adjust = open(own[0], O_WRONLY);
    if (adjust >= 0 && write(adjust, "-900", 4) > 0) broken("protected itself from", "the kernel's killer");
    return safe();
}
