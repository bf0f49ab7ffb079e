"""A small library for interactors in Python, nothing but the standard library: reads what the
contestant prints without trusting it, flushes by itself, and decides in one place. Its twins in C++
and Rust, strict.hpp and strict.rs, end with the same words on standard error.

    import strict

    def talk(dialogue):
        n = dialogue.test.next_line("n").integer("n", 1, 1000)
        dialogue.test.end_line()
        dialogue.test.end()
        dialogue.say(n)
        line = dialogue.contestant.next_line("a guess")
        ...
        dialogue.accept("found it")

    strict.run(talk)

It speaks the protocol of testlib: started as `interactor INPUT OUTPUT [ANSWER]`, it ends with exit
code 0 ok, 1 wrong answer, 2 wrong output format, 3 FAIL or 7 points, and says why on standard error.
With `strict.run(talk, strict.ICPC)` it is started as `validator INPUT ANSWER FEEDBACK_DIR`, ends with
exit code 42 accepted, 43 wrong, or 3 for our own fault, and says why in `judgemessage.txt` as well.

What is wrong with a line of the contestant's is
  - a presentation error if the line is not what the dialogue calls for: the end of the output, a
    word too few or too many, a word that is no integer, a line without end;
  - a wrong answer if it is, but a number is out of its range.
In the test's input, both are our own fault.
"""

import os
import re
import sys

TESTLIB, ICPC = "testlib", "icpc"

OK, WRONG_ANSWER, WRONG_FORMAT, FAIL, POINTS = 0, 1, 2, 3, 7

# The exit codes of the icpc protocol.
ICPC_CODES = {OK: 42, WRONG_ANSWER: 43, WRONG_FORMAT: 43, FAIL: 3, POINTS: 42}

# As it is usually written: no plus, no leading zeros, no `-0`. And [0-9], because \d and
# str.isdigit() take digits of every script, and int() takes `1_000` and ` 7 ` besides.
INTEGER = re.compile(rb"0|-?[1-9][0-9]*")


class Decision(Exception):
    """How it ended, and why. Raised from anywhere, turned into words and a code in one place."""

    def __init__(self, code, words, why):
        super().__init__(why)
        self.code = code
        self.line = f"{words} {why}"


def fail(why):
    """Ends with our own fault."""
    raise Decision(FAIL, "FAIL", why)


def shown(data):
    """Foreign bytes, made fit for a message of one line: the first 50 of them, and printable."""
    text = "".join(chr(b) if 0x20 <= b < 0x7F else f"\\x{b:02x}" for b in data[:50])
    return f"`{text}...`" if len(data) > 50 else f"`{text}`"


class Reader:
    """Lines of words, read one by one, never further than was asked for."""

    def __init__(self, file, of_test, longest_line):
        self._file = file
        self._of_test = of_test
        self._longest_line = longest_line
        self._number = 0
        self._words = []

    def next_line(self, what):
        """Reads the next line, which there must be, and returns the reader itself.

        `what` says what the line should be, for the message. What is left at the end of input
        counts as the last line, even without its newline.
        """
        # Bytes, because they may be no UTF-8 and decoding would raise. And never more than a line
        # can have, so that nobody waits for the end of an endless one.
        line = self._read(self._longest_line + 1)
        if not line:
            self.malformed(f"expected {what}, found the end")
        self._number += 1
        line = line[:-1] if line.endswith(b"\n") else line
        if len(line) > self._longest_line:
            self.malformed(f"expected {what}, found a line of more than {self._longest_line} bytes")
        # Not split() alone: it takes more bytes for blanks.
        self._words = [word for word in re.split(rb"[ \t\r]+", line) if word]
        return self

    def word(self, what):
        """The next word of the line, in bytes."""
        if not self._words:
            self.malformed(f"expected {what}, found the end of the line")
        return self._words.pop(0)

    def one_of(self, what, choices):
        """The next word of the line as text, which must be one of these."""
        found = self.word(what)
        for choice in choices:
            if found == choice.encode():
                return choice
        self.malformed(f"expected {what}, found {shown(found)}")

    def integer(self, what, least, most):
        """The next word of the line as an integer from `least` to `most`."""
        found = self.word(what)
        if not INTEGER.fullmatch(found):
            self.malformed(f"expected {what}, found {shown(found)}")
        # The length first: int() refuses numbers of more than 4300 digits with an exception.
        if len(found) > 19 or not least <= int(found) <= most:
            self.wrong(f"{what} must be from {least} to {most}, found {shown(found)}")
        return int(found)

    def end_line(self):
        """The line must have no more words."""
        if self._words:
            self.malformed(f"expected the end of the line, found {shown(self._words[0])}")

    def end(self):
        """There must be no more lines.

        Not for the contestant: what it prints after its answer cannot matter, and it may never come.
        """
        if self._read(1):
            self.malformed(f"expected the end after line {self._number}")

    def malformed(self, why):
        """Ends the run: the line is not what is called for."""
        if self._of_test:
            fail(f"INPUT: {self._place()}{why}")
        raise Decision(WRONG_FORMAT, "wrong output format", f"{self._place()}{why}")

    def wrong(self, why):
        """Ends the run: the line is well formed and wrong."""
        if self._of_test:
            fail(f"INPUT: {self._place()}{why}")
        raise Decision(WRONG_ANSWER, "wrong answer", f"{self._place()}{why}")

    def _place(self):
        return f"line {self._number}: " if self._number else ""

    def _read(self, most):
        try:
            return self._file.readline(most)
        except OSError:
            fail("cannot read INPUT" if self._of_test else "cannot read standard input")


