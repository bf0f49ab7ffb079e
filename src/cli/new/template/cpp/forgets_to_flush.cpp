// As right.cpp, but std::cout is flushed neither by '\n' nor, untied from it, by std::cin.

#include <iostream>
#include <string>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int low = 1, high;
    std::cin >> high;
    while (true) {
        const int x = (low + high) / 2;
        std::cout << "? " << x << '\n';
        std::string reply;
        std::cin >> reply;
        if (reply == "bigger") {
            low = x + 1;
        } else if (reply == "smaller") {
            high = x - 1;
        } else {
            std::cout << "! " << x << '\n';
            return 0;
        }
    }
}
