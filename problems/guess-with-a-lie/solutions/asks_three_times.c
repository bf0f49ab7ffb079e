/* Wrong answer: asks everything three times, which is too often. */
#include <stdio.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    int low = 1, high = n;
    while (low < high) {
        int middle = (low + high + 1) / 2, yes = 0;
        for (int time = 0; time < 3; time++) {
            printf("? %d\n", middle);
            fflush(stdout);
            char reply[8];
            if (scanf("%7s", reply) != 1) return 1;
            yes += reply[0] == 'y';
        }
        if (yes >= 2) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    printf("! %d\n", low);
    return 0;
}
