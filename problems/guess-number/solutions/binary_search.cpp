// Binary search: halve the range until one number is left. Asks no question when n is 1.
#include <iostream>
#include <string>

int main() {
    int n;
    std::cin >> n;
    int low = 1, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        std::cout << "? " << middle << std::endl;  // endl flushes
        std::string reply;
        if (!(std::cin >> reply)) return 1;
        if (reply == "equal") {
            low = high = middle;
        } else if (reply == "bigger") {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    std::cout << "! " << low << std::endl;
}
