# Wrong answer: takes one stone of the first pile that has one, which wins only by accident.

input()
piles = list(map(int, input().split()))
while True:
    pile = next(p for p, size in enumerate(piles) if size > 0)
    print(pile + 1, 1, flush=True)
    piles[pile] -= 1
    if not any(piles):
        break
    pile, count = map(int, input().split())
    piles[pile - 1] -= count
    if not any(piles):
        break
