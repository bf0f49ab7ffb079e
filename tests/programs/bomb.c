/* A fork bomb: every process makes more and computes. It is bounded by alarm. Afterwards: it was
 * over its CPU limit, within that limit, and nothing is left. */
#include "attack.h"

int main(void) {
    alarm(15);
    for (;;) {
        fork();
        for (volatile int i = 0; i < 1000; i++) {}
    }
}
