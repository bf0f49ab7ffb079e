/* Time limit: asks one question, then computes for ever. */
#include <stdio.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    printf("? %d\n", n);
    fflush(stdout);
    char reply[16];
    if (scanf("%15s", reply) != 1) return 1;
    /* volatile: an endless loop without effects may be optimized away. */
    for (volatile unsigned number = 0;; number++) {
    }
}
