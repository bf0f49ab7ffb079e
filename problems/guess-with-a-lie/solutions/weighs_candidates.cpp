// Keeps all numbers that agree with all replies but at most one, and asks so that what is left weighs
// least: a number that no reply has spoken against yet can still be left in many ways.
#include <cstdio>
#include <cstring>
#include <vector>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    int left = 1;  // questions
    for (int size = 1; size < n; size *= 2) left += 2;
    std::vector<int> against(n + 1, 0);  // replies that a number contradicts
    for (;;) {
        int candidates = 0, last = 0;
        long long total = 0;
        for (int v = 1; v <= n; v++) {
            if (against[v] > 1) continue;
            ++candidates;
            last = v;
            total += against[v] == 0 ? left + 1 : 1;
        }
        if (candidates == 1) {
            std::printf("! %d\n", last);
            return 0;
        }
        // The first number at which half of the weight is below; 1 would be no question.
        long long below = 0;
        int x = 1;
        while (2 * below < total) {
            below += against[x] > 1 ? 0 : against[x] == 0 ? left + 1 : 1;
            ++x;
        }
        if (x > last) x = last;
        std::printf("? %d\n", x);
        std::fflush(stdout);
        --left;
        char reply[8];
        if (std::scanf("%7s", reply) != 1) return 1;
        const bool yes = std::strcmp(reply, "yes") == 0;
        for (int v = 1; v <= n; v++) against[v] += (v >= x) != yes;
    }
}
