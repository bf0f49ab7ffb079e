// Gives a wrong answer and crashes at once: the interactor and the kernel report at the same time.
#include <cstdlib>
#include <iostream>

int main() {
    long long rounds = 0;
    std::cin >> rounds;
    std::cout << "! -1" << std::endl;
    std::abort();
}
