/* Prints all that it can read: the files of its arguments (`@` before one hides it from the judge),
 * then every file that it can find from the root on, the system's own folders left out, and what
 * processes show of themselves. Afterwards: none of the secrets is in it. */
#include "../programs/attack.h"
#include <dirent.h>
#include <sys/stat.h>

static char block[1 << 16];
static int left = 20000;

static void print_file(const char *path) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return;
    for (int i = 0; i < 4; i++) {
        ssize_t got = read(fd, block, sizeof block);
        if (got <= 0 || write(1, block, got) != got) break;
    }
    close(fd);
}

static void print_folder(const char *path, int depth) {
    const char *skipped[] = {"/usr", "/nix", "/sys", "/proc/sys", "/proc/kpagecount", "/proc/kpageflags",
                             "/proc/kcore", "/lib", "/bin", "/sbin", "/proc/bus", "/proc/irq", "/proc/fs"};
    for (unsigned i = 0; i < sizeof skipped / sizeof *skipped; i++) if (!strcmp(path, skipped[i])) return;
    DIR *folder = depth > 0 ? opendir(*path ? path : "/") : NULL;
    for (struct dirent *entry; folder && left > 0 && (entry = readdir(folder));) {
        char name[4096];
        struct stat stat;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (lstat(name, &stat) < 0) continue;
        left--;
        dprintf(1, "\n%s\n", name);
        if (S_ISLNK(stat.st_mode)) {
            ssize_t got = readlink(name, block, sizeof block);
            if (got > 0 && write(1, block, got) != got) return;
            if (!strncmp(path, "/proc", 5)) print_file(name);
        }
        if (S_ISDIR(stat.st_mode)) print_folder(name, depth - 1);
        if (S_ISREG(stat.st_mode)) print_file(name);
    }
    if (folder) closedir(folder);
}

int main(int argc, char **argv) {
    const char *before[] = {"", "/proc/self/root", "/proc/self/cwd/../../../..", "/proc/1/root", "/proc/1/cwd/../../../.."};
    char path[8192];
    for (int i = 1; i < argc; i++)
        for (unsigned b = 0; b < sizeof before / sizeof *before; b++) {
            snprintf(path, sizeof path, "%s%s", before[b], path_of(argv[i]));
            print_file(path);
        }
    print_folder(".", 4);
    print_folder("..", 4);
    print_folder("", 8);
    /* Where folders cannot be listed, the numbers can be guessed. */
    const char *files[] = {"cmdline", "environ", "maps", "auxv", "status", "mountinfo", "fd/0", "fd/3", "fd/4", "fd/5",
                           "cwd/input.txt", "cwd/closed.txt", "task/1/environ"};
    for (int pid = 1; pid < 40000 && pid < getpid() + 300; pid++) {
        if (pid < getpid() - 300 && pid != 1) continue;
        for (unsigned f = 0; f < sizeof files / sizeof *files; f++) {
            snprintf(path, sizeof path, "/proc/%d/%s", pid, files[f]);
            print_file(path);
        }
    }
    return safe();
}
