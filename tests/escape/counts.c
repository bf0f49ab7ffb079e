/* An interactor: accepts if it is given exactly the line `count N`, N being its argument, and then
 * the end of input. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char line[256], wanted[256];
    snprintf(wanted, sizeof wanted, "count %s\n", argc > 1 ? argv[1] : "");
    if (!fgets(line, sizeof line, stdin) || strcmp(line, wanted)) return 1;
    return fgets(line, sizeof line, stdin) ? 1 : 0;
}
