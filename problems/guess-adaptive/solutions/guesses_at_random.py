# Wrong answer: asks about random numbers of the range that is left. With a secret it would often do.

import random

random.seed(1)
n = int(input())
low, high = 1, n
for _ in range(n.bit_length() // 2):
    middle = random.randint(low, high)
    print("?", middle, flush=True)
    reply = input()
    if reply == "equal":
        low = high = middle
    elif reply == "bigger":
        low = middle + 1
    else:
        high = middle - 1
print("!", random.randint(low, high), flush=True)
