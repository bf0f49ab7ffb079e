# Binary search, up to the reply `equal`: one question more than the halving needs.

n = int(input())
low, high = 1, n
while True:
    middle = (low + high) // 2
    print("?", middle, flush=True)
    reply = input()
    if reply == "equal":
        break
    if reply == "bigger":
        low = middle + 1
    else:
        high = middle - 1
print("!", middle, flush=True)
