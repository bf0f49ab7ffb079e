// As ends.c, for what only C++ has.
#include <chrono>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>

[[gnu::noinline]] static int pick(const std::vector<int> &from, int which) {
    int found = from.at(which); // range
    return found + 1;
}

[[gnu::noinline]] static void reject() {
    throw std::runtime_error("no way out"); // throws
}

[[gnu::noinline]] static int answer() {
    int n = 0;
    std::cin >> n; // asks
    return n + 1;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    if (!std::strcmp(way, "range"))
        return pick(std::vector<int>(3), argc + 5);
    if (!std::strcmp(way, "throws"))
        reject();
    if (!std::strcmp(way, "asks"))
        return answer() == 7;
    return 0;
}
