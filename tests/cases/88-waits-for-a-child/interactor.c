#include <stdio.h>
int main(void) {
    int v;
    return scanf("%d", &v) != 1;
}
