"""As right.py, but what is printed stays in a buffer."""

import sys

low, high = 1, int(sys.stdin.readline())
while True:
    x = (low + high) // 2
    print("?", x)
    reply = sys.stdin.readline().strip()
    if reply == "bigger":
        low = x + 1
    elif reply == "smaller":
        high = x - 1
    else:
        print("!", x)
        break
