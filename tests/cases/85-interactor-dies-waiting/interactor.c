/* Waits for the contestant, for a second at most. */
#include <stdio.h>
#include <unistd.h>
int main(void) {
    int v;
    alarm(1);
    return scanf("%d", &v) != 1;
}
