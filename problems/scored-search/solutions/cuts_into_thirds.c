/* Cuts the range into three parts and leaves out one of them. Two questions for each third. */
#include <stdio.h>
#include <stdlib.h>

static long height(int place) {
    printf("? %d\n", place);
    fflush(stdout);
    long reply;
    if (scanf("%ld", &reply) != 1) exit(1);
    return reply;
}

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    int low = 1, high = n;
    while (low < high) {
        int third = (high - low) / 3, left = low + third, right = high - third;
        if (left == right) right++;
        if (height(left) < height(right)) {
            low = left + 1;
        } else {
            high = right - 1;
        }
    }
    printf("! %d\n", low);
    return 0;
}
