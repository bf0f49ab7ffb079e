# A thread reads into a queue; the main thread waits for the queue with a timeout, as event loops
# do. Afterwards: it was shown the end of input.
import queue
import sys
import threading

lines = queue.Queue()


def read():
    for line in sys.stdin:
        lines.put(line)
    lines.put(None)


threading.Thread(target=read, daemon=True).start()
while True:
    try:
        line = lines.get(timeout=0.05)
    except queue.Empty:
        continue
    if line is None:
        break
    print("safe", flush=True)
