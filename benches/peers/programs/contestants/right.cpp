// Asks as often as it is told to, and says how often it has asked.
#include <iostream>

int main() {
    long long rounds = 0;
    std::cin >> rounds;
    for (long long round = 0, answer; round < rounds; ++round) {
        std::cout << "? " << round << std::endl;
        std::cin >> answer;
    }
    std::cout << "! " << rounds << std::endl;
}
