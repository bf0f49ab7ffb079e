# Presentation error: makes no move, because it takes the piles for lost.

input()
piles = list(map(int, input().split()))
print(end="", flush=True)
