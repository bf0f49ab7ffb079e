# Idleness limit: asks one question, then neither computes nor reads.

import time

n = int(input())
print("?", n, flush=True)
reply = input()
time.sleep(3600)
