# Begins by telling the range, and forgets to flush.
import sys

print(1, 1000)
for line in sys.stdin:
    sys.exit(0 if line == "! 7\n" else 1)
sys.exit(2)
