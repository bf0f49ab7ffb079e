/* Waits for a line that never comes, in the way that its argument names. Afterwards: if its peer
 * waits as well, that was a deadlock, and was found at once. */
#include "reads.h"

int main(int argc, char **argv) {
    char block[256];
    return reads(argc > 1 ? argv[1] : "", block, sizeof block) == 0 ? 0 : 1;
}
