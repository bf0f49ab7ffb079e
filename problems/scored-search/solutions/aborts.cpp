// Runtime error: takes a height for a place in a vector, whose `at` throws.
#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<long long> heights(n + 1, 0);
    std::cout << "? " << n / 2 << std::endl;
    long long reply;
    std::cin >> reply;
    heights.at(reply) = n / 2;
    std::cout << "! " << heights[n / 2] << std::endl;
}
