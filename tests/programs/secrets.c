/* Reads the files of its arguments by every way there is: by name, through links, `..`, /proc and
 * descriptors that carry no right to read. Afterwards: it has read nothing. */
#include "attack.h"

static void must_not_open(const char *path) {
    char byte;
    int fd = open(path, O_RDONLY);
    if (fd >= 0) broken("opened", path);
    fd = open(path, O_PATH);
    if (fd < 0) return;
    char again[64];
    snprintf(again, sizeof again, "/proc/self/fd/%d", fd);
    int second = open(again, O_RDONLY);
    if (second >= 0 && read(second, &byte, 1) >= 0) broken("opened again", path);
    FAILS(openat(fd, "", O_RDONLY), path);
    FAILS(execveat(fd, "", (char *[]){"x", 0}, (char *[]){0}, AT_EMPTY_PATH), path);
}

int main(int argc, char **argv) {
    const char *before[] = {"", "/proc/self/root", "/proc/self/cwd/../../../../../..", "/proc/1/root",
                            "../../../../../../../..", "/proc/self/task/../root", "/proc/1/cwd/../../.."};
    char path[8192];
    for (int i = 1; i < argc; i++) {
        const char *secret = path_of(argv[i]);
        for (unsigned b = 0; b < sizeof before / sizeof *before; b++) {
            snprintf(path, sizeof path, "%s%s", before[b], secret);
            must_not_open(path);
        }
        FAILS(symlink(secret, "link-to-secret"), secret);
        FAILS(link(secret, "link-to-secret"), secret);
        FAILS(rename(secret, "secret"), secret);
    }
    return safe();
}
