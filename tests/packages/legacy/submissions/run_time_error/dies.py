n = int(input())
print("?", n // (n - 1000), flush=True)
print("! 0", flush=True)
