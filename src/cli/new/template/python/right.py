"""Asks about the middle of what is left until the reply is `equal`."""

low, high = 1, int(input())
while True:
    x = (low + high) // 2
    print("?", x, flush=True)
    reply = input()
    if reply == "bigger":
        low = x + 1
    elif reply == "smaller":
        high = x - 1
    else:
        print("!", x, flush=True)
        break
