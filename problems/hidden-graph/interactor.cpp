// Interactor for "hidden graph": sends a large tree first, then says which of its edges are on the
// path from vertex 1 to a vertex of its own.
//
// INPUT has one line, `n shape seed end`: the vertices, how the tree is grown, with which random
// numbers, and where the path ends, counted in the order in which the vertices grew. Shapes: 0 at
// random, 1 one long path, 2 a path with a leaf at each vertex, 3 as flat as can be. OUTPUT receives
// the number of questions.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../../interactors/strict.hpp"

namespace {

// splitmix64: the same numbers on every machine, which std::shuffle and the distributions of the
// standard library do not promise.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    // From 0 to `size` - 1; that small sizes are a little uneven does no harm here.
    std::uint64_t below(std::uint64_t size) {
        state_ += 0x9e3779b97f4a7c15;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return (z ^ (z >> 31)) % size;
    }

private:
    std::uint64_t state_;
};

// The parent of each vertex from 1 to n in the order of growth; 1 has the parent 0. No vertex has
// more than two children.
std::vector<int> grow(int n, std::int64_t shape, Random& random) {
    std::vector<int> parent(n + 1, 0);
    std::vector<int> free = {1, 1};  // each vertex as often as it can take another child
    for (int v = 2; v <= n; v++) {
        if (shape == 1) {
            parent[v] = v - 1;
        } else if (shape == 2) {
            parent[v] = v % 2 == 0 || v == 3 ? v - 1 - (v == 3) : v - 2;
        } else if (shape == 3) {
            parent[v] = v / 2;
        } else {
            const std::uint64_t place = random.below(free.size());
            parent[v] = free[place];
            free[place] = v;
            free.push_back(v);
        }
    }
    return parent;
}

// The numbers that the vertices have for the contestant; 1 keeps its own.
std::vector<int> names(int n, Random& random) {
    std::vector<int> name(n + 1);
    for (int v = 0; v <= n; v++) name[v] = v;
    for (int v = n; v > 2; v--) std::swap(name[v], name[2 + random.below(v - 1)]);
    return name;
}

}  // namespace

int main(int argc, char** argv) {
    using strict::text;
    strict::Dialogue dialogue(argc, argv);
    strict::Reader& test = dialogue.test.next_line("n, shape, seed and end");
    const int n = static_cast<int>(test.integer("n", 2, 100'000));
    const std::int64_t shape = test.integer("shape", 0, 3);
    Random random(static_cast<std::uint64_t>(test.integer("seed", 0, 1'000'000'000)));
    const int end = static_cast<int>(test.integer("end", 1, n));
    test.end_line();
    test.end();

    const std::vector<int> grown = grow(n, shape, random);
    const std::vector<int> name = names(n, random);
    std::vector<int> parent(n + 1, 0);
    for (int v = 2; v <= n; v++) parent[name[v]] = name[grown[v]];
    std::vector<bool> on_path(n + 1, false);
    for (int v = name[end]; v != 0; v = parent[v]) on_path[v] = true;
    int limit = 2;  // 2 * ceil(log2 n) + 2
    for (std::int64_t size = 1; size < n; size *= 2) limit += 2;

    // The edges in the order of the children's numbers, and each either way round.
    std::string tree = text(n, '\n');
    for (int v = 2; v <= n; v++) {
        const bool turned = random.below(2) == 1;
        tree += std::to_string(turned ? v : parent[v]) + ' ' + std::to_string(turned ? parent[v] : v) + '\n';
    }
    dialogue.send(tree);

    for (int used = 0;; used++) {
        strict::Reader& line = dialogue.contestant.next_line("a question or an answer");
        if (line.one_of("`?` or `!`", {"?", "!"}) == 1) {
            const auto x = line.integer("the answer", 1, n);
            line.end_line();
            dialogue.note(text(used));
            if (x != name[end]) line.wrong(text("the path ends in ", name[end], ", not in ", x));
            dialogue.accept(text("found ", x, ", questions: ", used, " of ", limit));
        }
        const auto u = line.integer("the edge's first vertex", 1, n);
        const auto v = line.integer("the edge's second vertex", 1, n);
        line.end_line();
        if (parent[u] != v && parent[v] != u) line.wrong(text("there is no edge between ", u, " and ", v));
        if (used == limit) line.wrong(text("one question too many: ", limit, " are allowed"));
        dialogue.say(on_path[u] && on_path[v] ? "yes" : "no");
    }
}
