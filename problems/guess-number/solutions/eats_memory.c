/* Memory limit: makes itself a table of 400 MB and touches every page of it, then searches properly. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 400 * 1000 * 1000, PAGE = 4096 };

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    /* volatile, or the compiler would leave out what nobody reads. */
    volatile char *table = malloc(SIZE);
    if (table == NULL) abort();
    for (size_t at = 0; at < SIZE; at += PAGE) table[at] = 1;

    int low = 1, high = n;
    for (;;) {
        int middle = low + (high - low) / 2;
        printf("? %d\n", middle);
        fflush(stdout);
        char reply[16];
        if (scanf("%15s", reply) != 1) return 1;
        if (strcmp(reply, "equal") == 0) {
            printf("! %d\n", middle);
            return 0;
        }
        if (strcmp(reply, "bigger") == 0) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
}
