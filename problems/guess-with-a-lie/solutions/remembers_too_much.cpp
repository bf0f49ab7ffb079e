// Memory limit: notes for every number and every question whether they agree, a whole page for each.
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<std::vector<char>> notes;
    for (int question = 0; question < 64; question++) notes.emplace_back(4096 * 1024, '?');
    // Used, so that the compiler leaves them in.
    long sum = 0;
    for (const auto& note : notes) sum += note[n % note.size()];
    std::printf("! %d\n", sum > 0 ? 1 : n);
    return 0;
}