class Dialogue:
    """Both ends of the run: the test's files, and the contestant."""

    def __init__(self, arguments, protocol=TESTLIB, longest_line=1000):
        if protocol == ICPC and len(arguments) < 3:
            fail("usage: validator INPUT ANSWER FEEDBACK_DIR")
        if len(arguments) < 2:
            fail("usage: interactor INPUT OUTPUT [ANSWER]")
        test = self._open("INPUT", arguments[0], "rb")
        self._feedback = arguments[2] if protocol == ICPC else None
        if protocol == ICPC:
            path = os.path.join(self._feedback, "judgemessage.txt")
            self._output = self._open("OUTPUT", path, "ab")
        else:
            self._output = self._open("OUTPUT", arguments[1], "wb")
        self.test = Reader(test, True, sys.maxsize - 1)
        self.contestant = Reader(sys.stdin.buffer, False, longest_line)

    def say(self, *words):
        """Sends one line, the words with a blank between them."""
        try:
            print(*words, flush=True)
        except OSError:
            # That nobody takes the line is no reason to stop: reading on will show what the
            # contestant had printed before it went.
            pass

    def note(self, line):
        """Writes a line into OUTPUT, for a checker or for people; with ICPC into `judgemessage.txt`."""
        try:
            self._output.write(f"{line}\n".encode())
            self._output.flush()
        except OSError:
            fail("cannot write to OUTPUT")

    def accept(self, why):
        """Ends the run well. A rejection comes from the reader: `contestant.wrong`."""
        raise Decision(OK, "ok", why)

    def award(self, points, why):
        """Ends the run with points."""
        if self._feedback is not None:
            try:
                with open(os.path.join(self._feedback, "score.txt"), "w") as file:
                    file.write(f"{points}\n")
            except OSError:
                fail("cannot write to score.txt")
        raise Decision(POINTS, f"points {points}", why)

    @staticmethod
    def _open(what, path, mode):
        try:
            return open(path, mode)
        except OSError:
            fail(f"cannot open {what} {shown(os.fsencode(path))}")


def run(talk, protocol=TESTLIB):
    """Leads the dialogue with `talk`, says what was decided, and exits. This is the only way out."""
    # An exception that got past this would end Python with code 1, which says "wrong answer": our
    # own mistake, blamed on the contestant. So everything is caught.
    dialogue = None
    try:
        dialogue = Dialogue(sys.argv[1:], protocol)
        talk(dialogue)
        code, line = FAIL, "FAIL the dialogue ended without a decision"
    except Decision as decision:
        code, line = decision.code, decision.line
    except BaseException as error:
        code, line = FAIL, f"FAIL {type(error).__name__}: {error}"
    if protocol == ICPC:
        code = ICPC_CODES[code]
    try:
        if dialogue is not None and protocol == ICPC:
            dialogue.note(line)
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    finally:
        # Also if nothing could be written. Not sys.exit: it flushes standard output again, and when the contestant has gone, that
        # replaces the code by 120.
        os._exit(code)
