// Idleness limit: `sync_with_stdio(false)` and a `cin` that is tied to nothing, as for a problem
// without interaction.
#include <iostream>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    int low = 1, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        std::cout << "? " << middle << "\n? " << middle + 1 << '\n';
        long long left, right;
        if (!(std::cin >> left >> right)) return 1;
        if (left < right) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    std::cout << "! " << low << '\n';
}
