#include "ask.h"

#include <stdio.h>

int less(int x) {
    char word[8];
    printf("? %d\n", x);
    fflush(stdout);
    return scanf("%7s", word) == 1 && word[0] == 'l';
}
