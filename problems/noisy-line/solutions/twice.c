/* Each bit twice: that one was turned over can be seen, and not which. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char order[16], text[80];
    int number = 0;
    if (scanf("%15s", order) != 1) return 1;
    if (!strcmp(order, "encode")) {
        if (scanf("%d", &number) != 1) return 1;
        for (int bit = 15; bit >= 0; bit--) printf("%d%d", number >> bit & 1, number >> bit & 1);
        printf("\n");
    } else {
        if (scanf("%79s", text) != 1) return 1;
        for (int i = 0; i < 32; i += 2) number = 2 * number + (text[i] == '1' && text[i + 1] == '1');
        printf("%d\n", number);
    }
    return 0;
}
