# Presentation error: asks one good question, and gives the answer in a sentence.

import sys

n = int(input())
edges = [sys.stdin.readline() for _ in range(n - 1)]
print("?", *edges[-1].split(), flush=True)
reply = input()
print("The path ends in", n, flush=True)
