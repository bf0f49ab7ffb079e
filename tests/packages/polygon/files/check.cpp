// Looks at how many questions the interactor has counted: 10 are enough.
#include "testlib.h"

int main(int argc, char** argv) {
    if (argc < 4) quit(_fail, "arguments");
    int asked = -1, answer = 0;
    if (!(std::ifstream(argv[3]) >> answer)) quit(_fail, "the answer");
    if (!(std::ifstream(argv[2]) >> asked)) quit(_fail, "what the interactor wrote");
    if (asked > 10) quit(_wa, std::to_string(asked) + " questions, where 10 are enough");
    quit(_ok, std::to_string(asked) + " questions");
}
