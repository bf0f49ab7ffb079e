/* Rests for 50 ms before each of 100 questions. */
#include <stdio.h>
#include <unistd.h>
int main(void) {
    int r;
    for (int i = 0; i < 100; i++) {
        usleep(50000);
        printf("? %d\n", i);
        fflush(stdout);
        if (scanf("%d", &r) != 1 || r != i) return 1;
    }
    printf("! 7\n");
    return 0;
}
