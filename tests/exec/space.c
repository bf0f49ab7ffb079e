/* Takes address space in the way that its first word names. Amounts are in MiB. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1L << 20)
#define PAGE 4096L

static void *map(long bytes) {
    return mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void must(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "not so: %s (%s)\n", what, strerror(errno));
    exit(3);
}

static unsigned long state;

static long below(long bound) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (long)((state >> 33) % (unsigned long)bound);
}

struct region {
    long at, length;
};

/* A sequence of calls that depends on nothing but the seed and on which of them succeed. Says of
 * each whether it did. */
static void sequence(long seed, long calls, long limit) {
    static struct region regions[64];
    static char text[1 << 16];
    int count = 0;
    size_t end = 0;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    state = (unsigned long)seed;
    for (long i = 0; i < calls; i++) {
        long kind = below(9), length = (1 + below(limit * 256 / 3)) * PAGE;
        struct region *old = count > 0 ? &regions[below(count)] : NULL;
        long got = 0;
        if (kind < 2 && count < 64) {
            got = syscall(SYS_mmap, 0L, length, PROT_READ, flags | (below(4) ? 0 : MAP_NORESERVE), -1, 0);
            if (got != -1) regions[count++] = (struct region){got, length};
        } else if (kind == 2 && old) {
            long part = below(2) ? old->length : (1 + below(old->length / PAGE)) * PAGE;
            got = syscall(SYS_munmap, old->at, part);
            if (got == 0) {
                old->at += part;
                old->length -= part;
                if (old->length == 0) *old = regions[--count];
            }
        } else if (kind == 3 && old) {
            got = syscall(SYS_mremap, old->at, old->length, length, MREMAP_MAYMOVE, 0L);
            if (got != -1) *old = (struct region){got, length};
        } else if (kind == 4) {
            static long begin;
            if (begin == 0) begin = syscall(SYS_brk, 0L);
            long wanted = begin + below(limit * MIB / 2);
            got = syscall(SYS_brk, wanted) == wanted ? 0 : -1;
        } else if (kind == 5 && old) {
            got = syscall(SYS_mprotect, old->at, (1 + below(old->length / PAGE)) * PAGE,
                          below(2) ? PROT_NONE : PROT_READ);
        } else if (kind == 6 && old) {
            /* In the place of a whole mapping, or of its beginning. */
            long part = (1 + below(old->length / PAGE)) * PAGE;
            got = syscall(SYS_mmap, old->at, part, PROT_READ, flags | MAP_FIXED, -1, 0);
        } else if (kind == 7 && old) {
            /* Moved to a place that was free, with its old place kept. */
            got = syscall(SYS_mremap, old->at, old->length, old->length,
                          MREMAP_MAYMOVE | MREMAP_DONTUNMAP, 0L);
            if (got != -1 && count < 64) regions[count++] = (struct region){got, old->length};
            else if (got != -1) syscall(SYS_munmap, got, old->length);
        } else if (kind == 8 && count < 64) {
            got = syscall(SYS_mmap, 0L, length, PROT_READ | PROT_WRITE, flags | MAP_GROWSDOWN, -1, 0);
            if (got != -1) regions[count++] = (struct region){got, length};
        }
        end += (size_t)snprintf(text + end, sizeof text - end, "%ld %ld %s\n", kind, length / PAGE,
                                got == -1 ? "fails" : "succeeds");
        if (end > sizeof text - 100) break;
    }
    (void)!write(1, text, end);
    _exit(0);
}

static void *nothing(void *none) {
    return none;
}

