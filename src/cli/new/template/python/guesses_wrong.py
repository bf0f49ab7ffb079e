"""Asks nothing and hopes that the secret is in the middle."""

n = int(input())
print("!", (n + 1) // 2, flush=True)
