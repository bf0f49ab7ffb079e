// A small library for interactors in C++17: reads what the contestant prints without trusting it,
// flushes by itself, and decides in one place. Its twins in Rust and Python, strict.rs and strict.py, end
// with the same words on standard error.
//
//     #include "strict.hpp"
//
//     int main(int argc, char** argv) {
//         strict::Dialogue dialogue(argc, argv);
//         const auto n = dialogue.test.next_line("n").integer("n", 1, 1000);
//         dialogue.test.end_line();
//         dialogue.test.end();
//         dialogue.say(n);
//         auto& line = dialogue.contestant.next_line("a guess");
//         ...
//         dialogue.accept("found it");
//     }
//
// It speaks the protocol of testlib: started as `interactor INPUT OUTPUT [ANSWER]`, it ends with exit
// code 0 ok, 1 wrong answer, 2 wrong output format, 3 FAIL or 7 points, and says why on standard error.
// With Protocol::kIcpc it is started as `validator INPUT ANSWER FEEDBACK_DIR`, ends with exit code 42
// accepted, 43 wrong, or 3 for our own fault, and says why in `judgemessage.txt` as well.
//
// What is wrong with a line of the contestant's is
//   - a presentation error if the line is not what the dialogue calls for: the end of the output, a
//     word too few or too many, a word that is no integer, a line without end;
//   - a wrong answer if it is, but a number is out of its range.
// In the test's input, both are our own fault.

#ifndef REJOINDER_INTERACTORS_STRICT_HPP
#define REJOINDER_INTERACTORS_STRICT_HPP

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

namespace strict {

enum class Protocol { kTestlib, kIcpc };

enum class Code { kOk = 0, kWrongAnswer = 1, kWrongFormat = 2, kFail = 3, kPoints = 7 };

// Where the decision goes. Until a Dialogue has been opened, there is nowhere but standard error.
inline Protocol protocol = Protocol::kTestlib;
inline std::FILE* judge_message = nullptr;  // of the icpc protocol

inline int exit_code(Code code) {
    if (protocol == Protocol::kTestlib || code == Code::kFail) return static_cast<int>(code);
    return code == Code::kOk || code == Code::kPoints ? 42 : 43;
}

// The only way out. `words` are those by which people and judges know the code.
[[noreturn]] inline void finish(Code code, const std::string& words, const std::string& why) {
    for (std::FILE* const file : {stderr, judge_message}) {
        if (file == nullptr) continue;
        std::fprintf(file, "%s %s\n", words.c_str(), why.c_str());
        std::fflush(file);
    }
    std::_Exit(exit_code(code));  // no destructor may change the code any more
}

// Ends with our own fault.
[[noreturn]] inline void fail(const std::string& why) { finish(Code::kFail, "FAIL", why); }

// The values after each other, as text.
template <typename... Values>
std::string text(const Values&... values) {
    std::ostringstream stream;
    (stream << ... << values);
    return stream.str();
}

// Foreign bytes, made fit for a message of one line: the first 50 of them, and printable.
inline std::string shown(const std::string& bytes) {
    constexpr std::size_t kMost = 50;
    std::string result = "`";
    for (const unsigned char c : bytes.substr(0, kMost)) {
        char escaped[5];
        std::snprintf(escaped, sizeof escaped, c >= 0x20 && c < 0x7f ? "%c" : "\\x%02x", c);
        result += escaped;
    }
    return result + (bytes.size() > kMost ? "...`" : "`");
}

// Lines of words, read one by one, never further than was asked for.
class Reader {
public:
    // Who is to blame for what is wrong here.
    enum class Of { kContestant, kTest };

    Reader(std::FILE* file, Of of, std::size_t longest_line)
        : file_(file), of_(of), longest_line_(longest_line) {}

    // Reads the next line, which there must be. `what` says what it should be, for the message.
    // What is left at the end of input counts as the last line, even without its newline.
    Reader& next_line(const std::string& what) {
        std::string line;
        int c = std::getc(file_);
        if (c == EOF) {
            check();
            malformed("expected " + what + ", found the end");
        }
        ++number_;
        for (; c != EOF && c != '\n'; c = std::getc(file_)) {
            // Do not wait for the end of an endless line.
            if (line.size() == longest_line_) {
                malformed(text("expected ", what, ", found a line of more than ", longest_line_, " bytes"));
            }
            line.push_back(static_cast<char>(c));
        }
        check();
        words_.clear();
        at_ = 0;
        std::string word;
        for (const char c : line + ' ') {
            const bool blank = c == ' ' || c == '\t' || c == '\r';  // isspace changes with the locale
            if (!blank) {
                word.push_back(c);
            } else if (!word.empty()) {
                words_.push_back(word);
                word.clear();
            }
        }
        return *this;
    }

    // The next word of the line.
    std::string word(const std::string& what) {
        if (at_ == words_.size()) malformed("expected " + what + ", found the end of the line");
        return words_[at_++];
    }

    // The next word of the line, which must be one of these; its place among them.
    std::size_t one_of(const std::string& what, std::initializer_list<const char*> choices) {
        const std::string found = word(what);
        std::size_t place = 0;
        for (const char* const choice : choices) {
            if (found == choice) return place;
            ++place;
        }
        malformed("expected " + what + ", found " + shown(found));
    }

