/* Wrong answer: asks about codes of one digit four times, to see which digits there are. */
#include <stdio.h>

int main(void) {
    int rounds;
    if (scanf("%d", &rounds) != 1) return 1;
    for (int digit = 0; digit < 10; digit++) {
        printf("? %d%d%d%d\n", digit, digit, digit, digit);
        fflush(stdout);
        int bulls, cows;
        if (scanf("%d %d", &bulls, &cows) != 2) return 1;
    }
    return 0;
}
