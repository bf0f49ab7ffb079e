// Reads a number and prints as many zeros, one at a time. Compiled without optimisation, and with
// the standard streams in step with C's, as a program is that nobody tuned.
//
// With an argument every zero is written at once; without one they wait in a buffer of C's stdio.
#include <iostream>

int main(int argc, char **) {
    if (argc > 1) {
        std::cout << std::unitbuf;
    }
    long long left = 0;
    std::cin >> left;
    for (; left > 0; --left) {
        std::cout << '0';
    }
}
