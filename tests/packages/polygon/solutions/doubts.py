# The interactor allows its 12 questions, and the checker does not.
low, high = 1, int(input())
for _ in range(2):
    print("?", 1, flush=True)
    input()
while low < high:
    middle = (low + high) // 2
    print("?", middle + 1, flush=True)
    if input() == "less":
        high = middle
    else:
        low = middle + 1
print("!", low, flush=True)
