// Interactor for "guess the number": a model to copy from, in plain C++17, without testlib.h.
// guess.rs and guess.py beside it behave in the same way, to the last word on standard error.
//
//     guess INPUT OUTPUT [ANSWER]
//
//     INPUT            `n secret` or `n secret limit`: the range, the number, the questions allowed
//     OUTPUT           receives the number of questions that were used
//     standard input   what the contestant prints
//     standard output  what the contestant reads
//     standard error   one line, for people: what was decided, and why
//     exit code        0 ok, 1 wrong answer, 2 wrong output format, 3 FAIL (our own fault)
//
// The dialogue, line by line: the interactor prints n; the contestant asks `? x` and reads `bigger`,
// `smaller` or `equal` (the secret, compared with x); in the end it answers `! x`.
//
// What every interactor must do, marked below with the same numbers:
//   (1) check its own files first, and never blame the contestant for them;
//   (2) flush after every line, or both sides wait for ever;
//   (3) expect anything at all from the contestant: no text, garbage, endless lines, huge numbers;
//   (4) end after a bounded number of steps, whatever the contestant does;
//   (5) decide exactly once, in one place, and say why.

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t kLargest = 1'000'000'000;  // the largest n, and the largest limit
constexpr std::size_t kLongestLine = 64;          // bytes; the longest sensible line has 12

enum Code { kOk = 0, kWrongAnswer = 1, kWrongFormat = 2, kFail = 3 };

// (5) The only way out. Nothing is decided by returning from somewhere with some code.
[[noreturn]] void finish(Code code, const std::string& why) {
    static const char* const kFirstWords[] = {"ok", "wrong answer", "wrong output format", "FAIL"};
    std::fprintf(stderr, "%s %s\n", kFirstWords[code], why.c_str());
    std::_Exit(code);  // no destructor and no buffer may change the code any more
}

// A decision about the contestant: OUTPUT is written, then the run ends.
[[noreturn]] void decide(Code code, const std::string& why, std::ofstream& output, std::int64_t used) {
    output << used << std::endl;
    if (!output) finish(kFail, "cannot write to OUTPUT");
    finish(code, why);
}

// One line to the contestant.
void say(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);  // (2)
    // A failure is no reason to stop: a contestant that has gone without waiting for this reply is
    // judged by what it had printed before, and reading on will show what that is.
}

// A line from the contestant, without its newline. At the end of input, what is left counts as the
// last line; after that there is none.
struct Line {
    bool present = false;
    bool too_long = false;
    std::string text;
};

Line hear() {
    Line line;
    for (int c; (c = std::getchar()) != EOF;) {
        line.present = true;
        if (c == '\n') return line;
        if (line.text.size() == kLongestLine) {  // (3) do not wait for the end of an endless line
            line.too_long = true;
            return line;
        }
        line.text.push_back(static_cast<char>(c));
    }
    if (std::ferror(stdin)) finish(kFail, "cannot read what the contestant prints");
    return line;
}

// Words, separated by any of the given bytes. (Not isspace: it changes with the locale.)
std::vector<std::string> split(const std::string& text, const std::string& separators) {
    std::vector<std::string> words;
    for (std::size_t from = 0;;) {
        from = text.find_first_not_of(separators, from);
        if (from == std::string::npos) return words;
        std::size_t to = text.find_first_of(separators, from);
        if (to == std::string::npos) to = text.size();
        words.push_back(text.substr(from, to - from));
        from = to;
    }
}

