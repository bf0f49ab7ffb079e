# Idleness limit: gives the judge time to think before each question, and there is no need to.

import time

n = int(input())
for x in range(n, 0, -1):
    time.sleep(60)
    print("?", x, flush=True)
    if input() == "yes":
        break
print("!", x, flush=True)
