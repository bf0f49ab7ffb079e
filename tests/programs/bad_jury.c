/* An interactor that fails in the way that its first argument names, after it has asked and read one line.
 * Afterwards: judge-error; the contestant is never blamed. */
#include "attack.h"
#include <sys/mman.h>

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    char block[1 << 12];
    if (strcmp(way, "at-once")) dprintf(1, "?\n");
    if (strcmp(way, "at-once") && read(0, block, sizeof block) <= 0) return 3;
    if (!strcmp(way, "exit")) return atoi(argv[2]);
    if (!strcmp(way, "signal")) kill(getpid(), atoi(argv[2]));
    if (!strcmp(way, "spin")) for (;;) {}
    if (!strcmp(way, "sleep")) sleep(30);
    if (!strcmp(way, "naps")) for (;;) {
        usleep(2000);
        for (volatile int i = 0; i < 20000; i++) {}
    }
    if (!strcmp(way, "memory")) {
        size_t bytes = 400 << 20;
        char *memory = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
    }
    if (!strcmp(way, "flood")) for (;;)
        if (write(1, block, sizeof block) <= 0) _exit(0);
    if (!strcmp(way, "forbidden")) syscall(SYS_process_vm_writev, getpid(), NULL, 0, NULL, 0, 0);
    if (!strcmp(way, "children")) for (;;) if (fork() == 0) for (;;) {}
    if (!strcmp(way, "at-once")) return 3;
    return 0;
}
