/* Waits for what nobody sends. */
#include <stdio.h>
int main(void) {
    int r;
    return scanf("%d", &r) != 1;
}
