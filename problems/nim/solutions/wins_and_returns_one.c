/* Runtime error: wins, and says so by its exit code, which must be 0. */
#include <stdio.h>

int main(void) {
    int number, piles[10], balance = 0, left = 0;
    if (scanf("%d", &number) != 1) return 2;
    for (int pile = 0; pile < number; pile++) {
        if (scanf("%d", &piles[pile]) != 1) return 2;
        balance ^= piles[pile];
        left += piles[pile];
    }
    for (;;) {
        int pile = 0;
        while ((piles[pile] ^ balance) >= piles[pile]) pile++;
        int count = piles[pile] - (piles[pile] ^ balance);
        printf("%d %d\n", pile + 1, count);
        fflush(stdout);
        piles[pile] -= count;
        left -= count;
        if (left == 0) return 1;
        if (scanf("%d %d", &pile, &count) != 2) return 2;
        pile--;
        balance = piles[pile] ^ (piles[pile] - count);
        piles[pile] -= count;
        left -= count;
    }
}
