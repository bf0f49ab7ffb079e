/* An interactor that keeps what it knows in its memory, environment and descriptors, and the
 * secret of its last argument in its command line; it lets the contestant print what it likes, up
 * to the end, and accepts. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char kept[1 << 12], block[1 << 16];
    for (int i = 1; i < argc; i++) {
        int fd = open(argv[i], O_RDONLY);
        if (fd >= 0 && read(fd, kept, sizeof kept) < 0) return 3;
    }
    setenv("KNOWN", kept, 1);
    while (read(0, block, sizeof block) > 0) {}
    return kept[0] ? 0 : 3;
}
