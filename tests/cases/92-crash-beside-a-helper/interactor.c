/* takes the end of input for a fault of its own */
#include <stdio.h>
int main(void) {
    int v, s = 0;
    for (int i = 0; i < 4; i++) {
        if (scanf("%d", &v) != 1) return 3;
        s += v;
    }
    return s == 10 ? 0 : 1;
}
