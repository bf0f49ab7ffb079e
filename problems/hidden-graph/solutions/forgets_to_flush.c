/* Idleness limit: reads the tree, and asks about its first edge without a flush. */
#include <stdio.h>

int main(void) {
    int n, u = 0, v = 0;
    if (scanf("%d", &n) != 1) return 1;
    for (int edge = 1; edge < n; edge++) {
        if (scanf("%d %d", &u, &v) != 2) return 1;
    }
    printf("? %d %d\n", u, v); /* no fflush(stdout) */
    char reply[8];
    if (scanf("%7s", reply) != 1) return 1;
    printf("! %d\n", reply[0] == 'y' ? u : v);
    return 0;
}
