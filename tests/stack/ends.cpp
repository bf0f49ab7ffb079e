// The C++ side of ends.c, with all of the library that a contest's program includes.
#include <bits/stdc++.h>
using namespace std;

volatile int zero, sink;

struct Graph {
    vector<vector<int>> edges;
    __attribute__((noinline)) int visit(int node) const {
        int sum = node;
        for (int next : edges.at(node)) { // here: visit-at
            sum += visit(next); // here: visit
        }
        return sum;
    }
};

namespace contest {
template <class T>
__attribute__((noinline)) T throws(T number) {
    vector<T> numbers(3);
    sink = static_cast<int>(numbers.at(number)); // here: throws
    return number;
}
} // namespace contest

int main(int, char **arguments) {
    string way = arguments[1];
    if (way == "visit") {
        Graph graph{{{1}, {2}, {7}}};
        sink = graph.visit(0); // here: main-visit
    }
    if (way == "throws") sink = contest::throws<long>(5); // here: main-throws
    if (way == "lambda") {
        vector<int> numbers = {3, 1, 2};
        sort(numbers.begin(), numbers.end(), [](int a, int b) {
            if (zero == 0) abort(); // here: lambda
            return a < b;
        });
    }
    if (way == "assert") assert(zero == 1); // here: assert
    if (way == "double-free") {
        int *volatile number = new int(5);
        delete number;
        delete number; // here: double-free
    }
}
