# Presentation error: asks in words of its own.

n = int(input())
print("is it", (n + 1) // 2, flush=True)
reply = input()
