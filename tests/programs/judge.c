/* An interactor: accepts if the first line is `safe`, and otherwise says what it was told. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[4096];
    if (!fgets(line, sizeof line, stdin)) {
        fprintf(stderr, "wrong answer the contestant said nothing\n");
        return 1;
    }
    if (strcmp(line, "safe\n") == 0) return 0;
    fprintf(stderr, "wrong answer it said: %s", line);
    return 1;
}
