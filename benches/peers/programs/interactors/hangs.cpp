// Says how many questions to ask, and never answers.
#include <fstream>
#include <iostream>
#include <unistd.h>

int main(int, char **arguments) {
    std::ifstream input(arguments[1]);
    long long rounds = 0;
    input >> rounds;
    std::cout << rounds << std::endl;
    for (;;) pause();
}
