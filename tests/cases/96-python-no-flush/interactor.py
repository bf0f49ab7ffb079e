import sys

for line in sys.stdin:
    print("yes" if line == "? 50\n" else "no", flush=True)
sys.exit(2)
