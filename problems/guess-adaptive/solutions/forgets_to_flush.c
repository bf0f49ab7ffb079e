/* Idleness limit: a right search whose questions stay in the buffer of stdout. */
#include <stdio.h>
#include <string.h>

int main(void) {
    long n;
    if (scanf("%ld", &n) != 1) return 1;
    long low = 1, high = n;
    while (low < high) {
        long middle = (low + high) / 2;
        printf("? %ld\n", middle); /* no fflush(stdout) */
        char reply[16];
        if (scanf("%15s", reply) != 1) return 1;
        if (strcmp(reply, "bigger") == 0) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    printf("! %ld\n", low);
    return 0;
}
