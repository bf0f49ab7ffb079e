// Plays as the right one does, with bytes in its questions that are no UTF-8. The interactor takes
// any question.
#include <iostream>

int main() {
    long long rounds = 0;
    std::cin >> rounds;
    for (long long round = 0, answer; round < rounds; ++round) {
        std::cout << "? \xff\xfe\xc3" << std::endl;
        std::cin >> answer;
    }
    std::cout << "! " << rounds << std::endl;
}
