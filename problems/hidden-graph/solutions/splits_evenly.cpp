// Asks about the edge that splits the vertices that are left most evenly.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<std::vector<int>> neighbours(n + 1);
    for (int edge = 1; edge < n; edge++) {
        int u, v;
        if (std::scanf("%d %d", &u, &v) != 2) return 1;
        neighbours[u].push_back(v);
        neighbours[v].push_back(u);
    }
    // Parents before children.
    std::vector<int> parent(n + 1, 0), order = {1};
    for (std::size_t at = 0; at < order.size(); at++) {
        for (const int next : neighbours[order[at]]) {
            if (next == parent[order[at]]) continue;
            parent[next] = order[at];
            order.push_back(next);
        }
    }
    // `order` holds the vertices in which the path can end; the first is above all others.
    std::vector<int> size(n + 1);
    std::vector<char> inside(n + 1);
    while (order.size() > 1) {
        const int left = static_cast<int>(order.size());
        for (const int v : order) size[v] = 1;
        for (int at = left - 1; at > 0; at--) size[parent[order[at]]] += size[order[at]];
        const int lower = *std::min_element(order.begin() + 1, order.end(), [&](int a, int b) {
            return std::abs(2 * size[a] - left) < std::abs(2 * size[b] - left);
        });
        std::printf("? %d %d\n", parent[lower], lower);
        std::fflush(stdout);
        char reply[8];
        if (std::scanf("%7s", reply) != 1) return 1;
        inside[order[0]] = false;
        for (const int v : order) {
            if (v != order[0]) inside[v] = inside[parent[v]];
            if (v == lower) inside[v] = true;
        }
        const bool keep = reply[0] == 'y';
        order.erase(std::remove_if(order.begin(), order.end(), [&](int v) { return inside[v] != keep; }),
                    order.end());
    }
    std::printf("! %d\n", order[0]);
}
