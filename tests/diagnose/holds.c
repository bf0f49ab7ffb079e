/* Prints something in the way that its argument names, says "ready" on descriptor 2 as soon as that
 * lies in a buffer, and then waits for input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <locale.h>

static char room[1 << 17];
/* As large as those of contest programs are. */
int table[1 << 20];

static void fill(FILE *stream, int bytes) {
    for (int i = 0; i < bytes; i++) putc('a' + i % 26, stream);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    if (!strcmp(way, "plain")) {
        printf("? %d\n", 50);
    } else if (!strcmp(way, "begun")) {
        printf("? %d", 50);
    } else if (!strcmp(way, "line")) {
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
        printf("? 1\n? 2");
    } else if (!strcmp(way, "none")) {
        setvbuf(stdout, NULL, _IONBF, 0);
        printf("? 1\n? 2");
    } else if (!strcmp(way, "flushed")) {
        printf("? 50\n");
        fflush(stdout);
    } else if (!strcmp(way, "full")) {
        setvbuf(stdout, room, _IOFBF, sizeof room);
        fill(stdout, 10000);
    } else if (!strcmp(way, "rest")) {
        fill(stdout, 10000);
    } else if (!strcmp(way, "error")) {
        static char other[512];
        setvbuf(stderr, other, _IOFBF, sizeof other);
        fprintf(stderr, "a remark");
    } else if (!strcmp(way, "bytes")) {
        fwrite("\0\xff\n\0", 1, 4, stdout);
    } else if (!strcmp(way, "file")) {
        FILE *file = fopen(argv[2], "w");
        if (!file) return 3;
        fprintf(file, "a note");
        FILE *again = fdopen(dup(1), "a");
        if (!again) return 3;
        fprintf(again, "? 7\n");
        printf("? 8\n");
    } else if (!strcmp(way, "wide")) {
        if (!setlocale(LC_ALL, "C.UTF-8")) return 3;
        wprintf(L"? %d \u017c\u00f3\u0142w\n", 5);
    } else if (!strcmp(way, "reopened")) {
        if (!freopen("/dev/null", "w", stdout)) return 3;
        printf("? 50\n");
    } else if (!strcmp(way, "memory")) {
        /* Streams that belong to no descriptor. */
        static char *text;
        static size_t size;
        FILE *stream = open_memstream(&text, &size);
        fprintf(stream, "not output");
    } else if (strcmp(way, "nothing")) {
        return 3;
    }
    if (write(2, "ready\n", 6) != 6) return 4;
    char byte;
    return read(0, &byte, 1) < 0;
}
