/* Lets a child do the reading. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    int r, status;
    if (fork() == 0) _exit(scanf("%d", &r) != 1);
    wait(&status);
    return status != 0;
}
