/* says half of it and fails, while a helper of its own waits for more to do */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    int work[2];
    char byte;
    if (pipe(work) != 0) return 7;
    if (fork() == 0) {
        close(0);
        close(1);
        close(work[1]);
        while (read(work[0], &byte, 1) > 0) {}
        pause();
        return 0;
    }
    printf("1 2\n");
    fflush(stdout);
    /* Its end takes a moment: there is memory to give back. */
    size_t length = 64 << 20;
    char *much = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (much != MAP_FAILED) memset(much, 1, length);
    return 1;
}
