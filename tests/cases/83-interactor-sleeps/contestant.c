/* Asks once, and prints what it was told. */
#include <stdio.h>
int main(void) {
    int r;
    printf("? 1\n");
    fflush(stdout);
    if (scanf("%d", &r) != 1) return 1;
    printf("! %d\n", r);
    return 0;
}
