/* Answers after three seconds, in which it computes. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    char op;
    int v;
    while (scanf(" %c %d", &op, &v) == 2) {
        if (op == '!') return v == 7 ? 0 : 1;
        struct timespec begin, now;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        do clock_gettime(CLOCK_MONOTONIC, &now);
        while (now.tv_sec < begin.tv_sec + 3);
        printf("7\n");
        fflush(stdout);
    }
    return 2;
}
