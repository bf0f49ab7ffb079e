/* Presentation error: ends in good order, but without an answer. */
#include <stdio.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    printf("? %d\n", n);
    fflush(stdout);
    char reply[16];
    if (scanf("%15s", reply) != 1) return 1;
    return 0;
}
