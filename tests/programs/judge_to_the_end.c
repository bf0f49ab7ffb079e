/* An interactor that wants `safe` and then the end of input, and accepts after both. If its
 * argument is `quiet`, it closes its output first. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char line[256];
    if (argc > 1 && !strcmp(argv[1], "quiet")) close(1);
    if (!fgets(line, sizeof line, stdin) || strcmp(line, "safe\n")) return 1;
    return fgets(line, sizeof line, stdin) ? 1 : 0;
}
