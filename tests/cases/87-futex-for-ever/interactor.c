#include <stdio.h>
int main(void) {
    char op;
    int v;
    while (scanf(" %c %d", &op, &v) == 2) {
        if (op == '!') return v == 7 ? 0 : 1;
        printf("7\n");
        fflush(stdout);
    }
    return 2;
}
