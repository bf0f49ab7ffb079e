/* An interactor that asks three times and wants `safe` each time; it waits in the way that its
 * first argument names. The second says what the end of input means to it: `wrong` (exit 1), `fail`
 * (exit 3), `ignore` (it goes on reading for ever), `crash`. */
#include "reads.h"

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "", *end = argc > 2 ? argv[2] : "wrong";
    char block[256];
    for (int i = 0; i < 3; i++) {
        ssize_t got;
        dprintf(1, "%d\n", i);
        while ((got = reads(way, block, sizeof block)) <= 0) {
            if (!strcmp(end, "fail")) return 3;
            if (!strcmp(end, "crash")) abort();
            if (strcmp(end, "ignore")) return 1;
        }
        if (got != 5 || memcmp(block, "safe\n", 5)) return 1;
    }
    return 0;
}
