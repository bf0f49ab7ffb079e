// Knows the secret, replies to questions, and decides. strict.hpp reads without trusting, flushes, and turns
// each decision into the exit code of the protocol.

#include "strict.hpp"

int main(int argc, char** argv) {
    constexpr int kMostQuestions = 10;
    strict::Dialogue dialogue(argc, argv, strict::Protocol::kTestlib);

    // What is wrong in the test is the jury's fault.
    strict::Reader& test = dialogue.test.next_line("n and the secret");
    const auto n = test.integer("n", 1, 1000);
    const auto secret = test.integer("the secret", 1, n);
    test.end_line();
    test.end();

    dialogue.say(n);
    for (int questions = 0;; ++questions) {
        // What is wrong here is the contestant's.
        strict::Reader& line = dialogue.contestant.next_line("a question or an answer");
        const bool answers = line.one_of("`?` or `!`", {"?", "!"}) == 1;
        const auto x = line.integer("x", 1, n);
        line.end_line();
        if (answers) {
            if (x != secret) line.wrong(strict::text("the secret is ", secret, ", not ", x));
            dialogue.accept(strict::text("questions: ", questions));
        }
        if (questions == kMostQuestions) {
            line.wrong(strict::text("more than ", kMostQuestions, " questions"));
        }
        dialogue.say(x < secret ? "bigger" : x > secret ? "smaller" : "equal");
    }
}