    // The next word of the line as an integer from `least` to `most`, as it is usually written: no
    // plus, no leading zeros, no `-0`.
    std::int64_t integer(const std::string& what, std::int64_t least, std::int64_t most) {
        const std::string found = word(what);
        const bool negative = found[0] == '-';
        const std::string digits = found.substr(negative ? 1 : 0);
        const bool plain = !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
        if (!plain || (digits[0] == '0' && (negative || digits.size() > 1))) {
            malformed("expected " + what + ", found " + shown(found));
        }
        // With more digits it is out of every range.
        const std::int64_t size = digits.size() > 18 ? INT64_MAX : std::strtoll(digits.c_str(), nullptr, 10);
        const std::int64_t value = negative ? -size : size;
        if (digits.size() > 18 || value < least || value > most) {
            wrong(text(what, " must be from ", least, " to ", most, ", found ", shown(found)));
        }
        return value;
    }

    // The line must have no more words.
    void end_line() {
        if (at_ < words_.size()) malformed("expected the end of the line, found " + shown(words_[at_]));
    }

    // There must be no more lines. Not for the contestant: what it prints after its answer cannot
    // matter, and it may never come.
    void end() {
        if (std::getc(file_) != EOF) malformed(text("expected the end after line ", number_));
        check();
    }

    // Ends the run: the line is not what is called for.
    [[noreturn]] void malformed(const std::string& why) const {
        if (of_ == Of::kTest) fail("INPUT: " + place() + why);
        finish(Code::kWrongFormat, "wrong output format", place() + why);
    }

    // Ends the run: the line is well formed and wrong.
    [[noreturn]] void wrong(const std::string& why) const {
        if (of_ == Of::kTest) fail("INPUT: " + place() + why);
        finish(Code::kWrongAnswer, "wrong answer", place() + why);
    }

private:
    std::string place() const { return number_ == 0 ? "" : text("line ", number_, ": "); }

    void check() const {
        if (std::ferror(file_)) fail(of_ == Of::kTest ? "cannot read INPUT" : "cannot read standard input");
    }

    std::FILE* file_;
    Of of_;
    std::size_t longest_line_;
    std::size_t number_ = 0;
    std::vector<std::string> words_;
    std::size_t at_ = 0;
};

// Both ends of the run: the test's files, and the contestant.
class Dialogue {
public:
    // `longest_line` bounds the contestant's lines, in bytes.
    Dialogue(int argc, char** argv, Protocol spoken = Protocol::kTestlib, std::size_t longest_line = 1000)
        : test(input(argc, argv, spoken), Reader::Of::kTest, SIZE_MAX),
          contestant(stdin, Reader::Of::kContestant, longest_line) {
        // Printing to a contestant that has ended must not kill us: a signal decides nothing.
        std::signal(SIGPIPE, SIG_IGN);
        const bool icpc = spoken == Protocol::kIcpc;
        const std::string path = icpc ? feedback("judgemessage.txt") : argv[2];
        output_ = std::fopen(path.c_str(), icpc ? "ab" : "wb");
        if (output_ == nullptr) fail("cannot open OUTPUT " + shown(path));
        if (icpc) judge_message = output_;
    }

private:
    std::string feedback_;  // the folder FEEDBACK_DIR; before `test`, whose opening sets it

public:
    Reader test;
    Reader contestant;

    // Sends one line, the values after each other.
    template <typename... Values>
    void say(const Values&... values) {
        send(text(values..., '\n'));
    }

    // Sends lines that are ready, newlines and all. That nobody takes them is no reason to stop:
    // reading on will show what the contestant had printed before it went.
    void send(const std::string& lines) {
        std::fwrite(lines.data(), 1, lines.size(), stdout);
        std::fflush(stdout);
    }

    // Writes a line into OUTPUT, for a checker or for people; with icpc into `judgemessage.txt`.
    void note(const std::string& line) {
        std::fprintf(output_, "%s\n", line.c_str());
        if (std::fflush(output_) != 0) fail("cannot write to OUTPUT");
    }

    // The decisions. A rejection can also come from a reader: `contestant.wrong`.
    [[noreturn]] void accept(const std::string& why) { finish(Code::kOk, "ok", why); }
    [[noreturn]] void award(double points, const std::string& why) {
        if (protocol == Protocol::kIcpc) {
            std::FILE* const file = std::fopen(feedback("score.txt").c_str(), "wb");
            if (file == nullptr) fail("cannot open score.txt");
            std::fprintf(file, "%s\n", text(points).c_str());
            if (std::fclose(file) != 0) fail("cannot write to score.txt");
        }
        finish(Code::kPoints, text("points ", points), why);
    }

private:
    std::FILE* input(int argc, char** argv, Protocol spoken) {
        protocol = spoken;
        const bool icpc = spoken == Protocol::kIcpc;
        if (icpc && argc < 4) fail("usage: validator INPUT ANSWER FEEDBACK_DIR");
        if (argc < 3) fail("usage: interactor INPUT OUTPUT [ANSWER]");
        if (icpc) feedback_ = argv[3];
        std::FILE* const file = std::fopen(argv[1], "rb");
        if (file == nullptr) fail("cannot open INPUT " + shown(argv[1]));
        return file;
    }

    std::string feedback(const char* name) const { return feedback_ + "/" + name; }

    std::FILE* output_ = nullptr;
};

}  // namespace strict

#endif
