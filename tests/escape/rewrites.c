/* Treats its standard output as the file that it is (argument), after the interactor has had its
 * first line. Afterwards: the interactor was given what lay in the file when it was given it, once
 * and in order, whatever was done to the file behind that. */
#include "../programs/attack.h"
#include <sys/mman.h>
#include <sys/resource.h>

static char block[1 << 16];

static void line(const char *text) {
    if (write(1, text, strlen(text)) != (ssize_t)strlen(text)) _exit(20);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    line("one\n");
    /* The interactor answers when it has it. */
    if (read(0, block, sizeof block) <= 0) return 21;
    fcntl(1, F_SETFL, 0); /* no longer O_APPEND */
    if (!strcmp(way, "behind")) {
        if (pwrite(1, "ONE\n", 4, 0) < 0) return 22;
        lseek(1, 4, SEEK_SET);
    }
    if (!strcmp(way, "truncate")) {
        if (ftruncate(1, 0) == 0 || truncate("/dev/stdout", 0) == 0) return 23;
        int again = open("/proc/self/fd/1", O_WRONLY | O_TRUNC);
        if (again >= 0) close(again);
        lseek(1, 4, SEEK_SET);
    }
    if (!strcmp(way, "map")) {
        /* Only its owner may open it for reading as well. */
        int again = open("/dev/stdout", O_RDWR);
        char *mapped = again < 0 ? MAP_FAILED : mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0);
        if (mapped != MAP_FAILED) memcpy(mapped, "ONE\nTWO\n", 8);
        lseek(1, 4, SEEK_SET);
    }
    if (!strcmp(way, "punch")) {
        /* What was delivered was delivered. */
        if (fallocate(1, 3 /* punch a hole */, 0, 4096) == 0) return 24;
        if (fallocate(1, 0x10 | 1 /* zero a range */, 0, 4) == 0) return 25;
        lseek(1, 4, SEEK_SET);
    }
    if (!strcmp(way, "reserve")) {
        /* Pages beyond the end would be memory that no figure shows. */
        signal(SIGXFSZ, SIG_IGN);
        if (fallocate(1, 1 /* keep the size */, 0, 1L << 29) == 0) return 26;
        lseek(1, 4, SEEK_SET);
    }
    if (!strcmp(way, "hole")) lseek(1, 100000, SEEK_SET);
    if (!strcmp(way, "grow")) {
        if (ftruncate(1, 100000) < 0) return 27;
        lseek(1, 100000, SEEK_SET);
    }
    if (!strcmp(way, "beyond")) {
        signal(SIGXFSZ, SIG_IGN);
        if (ftruncate(1, 1L << 40) == 0 || pwrite(1, "x", 1, 1L << 40) > 0) return 28;
        if (fallocate(1, 0, 0, 1L << 40) == 0) return 29;
        lseek(1, 4, SEEK_SET);
    }
    if (!strcmp(way, "limit")) {
        struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
        if (setrlimit(RLIMIT_FSIZE, &none) == 0) return 30;
        lseek(1, 4, SEEK_SET);
    }
    line("two\n");
    return 0;
}
