/* Wrong answer: asks about one number after the other, which are too many. */
#include <stdio.h>
#include <string.h>

int main(void) {
    long n;
    if (scanf("%ld", &n) != 1) return 1;
    for (long x = 1; x <= n; x++) {
        printf("? %ld\n", x);
        fflush(stdout);
        char reply[16];
        if (scanf("%15s", reply) != 1) return 1;
        if (strcmp(reply, "equal") == 0) {
            printf("! %ld\n", x);
            return 0;
        }
    }
    return 1;
}
