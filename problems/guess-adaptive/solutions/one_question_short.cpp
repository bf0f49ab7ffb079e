// Wrong answer: stops when two or three numbers are left, and takes the first.
#include <iostream>
#include <string>

int main() {
    long long n;
    std::cin >> n;
    long long low = 1, high = n;
    while (low + 2 < high) {
        const long long middle = (low + high) / 2;
        std::cout << "? " << middle << std::endl;
        std::string reply;
        if (!(std::cin >> reply)) return 1;
        if (reply == "bigger") {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    std::cout << "! " << low << std::endl;
}
