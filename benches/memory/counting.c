/* Counting sort of numbers from 0 to 999,999. Half of the memory is for the counters; where that is
 * too little for all, the file is read once for each part of the range.
 *
 *     counting MEMORY
 */
#include "sort.h"

enum { RANGE = 1000000 };

static int32_t piece[16 << 10];

int main(int argc, char **argv)
{
    size_t bytes = input_size(), waiting = 0;
    size_t part = (argc > 1 ? strtoul(argv[1], NULL, 10) : 0) / 2 / sizeof(uint32_t);
    if (part == 0)
        fail(2, "usage: counting MEMORY");
    if (part > RANGE)
        part = RANGE;
    uint32_t *counters = malloc(part * sizeof *counters);
    if (!counters)
        fail(3, "no memory");
    for (size_t low = 0; low < RANGE; low += part) {
        memset(counters, 0, part * sizeof *counters);
        for (size_t done = 0; done < bytes;) {
            size_t now = bytes - done < sizeof piece ? bytes - done : sizeof piece;
            read_at(STDIN_FILENO, piece, now, (off_t)done);
            for (size_t number = 0; number < now / sizeof *piece; number++) {
                size_t place = (size_t)(uint32_t)piece[number] - low;
                if (place < part)
                    counters[place]++;
            }
            done += now;
        }
        for (size_t place = 0; place < part; place++)
            for (uint32_t left = counters[place]; left > 0; left--) {
                piece[waiting++] = (int32_t)(low + place);
                if (waiting == sizeof piece / sizeof *piece) {
                    append(piece, sizeof piece);
                    waiting = 0;
                }
            }
        append(piece, waiting * sizeof *piece);
        waiting = 0;
    }
    return sorted();
}
