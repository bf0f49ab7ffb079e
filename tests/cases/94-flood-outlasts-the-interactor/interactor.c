/* takes a while for each question */
#include <stdio.h>
#include <time.h>
int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        struct timespec now, begin;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
        do {
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 200000);
        puts("1");
        fflush(stdout);
    }
    return 1;
}
