/* Wrong answer: gives the height of the first place for an answer, and not a place. */
#include <stdio.h>

int main(void) {
    int n;
    long height;
    if (scanf("%d", &n) != 1) return 1;
    printf("? 1\n");
    fflush(stdout);
    if (scanf("%ld", &height) != 1) return 1;
    printf("! %ld\n", height);
    return 0;
}
