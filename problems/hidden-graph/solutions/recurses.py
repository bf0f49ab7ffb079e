# Runtime error: looks for the lowest vertex by recursion, which Python bounds, and asks about the edge
# above it.

import sys

n = int(input())
neighbours = [[] for _ in range(n + 1)]
for _ in range(n - 1):
    u, v = map(int, sys.stdin.readline().split())
    neighbours[u].append(v)
    neighbours[v].append(u)


def lowest(vertex, above, depth):
    below = [lowest(other, vertex, depth + 1) for other in neighbours[vertex] if other != above]
    return max(below, default=(depth, vertex, above))


deepest = lowest(1, 0, 0)
print("?", deepest[1], deepest[2], flush=True)
if input() == "yes":
    print("!", deepest[1], flush=True)
sys.exit("there is more to do")
