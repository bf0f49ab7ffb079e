// Asks about the middle of what is left until the reply is `equal`.

#include <iostream>
#include <string>

int main() {
    int low = 1, high;
    std::cin >> high;
    while (true) {
        const int x = (low + high) / 2;
        std::cout << "? " << x << std::endl;  // std::endl flushes
        std::string reply;
        std::cin >> reply;
        if (reply == "bigger") {
            low = x + 1;
        } else if (reply == "smaller") {
            high = x - 1;
        } else {
            std::cout << "! " << x << std::endl;
            return 0;
        }
    }
}
