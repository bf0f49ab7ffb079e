/* Damages what a look into its memory goes by, in the way that its argument names. It says "ready"
 * on descriptor 2 and waits for input, without ever touching its streams again. */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern FILE *_IO_list_all;
extern char __executable_start;
extern ElfW(Dyn) _DYNAMIC[];

static void *take(size_t size) {
    void *at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) _exit(5);
    return at;
}

/* A stream that looks right. */
static FILE *forged(int descriptor, FILE *next) {
    FILE *file = take(4096);
    memcpy(file, stdout, sizeof *file);
    file->_fileno = descriptor;
    file->_chain = next;
    return file;
}

static ElfW(Dyn) *dynamic(ElfW(Dyn) *section, int64_t tag) {
    while (section->d_tag && section->d_tag != tag) section++;
    return section;
}

/* Makes everything writable that a file is mapped to. */
static void unprotect(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    static struct { uintptr_t from, to; char access[5]; } all[256];
    int count = 0;
    char line[512];
    while (count < 256 && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        if (!strchr(line, '/')) continue;
        if (sscanf(line, "%lx-%lx %4s", &from, &to, all[count].access) == 3) {
            all[count].from = from;
            all[count++].to = to;
        }
    }
    fclose(maps);
    for (int i = 0; i < count; i++) {
        int access = PROT_READ | PROT_WRITE | (strchr(all[i].access, 'x') ? PROT_EXEC : 0);
        mprotect((void *)all[i].from, all[i].to - all[i].from, access);
    }
}

static uint64_t state = 0x9e3779b97f4a7c15;
static uint64_t chance(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static char *targets[4];
static size_t sizes[4];

/* A word that is likely to lead somewhere. */
static uint64_t word(void) {
    int target = chance() % 4;
    switch (chance() % 8) {
    case 0: return chance();
    case 1: return 0;
    case 2: return -(chance() % 4096);
    case 3: return chance() % 4096;
    case 4: return 0xfbad0000 | chance() % 65536;
    case 5: return chance() % 65536 * 0x1000100010001;
    default: return (uintptr_t)targets[target] + chance() % sizes[target];
    }
}

/* Damages a few words at a time and repairs them, so that a look gets now here and now there. */
static void *store_for_ever(void *unused) {
    static char sound[4][8192];
    (void)unused;
    for (int i = 0; i < 4; i++) memcpy(sound[i], targets[i], sizes[i]);
    for (;;) {
        for (int stores = 1 + chance() % 4; stores > 0; stores--) {
            int target = chance() % 4;
            uint64_t value = word();
            memcpy(targets[target] + chance() % (sizes[target] - 7), &value, 8);
        }
        usleep(chance() % 500);
        for (int i = 0; i < 4; i++) memcpy(targets[i], sound[i], sizes[i]);
    }
    return NULL;
}

static void *remap_for_ever(void *place) {
    for (;;) {
        mmap(place, 1 << 16, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        memcpy(place, stdout, sizeof *stdout);
        ((FILE *)place)->_chain = place;
        munmap(place, 1 << 16);
    }
    return NULL;
}

static void start(void *(*what)(void *), void *with) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, what, with)) _exit(6);
}

