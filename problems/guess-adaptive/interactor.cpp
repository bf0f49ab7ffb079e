// Interactor for "guess, adaptively": there is no secret. It keeps the range of the numbers that agree
// with all its replies, and gives each reply so that as many as possible remain.
//
// INPUT has one line, `n`. OUTPUT receives the number of questions.

#include <algorithm>
#include <cstdint>

#include "../../interactors/strict.hpp"

int main(int argc, char** argv) {
    using strict::text;
    strict::Dialogue dialogue(argc, argv);
    const std::int64_t n = dialogue.test.next_line("n").integer("n", 1, 1'000'000'000);
    dialogue.test.end_line();
    dialogue.test.end();

    std::int64_t limit = 1;  // floor(log2 n) + 1
    for (std::int64_t rest = n; rest > 1; rest /= 2) ++limit;

    dialogue.say(n);
    std::int64_t low = 1, high = n;  // the numbers that are still possible
    for (std::int64_t used = 0;; ++used) {
        strict::Reader& line = dialogue.contestant.next_line("a question or an answer");
        const bool answers = line.one_of("`?` or `!`", {"?", "!"}) == 1;
        const std::int64_t x = line.integer(answers ? "the answer" : "the number asked about", 1, n);
        line.end_line();

        if (answers) {
            dialogue.note(text(used));
            if (low == high && x == low) {
                dialogue.accept(text("found ", x, ", questions: ", used, " of ", limit));
            }
            const bool open = low <= x && x <= high;
            line.wrong(text("the number is ", x == low ? high : low, ", not ", x,
                            open ? "; both agree with every reply" : ""));
        }

        if (used == limit) line.wrong(text("one question too many: ", limit, " are allowed"));
        const std::int64_t below = std::max<std::int64_t>(0, std::min(high, x - 1) - low + 1);
        const std::int64_t above = std::max<std::int64_t>(0, high - std::max(low, x + 1) + 1);
        if (below == 0 && above == 0) {
            dialogue.say("equal");
        } else if (above >= below) {
            low = std::max(low, x + 1);
            dialogue.say("bigger");
        } else {
            high = std::min(high, x - 1);
            dialogue.say("smaller");
        }
    }
}
