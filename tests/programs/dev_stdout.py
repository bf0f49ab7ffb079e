# Prints, then opens its output again by name, as scripts do. Afterwards: every line has arrived,
# in order, once.
import os
import sys

print("one", flush=True)
with open("/dev/stdout", "w") as again:
    print("two", file=again)
with open("/proc/self/fd/1", "a") as again:
    print("three", file=again)
os.write(1, b"four\n")
print("five", file=open("/dev/stdout", "wb", buffering=0) and sys.stdout)
