input()
block = b"x" * (1 << 30)
print("! 1", flush=True)
