// Time limit: counts what is below each vertex by climbing from every vertex up to the top. That does
// where the tree is flat, and not where it is a long path.
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
    std::vector<int> parent(n + 1, 0), order = {1};
    for (std::size_t at = 0; at < order.size(); at++) {
        for (const int next : neighbours[order[at]]) {
            if (next == parent[order[at]]) continue;
            parent[next] = order[at];
            order.push_back(next);
        }
    }
    // The path can end below `top`, but not below any vertex that is closed.
    int top = 1;
    std::vector<char> closed(n + 1, false);
    for (;;) {
        std::vector<int> size(n + 1, 0), path;
        int left = 0;
        for (const int vertex : order) {
            path.clear();
            int at = vertex;
            while (at != 0 && at != top && !closed[at]) {
                path.push_back(at);
                at = parent[at];
            }
            if (at != top) continue;
            ++left;
            for (const int below : path) ++size[below];
        }
        int lower = 0;
        for (const int vertex : order) {
            if (size[vertex] == 0) continue;
            if (lower == 0 || std::abs(2 * size[vertex] - left) < std::abs(2 * size[lower] - left)) {
                lower = vertex;
            }
        }
        if (lower == 0) break;
        std::printf("? %d %d\n", lower, parent[lower]);
        std::fflush(stdout);
        char reply[8];
        if (std::scanf("%7s", reply) != 1) return 1;
        if (reply[0] == 'y') {
            top = lower;
        } else {
            closed[lower] = true;
        }
    }
    std::printf("! %d\n", top);
}
