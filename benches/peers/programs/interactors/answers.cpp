// Says how many questions to ask, answers each, and accepts the number of them as the last word.
// ACCEPTED and REJECTED are the exit codes that the judge at hand takes for a verdict.
#include <fstream>
#include <iostream>
#include <string>

int main(int, char **arguments) {
    std::ifstream input(arguments[1]);
    long long rounds = 0;
    input >> rounds;
    std::cout << rounds << std::endl;

    long long asked = 0;
    for (std::string line; std::getline(std::cin, line);) {
        if (line.rfind("? ", 0) == 0) {
            ++asked;
            std::cout << 1 << std::endl;
            continue;
        }
        return line == "! " + std::to_string(rounds) && asked == rounds ? ACCEPTED : REJECTED;
    }
    return REJECTED;
}
