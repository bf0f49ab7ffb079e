/* Reads four lines, where there are three, and then answers. */
#include <stdio.h>
int main(void) {
    int v;
    for (int i = 0; i < 4; i++)
        if (scanf("%d", &v) != 1) return 1;
    printf("7\n");
    fflush(stdout);
    return 0;
}
