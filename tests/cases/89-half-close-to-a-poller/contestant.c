/* answers, closes stdout, and waits for the interactor's last word */
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char b[64];
    printf("1 2 3 4\n");
    fclose(stdout);
    close(1);
    return fgets(b, sizeof b, stdin) == NULL;
}
