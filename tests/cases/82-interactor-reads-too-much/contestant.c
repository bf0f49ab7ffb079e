/* Sends three lines and waits for the answer. */
#include <stdio.h>
int main(void) {
    int r;
    printf("1\n2\n3\n");
    fflush(stdout);
    return scanf("%d", &r) != 1;
}
