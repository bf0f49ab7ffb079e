#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(void) {
    prctl(PR_SET_NAME, "\xff");
    for (int i = 0; i < 64; i++) {
        char *more = malloc(1 << 20);
        if (!more) return 1;
        memset(more, i + 1, 1 << 20);
        usleep(1000);
    }
    usleep(200000);
    printf("done\n");
    return 0;
}
