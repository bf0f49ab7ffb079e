# `input()` would have flushed.
import sys

print("? 50")
print("!", sys.stdin.readline(), flush=True)
