/* Idleness limit: waits for two replies after each question, and only one ever comes. Interactor and
   contestant then wait for each other. */
#include <stdio.h>
#include <string.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    int low = 1, high = n;
    for (;;) {
        int middle = low + (high - low) / 2;
        printf("? %d\n", middle);
        fflush(stdout);
        char reply[16], comment[16];
        if (scanf("%15s %15s", reply, comment) != 2) return 1;
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
