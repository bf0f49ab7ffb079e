// Wrong answer: follows the path edge by edge, which takes too many questions where it is long.
#include <iostream>
#include <string>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<std::vector<int>> neighbours(n + 1);
    for (int edge = 1; edge < n; edge++) {
        int u, v;
        std::cin >> u >> v;
        neighbours[u].push_back(v);
        neighbours[v].push_back(u);
    }
    int above = 0, vertex = 1;
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (const int next : neighbours[vertex]) {
            if (next == above) continue;
            std::cout << "? " << vertex << ' ' << next << std::endl;
            std::string reply;
            if (!(std::cin >> reply)) return 1;
            if (reply == "yes") {
                above = vertex;
                vertex = next;
                goes_on = true;
                break;
            }
        }
    }
    std::cout << "! " << vertex << std::endl;
}
