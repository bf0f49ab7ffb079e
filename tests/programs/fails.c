/* Answers one line with `safe` and then fails in the way that its argument names. Afterwards: that
 * failure is the verdict, whatever the interactor makes of the end of its input. */
#include "attack.h"
#include <sys/mman.h>

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    static char block[1 << 16];
    if (read(0, block, sizeof block) <= 0) return 60;
    safe();
    if (!strcmp(way, "exit")) return 7;
    if (!strcmp(way, "crash")) abort();
    if (!strcmp(way, "spin")) for (;;) {}
    if (!strcmp(way, "sleep")) sleep(30);
    if (!strcmp(way, "forbidden")) syscall(SYS_process_vm_writev, getpid(), NULL, 0, NULL, 0, 0);
    if (!strcmp(way, "memory")) {
        size_t bytes = 400 << 20;
        char *memory = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
    }
    if (!strcmp(way, "flood")) {
        /* Only when all that the interactor wanted was said. */
        for (int i = 0; i < 2; i++) {
            if (read(0, block, sizeof block) <= 0) return 61;
            safe();
        }
        for (;;)
            if (write(1, block, sizeof block) <= 0) _exit(0);
    }
    return 0;
}
