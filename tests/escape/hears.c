/* An interactor that wants `one`, answers, and then wants `two` at the end of what it is given; its
 * argument says how many bytes that is in all, those in between being zero. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char all[1 << 18];
    size_t wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : 8, length = 0;
    ssize_t got;
    while (length < 4 && (got = read(0, all + length, 4 - length)) > 0) length += got;
    if (memcmp(all, "one\n", 4)) return 1;
    if (write(1, "?\n", 2) != 2) return 3;
    while (length < sizeof all && (got = read(0, all + length, sizeof all - length)) > 0) length += got;
    fprintf(stderr, "%zu bytes\n", length);
    if (length != wanted || memcmp(all + length - 4, "two\n", 4)) return 1;
    for (size_t i = 4; i < length - 4; i++)
        if (all[i]) return 1;
    return 0;
}
