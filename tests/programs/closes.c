/* Closes streams (argument: `stdin`, `stdout`, `all`, `crash`), going on for a while. Afterwards:
 * only what it did besides counts: `crash` crashes after it has closed its output and computed. */
#include "attack.h"

static void compute(void) {
    for (volatile long i = 0; i < 30000000; i++) {}
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    safe();
    if (!strcmp(what, "stdin")) close(0);
    if (!strcmp(what, "stdout")) close(1);
    if (!strcmp(what, "all")) close_range(0, ~0u, 0);
    if (!strcmp(what, "crash")) {
        close(1);
        compute();
        abort();
    }
    compute();
    usleep(100000);
    return 0;
}
