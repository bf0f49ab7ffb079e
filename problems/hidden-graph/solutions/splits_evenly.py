# Asks about the edge that splits the vertices that are left most evenly.

import sys

n = int(sys.stdin.readline())
neighbours = [[] for _ in range(n + 1)]
for _ in range(n - 1):
    u, v = map(int, sys.stdin.readline().split())
    neighbours[u].append(v)
    neighbours[v].append(u)

# Parents before children.
parent = [0] * (n + 1)
order = [1]
for vertex in order:
    for other in neighbours[vertex]:
        if other != parent[vertex]:
            parent[other] = vertex
            order.append(other)

# `order` holds the vertices in which the path can end; the first is above all others.
size = [0] * (n + 1)
inside = [False] * (n + 1)
while len(order) > 1:
    for vertex in order:
        size[vertex] = 1
    for vertex in reversed(order[1:]):
        size[parent[vertex]] += size[vertex]
    lower = min(order[1:], key=lambda vertex: abs(2 * size[vertex] - len(order)))
    print("?", parent[lower], lower, flush=True)
    keep = sys.stdin.readline() == "yes\n"
    inside[order[0]] = False
    for vertex in order[1:]:
        inside[vertex] = vertex == lower or inside[parent[vertex]]
    order = [vertex for vertex in order if inside[vertex] == keep]
print("!", order[0], flush=True)
