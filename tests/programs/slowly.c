/* An interactor that lets the contestant go on for a moment before it reads, then counts the bytes
 * of its input up to the end and accepts if there are as many as its first argument says. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char block[1 << 16];
    long wanted = argc > 1 ? atol(argv[1]) : 0, count = 0, got;
    usleep(100000);
    while ((got = read(0, block, sizeof block)) > 0) count += got;
    fprintf(stderr, "%ld bytes\n", count);
    return count == wanted ? 0 : 1;
}
