# Binary search: halve the range until the reply is `equal`.

n = int(input())
low, high = 1, n
while True:
    middle = (low + high) // 2
    print("?", middle, flush=True)
    reply = input()
    if reply == "equal":
        print("!", middle, flush=True)
        break
    if reply == "bigger":
        low = middle + 1
    else:
        high = middle - 1
