"""What ordinary Python programs do: see ../table.toml."""

import sys
import threading


def answer():
    for line in sys.stdin:
        print(2 * int(line), flush=True)


def threads():
    totals = [0] * 4

    def add(first):
        totals[first] = sum(first + i % 7 for i in range(1_000_000))

    workers = [threading.Thread(target=add, args=(first,)) for first in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(sum(totals))


def crash():
    raise RuntimeError("nobody catches this")


def exhaust():
    kept = []
    while True:
        kept.append(b"1" * (1 << 20))


what = sys.argv[1]
if what == "hello":
    print("hello")
elif what == "answer":
    answer()
elif what == "threads":
    threads()
elif what == "heap":
    print((b"\1" * (200 << 20))[12345])
elif what == "crash":
    crash()
elif what == "exhaust":
    exhaust()
else:
    sys.exit(2)
