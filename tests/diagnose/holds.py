"""Prints in a way, says on standard error that it is ready, and waits."""

import io
import os
import sys


def plain():
    print("? 50")


def pieces():
    print("?", 5, 0, sep="")
    sys.stdout.write("and more\n")


def flushed():
    print("? 50")
    sys.stdout.flush()


def nothing():
    pass


def rest():
    """As long as its buffer has room for, and more: some is written, some is not."""
    for i in range(10000):
        sys.stdout.write(chr(ord("a") + i % 26))


def letters():
    print("? 5 żółw")


def raw():
    sys.stdout.buffer.write(b"\0\xff\n\0")


def both():
    sys.stdout.buffer.write(b"? 1\n")
    sys.stdout.write("? 2\n")


def aside():
    """What `sys.stdout` was replaced by is no output; what is below it still is."""
    print("? 50")
    sys.stdout = io.StringIO()
    print("? 60")


def copy():
    """Another file object of a copy of the descriptor."""
    print("? 8")
    sys.stdout = os.fdopen(os.dup(1), "w")
    print("? 7")


def begun():
    sys.stdout.write("? 50")


def many_modules():
    """The dictionary of `sys` among many others."""
    import argparse, asyncio, decimal, json, random  # noqa: E401, F401

    print("? 50")


def in_a_thread():
    import threading

    thread = threading.Thread(target=plain)
    thread.start()
    thread.join()


def with_names():
    """A dictionary of `sys` that has grown."""
    for i in range(50):
        setattr(sys, "name_%d" % i, i)
    print("? 50")


globals()[sys.argv[1]]()
os.write(2, b"ready\n")
os.read(0, 1)
