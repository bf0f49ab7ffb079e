/* Looks for other processes in /proc: arguments, environment, memory, descriptors, folders.
 * Afterwards: it has learned of none, not even of the sandbox's own first process. */
#include "attack.h"
#include <dirent.h>

int main(void) {
    const char *files[] = {"cmdline", "environ", "mem", "maps", "fd/0", "fd/1", "fd/3", "fd/4", "auxv",
                           "cwd/.", "root/.", "exe", "io", "stack", "syscall", "pagemap", "mountinfo"};
    char path[64], byte;
    for (int pid = 1; pid < 3000; pid++) {
        if (pid == getpid()) continue;
        for (unsigned f = 0; f < sizeof files / sizeof *files; f++) {
            snprintf(path, sizeof path, "/proc/%d/%s", pid, files[f]);
            int fd = open(path, O_RDONLY);
            if (fd < 0) continue;
            if (read(fd, &byte, 1) > 0 || errno == EISDIR) broken("read", path);
            close(fd);
        }
    }
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        int fd = atoi(entry->d_name);
        if (fd > 2 && fd != dirfd(folder)) broken("inherited descriptor", entry->d_name);
    }
    /* Also where there is no /proc. */
    if (folder) closedir(folder);
    for (int fd = 3; fd < 1024; fd++) FAILS(fcntl(fd, F_GETFD), "inherited descriptor");
    extern char **environ;
    for (char **line = environ; *line; line++)
        if (strstr(*line, "REJOINDER")) broken("environment", *line);
    return safe();
}
