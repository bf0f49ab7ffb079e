#!/usr/bin/env python3
"""Interactor for "guess the number": a model to copy from, nothing but the standard library.
guess.cpp and guess.rs beside it behave in the same way, to the last word on standard error.

    guess.py INPUT OUTPUT [ANSWER]

    INPUT            `n secret` or `n secret limit`: the range, the number, the questions allowed
    OUTPUT           receives the number of questions that were used
    standard input   what the contestant prints
    standard output  what the contestant reads
    standard error   one line, for people: what was decided, and why
    exit code        0 ok, 1 wrong answer, 2 wrong output format, 3 FAIL (our own fault)

The dialogue, line by line: the interactor prints n; the contestant asks `? x` and reads `bigger`,
`smaller` or `equal` (the secret, compared with x); in the end it answers `! x`.

What every interactor must do, marked below with the same numbers:
  (1) check its own files first, and never blame the contestant for them;
  (2) flush after every line, or both sides wait for ever;
  (3) expect anything at all from the contestant: no text, garbage, endless lines, huge numbers;
  (4) end after a bounded number of steps, whatever the contestant does;
  (5) decide exactly once, in one place, and say why.
"""

import os
import re
import sys

LARGEST = 1_000_000_000  # the largest n, and the largest limit
LONGEST_LINE = 64  # bytes; the longest sensible line has 12

OK, WRONG_ANSWER, WRONG_FORMAT, FAIL = range(4)
FIRST_WORDS = ("ok", "wrong answer", "wrong output format", "FAIL")

# An integer as it is usually written: no plus, no leading zeros, no `-0`. And [0-9], because \d and
# str.isdigit() take digits of every script, and int() takes `1_000` and ` 7 ` besides.
INTEGER = re.compile(rb"0|-?[1-9][0-9]*")
MESSAGE = re.compile(rb"[ \t\r]*([?!])[ \t\r]+(0|-?[1-9][0-9]*)[ \t\r]*")


class Decision(Exception):
    """How it ended, and why. Raised from anywhere, turned into words and a code in one place."""

    def __init__(self, code, why):
        super().__init__(why)
        self.code = code
        self.why = why


def shown(data):
    """Bytes of the contestant's, made fit for a message of one line."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}" for byte in data)


def say(line):
    """One line to the contestant."""
    try:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()  # (2)
    except OSError:
        # A failure is no reason to stop: a contestant that has gone without waiting for this reply
        # is judged by what it had printed before, and reading on will show what that is.
        pass


def hear():
    """One line from the contestant without its newline, or None at the end of input.

    What is left at the end of input counts as the last line.
    """
    try:
        # (3) Bytes, because they may be no UTF-8 and decoding would raise. And never more than a
        # line can have, so that nobody waits for the end of an endless one.
        line = sys.stdin.buffer.readline(LONGEST_LINE + 1)
    except OSError:
        raise Decision(FAIL, "cannot read what the contestant prints") from None
    if not line:
        return None
    if line.endswith(b"\n"):
        return line[:-1]
    if len(line) > LONGEST_LINE:
        start = shown(line[:LONGEST_LINE])
        wrong_format(f"a line of more than {LONGEST_LINE} bytes: `{start}`")
    return line


def wrong_format(found):
    raise Decision(WRONG_FORMAT, f"expected a question or an answer, found {found}")


def read_test(path):
    """Reads and checks INPUT (1): n, secret, limit."""
    try:
        with open(path, "rb") as file:
            words = file.read().split()
    except OSError:
        raise Decision(FAIL, f"cannot read INPUT {shown(os.fsencode(path))}") from None
    if len(words) not in (2, 3):
        raise Decision(FAIL, "INPUT must hold `n secret` or `n secret limit`")

    def number(word, name, least, most):
        # The length first: int() refuses numbers of more than 4300 digits with an exception.
        if INTEGER.fullmatch(word) and len(word) < 20 and least <= int(word) <= most:
            return int(word)
        why = f"INPUT: {name} must be an integer from {least} to {most}, found `{shown(word)}`"
        raise Decision(FAIL, why)

    n = number(words[0], "n", 1, LARGEST)
    secret = number(words[1], "secret", 1, n)
    if len(words) == 3:
        return n, secret, number(words[2], "limit", 0, LARGEST)
    # 2 * ceil(log2 n) + 2, in integers: floating point has no place in a limit.
    return n, secret, 2 * (n - 1).bit_length() + 2


class Game:
    """The dialogue."""

    def __init__(self, n, secret, limit):
        self.n = n
        self.secret = secret
        self.limit = limit
        self.used = 0

    def talk(self):
        """Talks until there is a decision, which it raises."""
        say(self.n)
        while True:  # (4) each round either ends the run or uses up a question
            line = hear()
            if line is None:
                wrong_format("the end")
            message = MESSAGE.fullmatch(line)
            if message is None:
                wrong_format(f"`{shown(line)}`")
            x = int(message[2])
            if message[1] == b"!":
                self.answer(x)
            self.question(x)

    def question(self, x):
        if self.used == self.limit:
            why = f"one question too many: {self.limit} are allowed"
            raise Decision(WRONG_ANSWER, why)
        self.used += 1
        if not 1 <= x <= self.n:
            why = f"question {self.used}: {x} is not between 1 and {self.n}"
            raise Decision(WRONG_ANSWER, why)
        say("bigger" if self.secret > x else "smaller" if self.secret < x else "equal")

    def answer(self, x):
        if not 1 <= x <= self.n:
            raise Decision(WRONG_ANSWER, f"the answer {x} is not between 1 and {self.n}")
        if x != self.secret:
            raise Decision(WRONG_ANSWER, f"the number is {self.secret}, not {x}")
        # What the contestant prints after its answer is not our business.
        raise Decision(OK, f"found {x}, questions: {self.used} of {self.limit}")


def run(arguments):
    """Everything around the dialogue: the files. Returns the decision."""
    # (1) ANSWER is not needed: the secret is in INPUT. Arguments after it are let pass.
    if len(arguments) < 2:
        return Decision(FAIL, "usage: guess INPUT OUTPUT [ANSWER]")
    try:
        game = Game(*read_test(arguments[0]))
        try:
            output = open(arguments[1], "w", encoding="ascii")
        except OSError:
            path = shown(os.fsencode(arguments[1]))
            return Decision(FAIL, f"cannot open OUTPUT {path}")
        try:
            game.talk()
        except Decision as decision:
            if decision.code != FAIL:
                try:
                    output.write(f"{game.used}\n")
                    output.close()
                except OSError:
                    return Decision(FAIL, "cannot write to OUTPUT")
            return decision
    except Decision as decision:
        return decision


def main():
    # (5) The code and the words are given here and nowhere else. An exception that gets past this
    # would end Python with code 1, which says "wrong answer": our own mistake, blamed on the
    # contestant. So everything is caught, and what was not foreseen is a FAIL.
    try:
        decision = run(sys.argv[1:])
        code, why = decision.code, decision.why
    except BaseException as error:
        code, why = FAIL, f"{type(error).__name__}: {error}"
    try:
        sys.stderr.write(f"{FIRST_WORDS[code]} {why}\n")
        sys.stderr.flush()
    finally:
        # Not sys.exit: it flushes standard output again, and when the contestant has gone, that
        # replaces the code by 120.
        os._exit(code)


if __name__ == "__main__":
    main()
