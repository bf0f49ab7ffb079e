# Leaves the judge piles whose sizes come to 0 by exclusive or.

from functools import reduce
from operator import xor

input()
piles = list(map(int, input().split()))
while True:
    balance = reduce(xor, piles)
    pile = next(p for p, size in enumerate(piles) if size ^ balance < size)
    count = piles[pile] - (piles[pile] ^ balance)
    print(pile + 1, count, flush=True)
    piles[pile] -= count
    if not any(piles):
        break
    pile, count = map(int, input().split())
    piles[pile - 1] -= count
