"""Interactor for "noisy line", which has two passes.

INPUT of the first pass has the number and the place of the character that is turned over, counted from
0 and beyond the end from the beginning again. That of the second pass, which the first one leaves in the
feedback folder, has the word `decode`, the number, and the line as it arrives.
"""

import os
import re
import sys

ACCEPTED, WRONG = 42, 43
LONGEST = 64


def finish(code, why):
    with open(os.path.join(sys.argv[3], "judgemessage.txt"), "a", encoding="utf-8") as file:
        file.write(f"{why}\n")
    # Not sys.exit, which flushes standard output again: the contestant may have gone.
    os._exit(code)


def say(*lines):
    try:
        print(*lines, sep="\n", flush=True)
    except OSError:
        pass  # Reading on will show what it printed before it went.


def answer():
    """The contestant's line, in bytes and never more than it may have."""
    line = sys.stdin.buffer.readline(LONGEST + 2)
    if not line:
        finish(WRONG, "expected a line, found the end")
    return line.rstrip(b"\r\n")


def shown(data):
    return "".join(chr(b) if 0x20 <= b < 0x7F else f"\\x{b:02x}" for b in data[:40])


def encode(number, place):
    say("encode", number)
    line = answer()
    if not re.fullmatch(rb"[01]{1,%d}" % LONGEST, line):
        finish(WRONG, f"expected 1 to {LONGEST} characters 0 and 1, found `{shown(line)}`")
    bits = line.decode()
    place %= len(bits)
    turned = "10"[int(bits[place])]
    with open(os.path.join(sys.argv[3], "nextpass.in"), "w", encoding="ascii") as file:
        file.write(f"decode {number} {bits[:place]}{turned}{bits[place + 1:]}\n")
    finish(ACCEPTED, f"{number} was encoded in {len(bits)} characters, and number {place} turned over")


def decode(number, line):
    say("decode", line)
    found = answer()
    if found != number.encode():
        finish(WRONG, f"the number is {number}, not `{shown(found)}`")
    finish(ACCEPTED, "it was decoded")


try:
    with open(sys.argv[1], encoding="ascii") as file:
        words = file.read().split()
    if words[0] == "decode":
        decode(words[1], words[2])
    else:
        encode(int(words[0]), int(words[1]))
except Exception as error:
    # Python would exit with 1, which is our own fault as well, but say less.
    finish(1, f"{type(error).__name__}: {error}")
