/* Wrong answer: takes one stone more than the first pile has. */
#include <stdio.h>

int main(void) {
    int piles, size;
    if (scanf("%d %d", &piles, &size) != 2) return 1;
    printf("1 %d\n", size + 1);
    fflush(stdout);
    int pile, count;
    return scanf("%d %d", &pile, &count) == 2 ? 0 : 1;
}
