# Presentation error: divides with `/`, and so asks about 50.5 and answers 73.0.

n = int(input())
low, high = 1, n
while high - low >= 1:
    middle = (low + high + 1) / 2
    print("?", middle, flush=True)
    if input() == "yes":
        low = middle
    else:
        high = middle - 1
print("!", low / 1, flush=True)
