#include <stdio.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    if (n > 1)
        for (volatile int i = 0;; ++i) {
        }
    printf("! 1\n");
    return 0;
}
