# Idleness limit: expects the number of lies behind n. Nothing comes before the first question.

n = int(input())
lies = int(input())
print("?", n, flush=True)
