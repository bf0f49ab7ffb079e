/* An interactor: accepts if it is given exactly the lines of its arguments, which end with `--`,
 * and then the end of input. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char line[4096];
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
        if (!fgets(line, sizeof line, stdin)) {
            fprintf(stderr, "wrong answer the end instead of `%s`\n", argv[i]);
            return 1;
        }
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, argv[i])) {
            fprintf(stderr, "wrong answer `%s` instead of `%s`\n", line, argv[i]);
            return 1;
        }
    }
    if (fgets(line, sizeof line, stdin)) {
        fprintf(stderr, "wrong answer more than expected: `%s`\n", line);
        return 1;
    }
    return 0;
}
