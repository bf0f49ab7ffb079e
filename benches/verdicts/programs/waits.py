# Asks three times, notes the time, and waits for an answer to nothing; with `thread`, another thread
# reads.
import queue
import sys
import threading
import time

take = sys.stdin.readline
if sys.argv[1:] == ["thread"]:
    lines = queue.Queue()
    threading.Thread(target=lambda: [lines.put(line) for line in sys.stdin], daemon=True).start()
    take = lines.get
for i in range(3):
    print("?", i, flush=True)
    take()
print(time.time_ns(), file=sys.stderr, flush=True)
take()
sys.exit(1)
