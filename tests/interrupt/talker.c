/* talker NAME ask|answer: a dialogue without end. The processes bear the name; one is a daemon of
   the first and lets no signal end it that can be caught. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int count, char **words) {
    if (count < 3) return 3;
    prctl(PR_SET_NAME, words[1]);
    if (fork() == 0) {
        setsid();
        for (int signal_number = 1; signal_number < 32; signal_number++) signal(signal_number, SIG_IGN);
        for (;;) pause();
    }
    char line[64];
    for (long i = 0;; i++) {
        if (strcmp(words[2], "answer") == 0 && fgets(line, sizeof line, stdin) == NULL) return 0;
        usleep(500);
        printf("%ld\n", i);
        fflush(stdout);
        if (strcmp(words[2], "ask") == 0 && fgets(line, sizeof line, stdin) == NULL) return 0;
    }
}
