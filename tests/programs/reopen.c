/* Opens its standard streams again by name, in every way that programs do, after it has printed
 * already. Afterwards: every line has arrived, in order, once. */
#include "attack.h"

static void line(int fd, const char *text) {
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) {
        perror(text);
        _exit(20);
    }
}

int main(void) {
    char self[64];
    line(1, "one\n");
    FILE *file = fopen("/dev/stdout", "w");
    if (!file) return 2;
    fputs("two\n", file);
    fclose(file);
    line(creat("/dev/stdout", 0666), "three\n");
    line(open("/proc/self/fd/1", O_WRONLY | O_TRUNC), "four\n");
    line(open("/dev/fd/1", O_WRONLY | O_CREAT, 0666), "five\n");
    line(open("/proc/thread-self/fd/1", O_WRONLY | O_TRUNC | O_CREAT, 0666), "six\n");
    snprintf(self, sizeof self, "/proc/%d/fd/1", getpid());
    line(open(self, O_WRONLY), "seven\n");
    line(1, "eight\n");
    /* Not every user may read its own output or write its own input; nothing may come of it. */
    int own = open("/dev/stdin", O_RDWR);
    if (own >= 0) close(own);
    own = open("/dev/stdout", O_RDWR | O_TRUNC);
    if (own >= 0) close(own);
    line(1, "nine\n");
    return 0;
}
