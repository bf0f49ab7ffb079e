#include <stdio.h>

static int less(int x) {
    char word[8];
    printf("? %d\n", x);
    fflush(stdout);
    return scanf("%7s", word) == 1 && word[0] == 'l';
}

int main(void) {
    int low = 1, high;
    if (scanf("%d", &high) != 1) return 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (less(middle + 1))
            high = middle;
        else
            low = middle + 1;
    }
    printf("! %d\n", low);
    return 0;
}
