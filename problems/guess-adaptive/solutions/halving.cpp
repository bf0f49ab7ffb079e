// Binary search, until one number is left; that one needs no question.
#include <iostream>
#include <string>

int main() {
    long long n;
    std::cin >> n;
    long long low = 1, high = n;
    while (low < high) {
        const long long middle = (low + high) / 2;
        std::cout << "? " << middle << std::endl;
        std::string reply;
        if (!(std::cin >> reply)) return 1;
        if (reply == "bigger") {
            low = middle + 1;
        } else if (reply == "smaller") {
            high = middle - 1;
        } else {
            low = high = middle;
        }
    }
    std::cout << "! " << low << std::endl;
}
