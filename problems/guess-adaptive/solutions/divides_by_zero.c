/* Runtime error: a right search that then divides by what is left of the range. */
#include <stdio.h>
#include <string.h>

int main(void) {
    long n;
    if (scanf("%ld", &n) != 1) return 1;
    long low = 1, high = n;
    while (low < high) {
        long middle = (low + high) / 2;
        printf("? %ld\n", middle);
        fflush(stdout);
        char reply[16];
        if (scanf("%15s", reply) != 1) return 1;
        if (strcmp(reply, "bigger") == 0) {
            low = middle + 1;
        } else if (strcmp(reply, "smaller") == 0) {
            high = middle - 1;
        } else {
            low = high = middle;
        }
    }
    /* volatile, or the compiler would see what we are doing and do something else. */
    volatile long left = high - low;
    printf("! %ld\n", n / left);
    return 0;
}
