// Time limit: looks for a winning move by playing out every game, and remembers none of them.
#include <cstdio>
#include <vector>

std::vector<int> piles;

bool wins();

// Finds a winning move; false if there is none.
bool find(int& pile, int& count) {
    for (pile = 0; pile < static_cast<int>(piles.size()); pile++) {
        const int size = piles[pile];
        for (count = 1; count <= size; count++) {
            piles[pile] = size - count;
            const bool won = !wins();
            piles[pile] = size;
            if (won) return true;
        }
    }
    return false;
}

bool wins() {
    int pile, count;
    return find(pile, count);
}

int main() {
    int number;
    if (std::scanf("%d", &number) != 1) return 1;
    piles.resize(number);
    for (int& size : piles) {
        if (std::scanf("%d", &size) != 1) return 1;
    }
    for (;;) {
        int pile, count;
        if (!find(pile, count)) return 1;
        std::printf("%d %d\n", pile + 1, count);
        std::fflush(stdout);
        piles[pile] -= count;
        bool left = false;
        for (const int size : piles) left = left || size > 0;
        if (!left) return 0;
        if (std::scanf("%d %d", &pile, &count) != 2) return 1;
        piles[pile - 1] -= count;
    }
}
