/* Wrong answer: asks a million questions without reading a single reply. A judge in which the two
   programs block each other's writing may never find out that these are too many. */
#include <stdio.h>

int main(void) {
    for (int count = 0; count < 1000000; count++) printf("? 1\n");
    printf("! 1\n");
    return 0;
}
