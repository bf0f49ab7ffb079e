/* Uses memory in the way that its first argument names, as many MiB as the second says, and goes
 * on if it can. Afterwards: over its limit, whatever the way; or accepted, if the sum is within it. */
#include "attack.h"
#include <alloca.h>
#include <spawn.h>
#include <sys/mman.h>

static void touch(char *memory, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
}

static void on_the_stack(size_t left) {
    volatile char *part = alloca(1 << 20);
    touch((char *)part, 1 << 20);
    if (left > 1) on_the_stack(left - 1);
    part[0] = 2;
}

static char *mapped(size_t bytes, int flags) {
    char *memory = mmap(0, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) exit(3);
    touch(memory, bytes);
    return memory;
}

static void borrow(int up, size_t bytes) {
    if (vfork() == 0) {
        if (write(up, "x", 1) < 0) _exit(1);
        usleep(50000);
        mapped(bytes, MAP_PRIVATE);
        usleep(700000);
    }
    _exit(0);
}

static void hold_up(void) {
    if (vfork() == 0) {
        usleep(100000);
        _exit(0);
    }
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "malloc";
    size_t mib = argc > 2 ? atol(argv[2]) : 400;
    const size_t bytes = mib << 20;
    if (!strcmp(way, "nothing")) return 0;
    if (!strcmp(way, "malloc")) {
        char *memory = malloc(bytes);
        if (!memory) return 3;
        touch(memory, bytes);
    }
    if (!strcmp(way, "private")) mapped(bytes, MAP_PRIVATE);
    if (!strcmp(way, "shared")) mapped(bytes, MAP_SHARED);
    if (!strcmp(way, "stack")) on_the_stack(mib);
    if (!strcmp(way, "children")) {
        /* Each within the limit, their sum not. */
        for (int i = 0; i < 4; i++)
            if (fork() == 0) {
                mapped(bytes / 4, MAP_PRIVATE);
                sleep(1);
                _exit(0);
            }
        while (wait(NULL) > 0) {}
    }
    if (!strcmp(way, "child-only")) {
        /* The child is over the limit; the parent waits for ever. */
        if (fork() == 0) {
            mapped(bytes, MAP_PRIVATE);
            _exit(0);
        }
        wait(NULL);
        for (;;) pause();
    }
    if (!strcmp(way, "cow")) {
        /* What a fork shares is there once. */
        mapped(bytes, MAP_PRIVATE);
        for (int i = 0; i < 3; i++)
            if (fork() == 0) {
                usleep(200000);
                _exit(0);
            }
        while (wait(NULL) > 0) {}
    }
    if (!strcmp(way, "spawn")) {
        /* A child of vfork has its parent's memory, not a second one. */
        mapped(bytes, MAP_PRIVATE);
        for (int i = 0; i < 200; i++) {
            pid_t child;
            char *args[] = {argv[0], "nothing", NULL};
            if (posix_spawn(&child, argv[0], NULL, NULL, args, NULL) == 0) waitpid(child, NULL, 0);
        }
    }
    if (!strcmp(way, "left-behind")) {
        /* The same, and it ends while the other lives. */
        mapped(bytes, MAP_PRIVATE);
        if (fork() == 0) for (;;) pause();
        for (volatile long i = 0; i < 60000000; i++) {}
    }
    if (!strcmp(way, "killed-lender")) {
        /* A child of vfork keeps the memory of a parent that was killed. */
        int up[2];
        char byte;
        if (pipe(up) < 0) return 2;
        pid_t lender = fork();
        if (lender == 0) borrow(up[1], bytes);
        if (read(up[0], &byte, 1) < 0) return 3;
        kill(lender, SIGKILL);
        waitpid(lender, NULL, 0);
        usleep(900000);
    }
    if (!strcmp(way, "vfork")) {
        mapped(bytes, MAP_PRIVATE);
        hold_up();
    }
    if (!strcmp(way, "memfd")) {
        FAILS(syscall(SYS_memfd_create, "x", 0), "");
        FAILS(syscall(447 /* memfd_secret */, 0), "");
        FAILS(syscall(SYS_shmget, 0, bytes, 01600), "");
    }
    if (!strcmp(way, "then-exec")) {
        mapped(bytes, MAP_PRIVATE);
        execl(argv[0], argv[0], "done", (char *)NULL);
    }
    return safe();
}
