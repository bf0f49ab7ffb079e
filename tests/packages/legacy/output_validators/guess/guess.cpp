// Knows a number and compares it. Arguments: --most N, the questions that are allowed; the last one
// counts.
#include <fstream>
#include <iostream>
#include <string>

#include "judge.h"

int main(int argc, char** argv) {
    if (argc < 4) return 1;
    long long most = 0, n = 0, number = 0;
    for (int i = 4; i + 1 < argc; i += 2)
        if (std::string(argv[i]) == "--most") most = std::stoll(argv[i + 1]);
    if (!(std::ifstream(argv[1]) >> n >> number) || most == 0) return 1;
    judge::messages(argv[3]);

    std::cout << n << std::endl;
    for (long long asked = 0;; ++asked) {
        char kind = 0;
        long long x = 0;
        if (!(std::cin >> kind >> x)) judge::reject("no answer");
        if (kind == '!' && x == number) judge::accept(std::to_string(asked) + " questions");
        if (kind != '?') judge::reject("the number is not " + std::to_string(x));
        if (asked == most) judge::reject("more than " + std::to_string(most) + " questions");
        std::cout << (number < x ? "less" : number > x ? "more" : "equal") << std::endl;
    }
}
