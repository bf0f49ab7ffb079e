// Binary search: two neighbours show on which side of them the top is. Two questions for each halving.
#include <cstdlib>
#include <iostream>

long long height(int place) {
    std::cout << "? " << place << std::endl;
    long long reply;
    if (!(std::cin >> reply)) std::exit(1);
    return reply;
}

int main() {
    int n;
    std::cin >> n;
    int low = 1, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (height(middle) < height(middle + 1)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    std::cout << "! " << low << std::endl;
}
