/* asks once; complains about the format if it finds the end of the input */
#include <stdio.h>

int main(void) {
    int answer;
    printf("what?\n");
    fflush(stdout);
    if (scanf(" ! %d", &answer) != 1) { fprintf(stderr, "unexpected end of file\n"); return 2; }
    if (answer != 7) { fprintf(stderr, "%d is wrong\n", answer); return 1; }
    return 0;
}
