// Knows a number and compares it, for at most 12 questions.
#include "testlib.h"

int main(int argc, char** argv) {
    if (argc < 4) quit(_fail, "arguments");
    int n = 0, number = 0, answer = 0;
    if (!(std::ifstream(argv[1]) >> n >> number)) quit(_fail, "the input");
    if (!(std::ifstream(argv[3]) >> answer) || answer != number) quit(_fail, "the answer");
    std::cout << n << std::endl;
    for (int asked = 0;; ++asked) {
        char kind = 0;
        int x = 0;
        if (!(std::cin >> kind >> x)) quit(_pe, "no question and no answer");
        if (kind == '!') {
            std::ofstream(argv[2]) << asked << '\n';
            quit(x == number ? _ok : _wa, std::to_string(asked) + " questions");
        }
        if (asked == 12) quit(_wa, "too many questions");
        std::cout << (number < x ? "less" : number > x ? "more" : "equal") << std::endl;
    }
}