// An integer as it is usually written: no plus, no leading zeros, no `-0`. One that is too large for
// the type is still an integer, just out of every range: it comes back as the type's extreme.
std::optional<std::int64_t> integer(const std::string& text) {
    const bool negative = !text.empty() && text[0] == '-';
    const std::string digits = text.substr(negative ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return {};
    if (digits[0] == '0' && (digits.size() > 1 || negative)) return {};
    if (digits.size() > 18) return negative ? INT64_MIN : INT64_MAX;  // (3)
    const std::int64_t value = std::strtoll(digits.c_str(), nullptr, 10);
    return negative ? -value : value;
}

// The contestant's bytes, made fit for a message of one line.
std::string shown(const std::string& text) {
    std::string result;
    for (unsigned char c : text) {
        if (c >= 0x20 && c < 0x7f) {
            result.push_back(static_cast<char>(c));
        } else {
            char escaped[5];
            std::snprintf(escaped, sizeof escaped, "\\x%02x", c);
            result += escaped;
        }
    }
    return result;
}

struct Test {
    std::int64_t n = 0;
    std::int64_t secret = 0;
    std::int64_t limit = 0;
};

// 2 * ceil(log2 n) + 2, in integers: floating point has no place in a limit.
std::int64_t usual_limit(std::int64_t n) {
    std::int64_t halvings = 0;
    while ((std::int64_t{1} << halvings) < n) ++halvings;
    return 2 * halvings + 2;
}

// (1)
Test read_test(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) finish(kFail, "cannot read INPUT " + shown(path));
    std::vector<std::string> words;
    for (std::string word; words.size() <= 3 && file >> word;) words.push_back(word);
    if (file.bad()) finish(kFail, "cannot read INPUT " + shown(path));
    if (words.size() < 2 || words.size() > 3) {
        finish(kFail, "INPUT must hold `n secret` or `n secret limit`");
    }
    const auto number = [&](std::size_t index, const char* name, std::int64_t least, std::int64_t most) {
        const auto value = integer(words[index]);
        if (!value || *value < least || *value > most) {
            finish(kFail, std::string("INPUT: ") + name + " must be an integer from " +
                              std::to_string(least) + " to " + std::to_string(most) + ", found `" +
                              shown(words[index]) + "`");
        }
        return *value;
    };
    Test test;
    test.n = number(0, "n", 1, kLargest);
    test.secret = number(1, "secret", 1, test.n);
    test.limit = words.size() == 3 ? number(2, "limit", 0, kLargest) : usual_limit(test.n);
    return test;
}

}  // namespace

int main(int argc, char** argv) {
    // Printing to a contestant that has ended must not kill us: a signal decides nothing.
    std::signal(SIGPIPE, SIG_IGN);

    // (1) ANSWER is not needed: the secret is in INPUT. Arguments after it are let pass.
    if (argc < 3) finish(kFail, "usage: guess INPUT OUTPUT [ANSWER]");
    const Test test = read_test(argv[1]);
    std::ofstream output(argv[2], std::ios::binary);
    if (!output) finish(kFail, "cannot open OUTPUT " + shown(argv[2]));

    const std::string range = "between 1 and " + std::to_string(test.n);
    std::int64_t used = 0;
    const auto in_range = [&](std::int64_t x) { return x >= 1 && x <= test.n; };
    // Like decide, these two do not return.
    const auto wrong_answer = [&](const std::string& why) { decide(kWrongAnswer, why, output, used); };
    const auto wrong_format = [&](const std::string& found) {
        decide(kWrongFormat, "expected a question or an answer, found " + found, output, used);
    };

    say(std::to_string(test.n));
    for (;;) {  // (4) each round either ends the run or uses up a question
        const Line line = hear();
        if (!line.present) wrong_format("the end");
        if (line.too_long) {
            wrong_format("a line of more than " + std::to_string(kLongestLine) + " bytes: `" +
                         shown(line.text) + "`");
        }
        const auto words = split(line.text, " \t\r");
        if (words.size() != 2 || (words[0] != "?" && words[0] != "!")) {
            wrong_format("`" + shown(line.text) + "`");
        }
        const auto x = integer(words[1]);
        if (!x) wrong_format("`" + shown(line.text) + "`");

        if (words[0] == "!") {
            if (!in_range(*x)) wrong_answer("the answer " + words[1] + " is not " + range);
            if (*x != test.secret) {
                wrong_answer("the number is " + std::to_string(test.secret) + ", not " + words[1]);
            }
            // What the contestant prints after its answer is not our business.
            decide(kOk, "found " + words[1] + ", questions: " + std::to_string(used) + " of " +
                            std::to_string(test.limit), output, used);
        }

        if (used == test.limit) {
            wrong_answer("one question too many: " + std::to_string(test.limit) + " are allowed");
        }
        ++used;
        if (!in_range(*x)) {
            wrong_answer("question " + std::to_string(used) + ": " + words[1] + " is not " + range);
        }
        say(test.secret > *x ? "bigger" : test.secret < *x ? "smaller" : "equal");
    }
}
