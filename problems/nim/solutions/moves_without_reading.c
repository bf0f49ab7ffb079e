/* Wrong answer: prints moves for ever and reads none. The first that is impossible ends it. */
#include <stdio.h>

int main(void) {
    for (;;) {
        if (printf("1 1\n") < 0) return 1;
    }
}
