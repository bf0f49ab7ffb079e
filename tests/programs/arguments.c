/* Is given a great many arguments. Afterwards: it has got them all. */
#include "attack.h"

int main(int argc, char **argv) {
    if (argc != 1501) broken("arguments", "");
    for (int i = 1; i < argc; i++) HOLDS(strlen(argv[i]) == 60);
    return safe();
}
