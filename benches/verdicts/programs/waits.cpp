// Asks three times, notes the time, and waits for an answer to nothing.
#include <chrono>
#include <iostream>

int main() {
    std::ios::sync_with_stdio(false);
    int answer;
    for (int i = 0; i < 3; i++) {
        std::cout << "? " << i << std::endl;
        std::cin >> answer;
    }
    auto now = std::chrono::system_clock::now().time_since_epoch();
    std::cerr << std::chrono::nanoseconds(now).count() << std::endl;
    std::cin >> answer;
    return 1;
}
