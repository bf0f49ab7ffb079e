// Crashes after its first question.
#include <cstdlib>
#include <iostream>

int main() {
    long long rounds = 0, answer = 0;
    std::cin >> rounds;
    std::cout << "? 0" << std::endl;
    std::cin >> answer;
    std::abort();
}
