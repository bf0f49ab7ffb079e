// Waits for a line as C++ programs do.
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>

int main(int count, char **words) {
    const std::string way = count > 1 ? words[1] : "";
    std::string line;
    if (way == "cin") {
        std::cin >> line;
    } else if (way == "fast") {
        std::ios::sync_with_stdio(false);
        std::cin.tie(nullptr);
        std::getline(std::cin, line);
    } else if (way == "thread") {
        std::mutex lock;
        std::condition_variable come;
        bool here = false;
        std::thread reader([&] {
            std::getline(std::cin, line);
            std::lock_guard<std::mutex> guard(lock);
            here = true;
            come.notify_one();
        });
        std::unique_lock<std::mutex> guard(lock);
        come.wait(guard, [&] { return here; });
        guard.unlock();
        reader.join();
    } else {
        return 7;
    }
    return line.empty() ? 8 : 0;
}
