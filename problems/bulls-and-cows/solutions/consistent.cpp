// Asks about the first code that agrees with all replies.
#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

std::pair<int, int> compare(const std::string& asked, const std::string& code) {
    int bulls = 0, cows = 0;
    for (int place = 0; place < 4; place++) {
        if (asked[place] == code[place]) {
            ++bulls;
        } else if (code.find(asked[place]) != std::string::npos) {
            ++cows;
        }
    }
    return {bulls, cows};
}

int main() {
    std::vector<std::string> all;
    for (int number = 0; number < 10000; number++) {
        std::string code = std::to_string(10000 + number).substr(1), sorted = code;
        std::sort(sorted.begin(), sorted.end());
        if (std::unique(sorted.begin(), sorted.end()) == sorted.end()) all.push_back(code);
    }
    int rounds;
    std::cin >> rounds;
    while (rounds-- > 0) {
        std::vector<std::string> codes = all;
        while (codes.size() > 1) {
            const std::string asked = codes[0];
            std::cout << "? " << asked << std::endl;
            std::pair<int, int> reply;
            if (!(std::cin >> reply.first >> reply.second)) return 1;
            const auto differs = [&](const std::string& code) { return compare(asked, code) != reply; };
            codes.erase(std::remove_if(codes.begin(), codes.end(), differs), codes.end());
        }
        std::cout << "! " << codes[0] << std::endl;
        std::string right;
        if (!(std::cin >> right)) return 1;
    }
}
