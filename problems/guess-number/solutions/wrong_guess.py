# Wrong answer: a right binary search, but the answer is counted from zero.

n = int(input())
low, high = 1, n
while True:
    middle = (low + high) // 2
    print("?", middle, flush=True)
    reply = input()
    if reply == "equal":
        print("!", middle - 1, flush=True)
        break
    if reply == "bigger":
        low = middle + 1
    else:
        high = middle - 1
