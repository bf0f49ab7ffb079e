n = int(input())
if n > 100:
    while True:
        pass
for x in range(1, n + 1):
    print("?", x, flush=True)
    if input() == "equal":
        print("!", x, flush=True)
        break
