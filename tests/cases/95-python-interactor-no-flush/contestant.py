low, high = map(int, input().split())
print("!", low + 6, flush=True)
