/* The interactor of ../runtimes.rs: asks for the double of some numbers, one after the other. */
#include <stdio.h>

int main(void) {
    for (long number = 1; number <= 100; number++) {
        long answer;
        printf("%ld\n", number);
        fflush(stdout);
        if (scanf("%ld", &answer) != 1 || answer != 2 * number) {
            fprintf(stderr, "wrong answer to %ld\n", number);
            return 1;
        }
    }
    fprintf(stderr, "ok\n");
    return 0;
}
