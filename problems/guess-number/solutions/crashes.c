/* Runtime error: a right binary search that dereferences a null pointer before it answers. */
#include <stdio.h>
#include <string.h>

/* volatile, or the compiler would see what we are doing and do something else. */
static int *volatile nowhere = NULL;

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    int low = 1, high = n;
    for (;;) {
        int middle = low + (high - low) / 2;
        printf("? %d\n", middle);
        fflush(stdout);
        char reply[16];
        if (scanf("%15s", reply) != 1) return 1;
        if (strcmp(reply, "equal") == 0) {
            printf("! %d\n", *nowhere);
            return 0;
        }
        if (strcmp(reply, "bigger") == 0) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
}
