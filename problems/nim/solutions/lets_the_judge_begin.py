# Idleness limit: waits for the judge's first move, who waits for ours.

input()
piles = list(map(int, input().split()))
pile, count = map(int, input().split())
print(pile, count, flush=True)
