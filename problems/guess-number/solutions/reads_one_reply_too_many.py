# Idleness limit: waits for two replies after each question, and only one ever comes. Interactor and
# contestant then wait for each other.

n = int(input())
low, high = 1, n
while True:
    middle = (low + high) // 2
    print("?", middle, flush=True)
    reply = input()
    comment = input()
    if reply == "equal":
        print("!", middle, flush=True)
        break
    if reply == "bigger":
        low = middle + 1
    else:
        high = middle - 1