int main(int count, char **words) {
    if (count < 2) return 2;
    const char *way = words[1];
    long mib = count > 2 ? atol(words[2]) : 0;
    if (!strcmp(way, "sequence")) {
        sequence(atol(words[3]), atol(words[4]), mib);
    } else if (!strcmp(way, "bare-sequence")) {
        /* By the kernel's own limit, which holds from the start of a program. */
        struct rlimit limit = {(rlim_t)(mib * MIB), (rlim_t)(mib * MIB)};
        must(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit");
        execl(words[0], words[0], "sequence", words[2], words[3], words[4], (char *)NULL);
        must(0, "exec");
    } else if (!strcmp(way, "reserve")) {
        must(mmap(NULL, (size_t)(mib * MIB), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                  -1, 0) != MAP_FAILED, "mmap");
    } else if (!strcmp(way, "fail")) {
        if (map(mib * MIB) == MAP_FAILED) return errno == ENOMEM ? 1 : 3;
    } else if (!strcmp(way, "crash")) {
        volatile char *memory = malloc((size_t)(mib * MIB));
        memory[0] = 1;
    } else if (!strcmp(way, "cope")) {
        must(map(mib * MIB) == MAP_FAILED, "too much is refused");
        must(map(MIB) != MAP_FAILED, "a little is granted");
    } else if (!strcmp(way, "later")) {
        /* What was refused is granted once there is room; then it fails for another reason. */
        void *first = map(mib * MIB);
        must(first != MAP_FAILED, "once");
        must(map(mib * MIB) == MAP_FAILED, "not twice");
        must(munmap(first, (size_t)(mib * MIB)) == 0, "munmap");
        must(map(mib * MIB) != MAP_FAILED, "once more");
        return 7;
    } else if (!strcmp(way, "brk")) {
        /* A heap whose end lies within a page. */
        must(sbrk(100) != (void *)-1, "a little");
        char *before = sbrk(0);
        must(sbrk(mib * MIB) == (void *)-1, "too much");
        must(sbrk(0) == before, "the heap is as it was");
        must(sbrk(100) == before, "it goes on where it was");
        char *memory = malloc(300000);
        must(memory != NULL, "malloc");
        memset(memory, 1, 300000);
    } else if (!strcmp(way, "remap")) {
        void *small = map(MIB);
        must(mremap(small, MIB, (size_t)(mib * MIB), MREMAP_MAYMOVE) == MAP_FAILED, "grown too much");
        must(mremap(small, MIB, MIB / 2, 0) == small, "shrunk");
        must(mremap(small, MIB / 2, 2 * MIB, MREMAP_MAYMOVE) != MAP_FAILED, "grown a little");
    } else if (!strcmp(way, "replace")) {
        /* What replaces a mapping takes nothing more. */
        char *all = map(mib * MIB);
        must(all != MAP_FAILED, "nearly all");
        must(mmap(all, (size_t)(mib * MIB), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                  0) == all, "in its place");
        must(map(mib * MIB) == MAP_FAILED, "not twice");
    } else if (!strcmp(way, "shared")) {
        must(shmget(IPC_PRIVATE, (size_t)(mib * MIB), IPC_CREAT | 0600) == -1, "shmget");
    } else if (!strcmp(way, "thread")) {
        /* The stack of a thread is address space. */
        pthread_t thread;
        pthread_attr_t large;
        pthread_attr_init(&large);
        pthread_attr_setstacksize(&large, (size_t)(mib * MIB));
        must(pthread_create(&thread, &large, nothing, NULL) == EAGAIN, "too large a stack");
        pthread_attr_setstacksize(&large, MIB);
        must(pthread_create(&thread, &large, nothing, NULL) == 0, "a small stack");
        pthread_join(thread, NULL);
    } else if (!strcmp(way, "each")) {
        /* Each process has a limit of its own. */
        for (int i = 0; i < 4; i++)
            if (fork() == 0) {
                must(map(mib * MIB) != MAP_FAILED, "one for each");
                usleep(100000);
                _exit(0);
            }
        for (int i = 0, status; i < 4; i++)
            must(wait(&status) > 0 && status == 0, "a child succeeds");
    } else if (!strcmp(way, "vfork")) {
        must(map(mib * MIB) != MAP_FAILED, "once");
        if (vfork() == 0) {
            execl(words[0], words[0], "cope", "100000", (char *)NULL);
            _exit(4);
        }
        int status;
        must(wait(&status) > 0 && status == 0, "a new program has a new address space");
    } else {
        return 2;
    }
    puts("done");
    return 0;
}
