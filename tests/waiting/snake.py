# Waits for a line as Python programs do; the last ways wake by themselves and speak first.
import asyncio
import os
import queue
import select
import subprocess
import sys
import threading

way = sys.argv[1]


def say():
    print("late", flush=True)


async def line():
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    if way == "asyncio-later":
        loop.call_later(0.2, say)
    return await reader.readline()


if way == "input":
    got = input()
elif way == "line":
    got = sys.stdin.readline()
elif way == "bytes":
    got = os.read(0, 100)
elif way == "select":
    select.select([0], [], [])
    got = os.read(0, 100)
elif way in ("asyncio", "asyncio-later"):
    got = asyncio.run(line())
elif way == "queue":
    lines = queue.Queue()
    threading.Thread(target=lambda: lines.put(sys.stdin.readline()), daemon=True).start()
    got = lines.get()
elif way == "child":
    code = "import sys; sys.exit(0 if sys.stdin.readline() else 8)"
    got = subprocess.run([sys.executable, "-c", code]).returncode == 0
elif way == "timer":
    threading.Timer(0.2, say).start()
    got = sys.stdin.readline()
else:
    sys.exit(7)
sys.exit(0 if got else 8)
