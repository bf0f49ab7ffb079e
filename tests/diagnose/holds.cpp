// Prints something in the way that its argument names, says "ready" on descriptor 2 as soon as that
// lies in a buffer, and then waits for input.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <unistd.h>

// As large as those of contest programs are.
int table[1 << 20];

static void fill(int bytes) {
    for (int i = 0; i < bytes; i++) std::cout << char('a' + i % 26);
}

int main(int argc, char **argv) {
    const std::string way = argc > 1 ? argv[1] : "";
    std::ostringstream aside;
    std::ofstream file;
    const bool fast = way.rfind("fast-", 0) == 0;
    if (fast) {
        std::ios::sync_with_stdio(false);
        std::cin.tie(nullptr);
    }
    if (way == "synchronised" || way == "fast-plain") {
        std::cout << "? " << 50 << "\n";
    } else if (way == "fast-flushed") {
        std::cout << "? 50" << std::endl;
    } else if (way == "fast-rest") {
        fill(10000);
    } else if (way == "fast-full") {
        static char room[1 << 16];
        std::cout.rdbuf()->pubsetbuf(room, sizeof room);
        fill(10000);
    } else if (way == "fast-both") {
        std::cout << "? 1\n";
        printf("? 2\n");
    } else if (way == "fast-log") {
        std::clog << "a remark";
    } else if (way == "fast-wide") {
        std::wcout << L"? 5\n";
    } else if (way == "fast-aside") {
        // Not output: it never leaves the program.
        std::cout.rdbuf(aside.rdbuf());
        std::cout << "not output";
    } else if (way == "fast-file") {
        file.open("/dev/null");
        std::cout.rdbuf(file.rdbuf());
        std::clog.rdbuf(file.rdbuf());
        std::cout << "a note";
    } else if (way != "nothing" && way != "fast-nothing") {
        return 3;
    }
    if (write(2, "ready\n", 6) != 6) return 4;
    char byte;
    const auto read_bytes = read(0, &byte, 1);
    std::_Exit(read_bytes < 0);
}
