/* Presentation error: prints places in hexadecimal. */
#include <stdio.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    printf("? 0x%x\n", n / 2);
    fflush(stdout);
    long height;
    return scanf("%ld", &height) == 1 ? 0 : 1;
}
