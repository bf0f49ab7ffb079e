# Wrong answer: a binary search that trusts no reply and asks everything three times.

n = int(input())
low, high = 1, n
while True:
    middle = (low + high) // 2
    replies = []
    for _ in range(3):
        print("?", middle, flush=True)
        replies.append(input())
    reply = max(replies, key=replies.count)
    if reply == "equal" and low == high:
        break
    # Even after `equal` it goes on halving, towards the number just found.
    if reply == "bigger":
        low = middle + 1
    else:
        high = middle
print("!", low, flush=True)
