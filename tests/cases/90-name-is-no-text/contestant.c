/* half-closes and goes on, under a name that is no text */
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(void) {
    char b[64];
    prctl(PR_SET_NAME, "\xd1\xff) Z");
    printf("1 2 3 4\n");
    fclose(stdout);
    close(1);
    if (!fgets(b, sizeof b, stdin)) return 1;
    usleep(50000);
    return 0;
}
