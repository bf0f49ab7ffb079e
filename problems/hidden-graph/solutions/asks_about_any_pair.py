# Wrong answer: asks whether 1 and a vertex are connected, edge or not.

import sys

n = int(input())
edges = [sys.stdin.readline() for _ in range(n - 1)]
for vertex in range(n, 1, -1):
    print("? 1", vertex, flush=True)
    if input() == "yes":
        break
print("! 1", flush=True)
