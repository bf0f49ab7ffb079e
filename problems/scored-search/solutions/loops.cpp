// Time limit: a binary search in which `low` is never more than `middle`, so that it never ends.
#include <cstdlib>
#include <iostream>
#include <map>

std::map<int, long long> known;

long long height(int place) {
    const auto found = known.find(place);
    if (found != known.end()) return found->second;
    std::cout << "? " << place << std::endl;
    long long reply;
    if (!(std::cin >> reply)) std::exit(1);
    return known[place] = reply;
}

int main() {
    int n;
    std::cin >> n;
    int low = 1, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (height(middle) < height(middle + 1)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    std::cout << "! " << low << std::endl;
}
