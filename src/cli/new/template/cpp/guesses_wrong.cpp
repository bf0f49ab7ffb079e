// Asks nothing and hopes that the secret is in the middle.

#include <iostream>

int main() {
    int n;
    std::cin >> n;
    std::cout << "! " << (n + 1) / 2 << std::endl;
}
