/* An interactor that misuses the one folder it may write to, by way of its output file (the second
 * argument that a testlib interactor is given; the way is the last). Afterwards: nothing outside is
 * read or written through it, and the folder is gone. */
#include "../programs/attack.h"
#include <libgen.h>
#include <sys/resource.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
    /* way and bait come first: they are part of the interactor's own command. */
    if (argc < 5) return 3;
    const char *way = argv[1], *bait = path_of(argv[2]), *output = argv[4];
    static char block[1 << 20];
    char folder[4096], path[4200];
    snprintf(folder, sizeof folder, "%s", output);
    dirname(folder);
    HOLDS(chdir(folder) == 0);
    if (!strcmp(way, "link")) {
        HOLDS(symlink(bait, output) == 0);
        HOLDS(symlink("/", "root") == 0 && symlink("..", "up") == 0);
        FAILS(open(output, O_WRONLY | O_TRUNC), "");
    }
    if (!strcmp(way, "fifo")) HOLDS(mkfifo(output, 0600) == 0);
    if (!strcmp(way, "folder")) HOLDS(mkdir(output, 0700) == 0);
    if (!strcmp(way, "hard-link")) {
        FAILS(link(bait, output), "");
        FAILS(link("/proc/self/exe", output), "");
    }
    if (!strcmp(way, "set-user-id")) {
        int fd = open(output, O_CREAT | O_WRONLY, 06777);
        HOLDS(fd >= 0 && write(fd, "#!/bin/sh\n", 10) == 10);
        FAILS(fchmod(fd, 06777), "");
        FAILS(mknod("device", S_IFCHR | 0666, 0x101), "");
    }
    if (!strcmp(way, "names"))
        for (int i = 0; i < 3000; i++) {
            snprintf(path, sizeof path, "name-%d", i);
            int fd = open(path, O_CREAT | O_WRONLY, 0600);
            HOLDS(fd >= 0);
            close(fd);
        }
    if (!strcmp(way, "deep"))
        for (int i = 0; i < 3000; i++) {
            HOLDS(mkdir("a-folder-with-a-long-name-so-that-paths-get-too-long-soon", 0700) == 0);
            HOLDS(chdir("a-folder-with-a-long-name-so-that-paths-get-too-long-soon") == 0);
        }
    if (!strcmp(way, "closed")) {
        /* A mode that keeps its owner out. */
        HOLDS(mkdir("closed", 0) == 0);
        umask(0777);
        HOLDS(mkdir("closed-too", 0777) == 0 && open("no-mode", O_CREAT | O_WRONLY, 0777) >= 0);
    }
    if (!strcmp(way, "sparse") || !strcmp(way, "large")) {
        int fd = open(output, O_CREAT | O_WRONLY, 0600);
        HOLDS(fd >= 0);
        signal(SIGXFSZ, SIG_IGN);
        if (!strcmp(way, "sparse")) FAILS(ftruncate(fd, 1L << 40), "");
        else while (write(fd, block, sizeof block) > 0) {}
        close(fd);
        truncate(output, 1 << 20) < 0 ? (void)perror("truncate") : (void)0;
    }
    char line[64];
    ssize_t got = read(0, line, sizeof line);
    return got == 5 && !memcmp(line, "safe\n", 5) ? 0 : 1;
}
