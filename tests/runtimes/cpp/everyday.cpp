// What ordinary C++ programs do: see ../table.toml.
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static void answer() {
    for (long number; std::cin >> number;) std::cout << 2 * number << std::endl;
}

static void threads() {
    std::vector<long> totals(4);
    std::vector<std::thread> workers;
    for (std::size_t first = 0; first < totals.size(); first++)
        workers.emplace_back([&totals, first] {
            long total = 0;
            for (long i = 0; i < 1000000; i++) total += static_cast<long>(first) + i % 7;
            totals[first] = total;
        });
    for (auto &worker : workers) worker.join();
    long all = 0;
    for (long total : totals) all += total;
    std::cout << all << "\n";
}

// One that an address sanitizer finds; without one it mostly goes unnoticed.
static int overflow() {
    std::vector<int> *numbers = new std::vector<int>(10);
    int *volatile behind = numbers->data() + 10;
    int found = *behind;
    delete numbers;
    return found == 12345;
}

int main(int count, char **words) {
    const std::string what = count > 1 ? words[1] : "";
    if (what == "hello") {
        std::cout << "hello\n";
    } else if (what == "answer") {
        answer();
    } else if (what == "threads") {
        threads();
    } else if (what == "heap") {
        const std::vector<char> memory(200 << 20, 1);
        std::cout << int(memory[12345]) << "\n";
    } else if (what == "crash") {
        throw std::runtime_error("nobody catches this");
    } else if (what == "overflow") {
        return overflow();
    } else if (what == "exhaust") {
        std::vector<std::vector<char>> kept;
        for (;;) kept.emplace_back(1 << 20, 1);
    } else {
        return 2;
    }
}
