# What tiny.c does, in Python.
import sys

words = sys.argv[1:2]
if words == ["ask"]:
    print("?", flush=True)
if words and not sys.stdin.readline():
    sys.exit(2)
if words == ["answer"]:
    print("!", flush=True)
