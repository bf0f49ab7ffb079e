#include <stdio.h>
int main(void) {
    char b[64];
    return fgets(b, sizeof b, stdin) == NULL;
}
