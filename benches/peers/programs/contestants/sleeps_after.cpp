// Plays to the end, says the right answer, and does not end.
#include <iostream>
#include <unistd.h>

int main() {
    long long rounds = 0;
    std::cin >> rounds;
    for (long long round = 0, answer; round < rounds; ++round) {
        std::cout << "? " << round << std::endl;
        std::cin >> answer;
    }
    std::cout << "! " << rounds << std::endl;
    for (;;) pause();
}
