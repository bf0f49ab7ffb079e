// Asks for ever and never reads an answer.
#include <cstdio>

int main() {
    for (;;) std::puts("? 0");
}
