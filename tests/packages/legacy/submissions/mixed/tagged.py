# @EXPECTED_RESULTS@: RUN-ERROR, WRONG-ANSWER
import sys

n = int(input())
if n == 1000:
    sys.exit(3)
print("! 2", flush=True)
