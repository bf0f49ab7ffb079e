input()
print("! x", flush=True)
