# Presentation error: calls the piles a, b, c.

k = int(input())
piles = list(map(int, input().split()))
print("abcdefghij"[k - 1], piles[-1], flush=True)
reply = input()
