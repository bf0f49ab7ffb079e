/* Changes files: its arguments are folders to write into, then `--`, then files to change. In each
 * folder it tries to make every kind of entry; of each file it tries to change the content, the
 * name, the mode, the owner, the times. Afterwards: nothing has changed. */
#include "attack.h"
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>

#ifndef O_TMPFILE
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif

static void in_folder(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/rejoinder-hostile-mark", folder);
    FAILS(open(path, O_CREAT | O_WRONLY, 0666), path);
    FAILS(creat(path, 0666), path);
    FAILS(open(folder, O_TMPFILE | O_RDWR, 0600), path);
    FAILS(mkdir(path, 0777), path);
    FAILS(mkfifo(path, 0666), path);
    FAILS(mknod(path, S_IFREG | 0666, 0), path);
    FAILS(symlink("/etc/passwd", path), path);
    FAILS(link("/proc/self/exe", path), path);
    FAILS(linkat(AT_FDCWD, "/proc/self/fd/0", AT_FDCWD, path, AT_SYMLINK_FOLLOW), path);
    FAILS(chmod(folder, 0777), path);
    FAILS(utimes(folder, NULL), path);
}

static void file(const char *path) {
    char other[4096];
    snprintf(other, sizeof other, "%s-hostile", path);
    FAILS(open(path, O_WRONLY), path);
    FAILS(open(path, O_RDWR), path);
    FAILS(open(path, O_RDONLY | O_TRUNC), path);
    FAILS(truncate(path, 0), path);
    FAILS(unlink(path), path);
    FAILS(rename(path, other), path);
    FAILS(link(path, other), path);
    FAILS(chmod(path, 0), path);
    FAILS(fchmodat(AT_FDCWD, path, 0, 0), path);
    FAILS(syscall(452, AT_FDCWD, path, 0, 0), path); /* fchmodat2 */
    FAILS(chown(path, geteuid(), getegid()), path);
    FAILS(utimensat(AT_FDCWD, path, NULL, 0), path);
    FAILS(utimes(path, NULL), path);
    FAILS(setxattr(path, "user.x", "1", 1, 0), path);
    int fd = open(path, O_RDONLY);
    if (fd < 0) return;
    FAILS(fchmod(fd, 0), path);
    FAILS(fchown(fd, geteuid(), getegid()), path);
    FAILS(futimens(fd, NULL), path);
    FAILS(ftruncate(fd, 0), path);
    close(fd);
}

int main(int argc, char **argv) {
    int i = 1;
    for (; i < argc && strcmp(argv[i], "--"); i++) in_folder(path_of(argv[i]));
    for (i++; i < argc; i++) file(path_of(argv[i]));
    return safe();
}
