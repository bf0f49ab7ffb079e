# Presentation error: a right search that takes the reply `equal` for the end, and gives no answer.

n = int(input())
low, high = 1, n
reply = ""
while reply != "equal":
    middle = (low + high) // 2
    print("?", middle, flush=True)
    reply = input()
    if reply == "bigger":
        low = middle + 1
    elif reply == "smaller":
        high = middle - 1
