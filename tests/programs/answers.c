/* Answers each line with `safe`, until the end of input; it waits in the way that its argument
 * names. Afterwards: it was shown the end of input when its peer had gone, and never before. */
#include "reads.h"

int main(int argc, char **argv) {
    char block[256];
    ssize_t got;
    while ((got = reads(argc > 1 ? argv[1] : "", block, sizeof block)) > 0)
        for (ssize_t i = 0; i < got; i++)
            if (block[i] == '\n') safe();
    return got == 0 ? 0 : 40;
}
