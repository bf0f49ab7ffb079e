/* An interactor that asks for ever. */
#include "attack.h"

int main(void) {
    char line[64];
    signal(SIGPIPE, SIG_IGN);
    do {
        if (write(1, "x", 1) < 0) return 3;
        usleep(300);
    } while (read(0, line, sizeof line) > 0);
    return 3;
}