/* Variables that each look like the beginning of a stream. */
static uint64_t magic[1 << 17];

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    printf("? 50\n");
    char *unmapped = take(1 << 16);
    munmap(unmapped, 1 << 16);
    FILE *f = stdout;
    if (!strcmp(way, "cycle")) {
        FILE *last = forged(1, NULL), *first = forged(1, last);
        last->_chain = first;
        _IO_list_all = first;
    } else if (!strcmp(way, "itself")) {
        f->_chain = f;
        _IO_list_all = f;
    } else if (!strcmp(way, "long-list")) {
        FILE *next = NULL;
        FILE *all = take(2000 * 256);
        for (int i = 0; i < 2000; i++) {
            FILE *file = (FILE *)((char *)all + i * 256);
            memcpy(file, f, sizeof *file);
            file->_chain = next;
            next = file;
        }
        _IO_list_all = next;
    } else if (!strcmp(way, "no-list")) {
        _IO_list_all = (FILE *)unmapped;
    } else if (!strcmp(way, "nowhere")) {
        f->_IO_write_base = unmapped;
        f->_IO_write_ptr = unmapped + 100;
        f->_IO_buf_base = unmapped;
        f->_IO_buf_end = unmapped + 4096;
    } else if (!strcmp(way, "huge")) {
        f->_IO_write_ptr = (char *)INTPTR_MAX;
        f->_IO_buf_end = (char *)INTPTR_MAX;
    } else if (!strcmp(way, "wrap")) {
        f->_IO_write_ptr = (char *)UINTPTR_MAX;
        f->_IO_buf_end = (char *)UINTPTR_MAX;
    } else if (!strcmp(way, "backwards")) {
        f->_IO_write_ptr = f->_IO_write_base - 1;
    } else if (!strcmp(way, "beyond")) {
        f->_IO_write_ptr = f->_IO_buf_end + 1;
    } else if (!strcmp(way, "wide-nowhere")) {
        f->_mode = 1;
        f->_wide_data = (void *)unmapped;
    } else if (!strcmp(way, "remapped")) {
        /* The thread has its stack before this is unmapped for the first time. */
        unmapped = take(1 << 16);
        char *buffer = unmapped + 4096;
        f->_IO_write_base = f->_IO_buf_base = buffer;
        f->_IO_write_ptr = f->_IO_buf_end = buffer + 4096;
        f->_chain = (FILE *)unmapped;
        start(remap_for_ever, unmapped);
    } else if (!strcmp(way, "headers")) {
        /* As many program headers as there can be, far away. */
        unprotect();
        ElfW(Ehdr) *header = (void *)&__executable_start;
        header->e_phnum = UINT16_MAX;
        header->e_phoff = UINT64_MAX - 64;
    } else if (!strcmp(way, "segments")) {
        unprotect();
        ElfW(Ehdr) *header = (void *)&__executable_start;
        ElfW(Phdr) *segments = (void *)(&__executable_start + header->e_phoff);
        for (int i = 0; i < header->e_phnum; i++) {
            segments[i].p_vaddr = UINT64_MAX - i;
            segments[i].p_memsz = UINT64_MAX;
        }
    } else if (!strcmp(way, "counts")) {
        /* Hash tables with giant counts, of the program and all that it has loaded. */
        unprotect();
        for (struct link_map *map = _r_debug.r_map; map; map = map->l_next) {
            ElfW(Dyn) *hash = dynamic(map->l_ld, DT_GNU_HASH);
            uint32_t *table = (void *)hash->d_un.d_ptr;
            if (!hash->d_tag || (char *)table < (char *)0x10000 || !map->l_name[0]) continue;
            if (!strstr(map->l_name, "libc.so")) continue;
            memset(table, 0xff, 16);
        }
    } else if (!strcmp(way, "chains")) {
        /* Hash chains without an end, all of whose symbols have the wrong name. */
        unprotect();
        for (struct link_map *map = _r_debug.r_map; map; map = map->l_next) {
            if (!strstr(map->l_name, "libc.so")) continue;
            uint32_t *table = (void *)dynamic(map->l_ld, DT_GNU_HASH)->d_un.d_ptr;
            uint32_t buckets = table[0], filters = table[2];
            memset(table + 4, 0xff, 8 * filters);
            for (uint32_t i = 0; i < buckets; i++) (table + 4 + 2 * filters)[i] = table[1];
            uint32_t *chain = table + 4 + 2 * filters + buckets;
            for (int i = 0; i < 2000; i++) chain[i] &= ~1u;
        }
    } else if (!strcmp(way, "magic")) {
        for (int i = 0; i < 1 << 17; i++) magic[i] = 0xfbad2a84;
    } else if (!strcmp(way, "streams")) {
        /* Streams of which each looks right, one in the other. */
        for (unsigned i = 0; i < (1 << 17) - sizeof *f / 8; i += 2) memcpy(magic + i, f, sizeof *f + 8);
    } else if (!strcmp(way, "mappings")) {
        /* As many as the kernel allows. */
        for (int i = 0; i < 32000; i++) {
            char *pair = take(2 * 4096);
            if (mprotect(pair, 4096, PROT_READ)) break;
        }
    } else if (!strcmp(way, "modules")) {
        int file = open("/proc/self/exe", O_RDONLY);
        for (int i = 0; i < 3000; i++)
            if (mmap(0, 1 << 14, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED) return 7;
    } else if (!strcmp(way, "random")) {
        unprotect();
        targets[0] = (char *)&_IO_list_all;
        sizes[0] = sizeof _IO_list_all;
        targets[1] = (char *)f;
        sizes[1] = sizeof *f;
        targets[2] = &__executable_start;
        sizes[2] = 0x1000;
        targets[3] = (char *)_DYNAMIC;
        sizes[3] = (char *)dynamic(_DYNAMIC, DT_NULL) - (char *)_DYNAMIC;
        start(store_for_ever, NULL);
    } else {
        return 3;
    }
    if (write(2, "ready\n", 6) != 6) return 4;
    char byte;
    _exit(read(0, &byte, 1) < 0);
}
