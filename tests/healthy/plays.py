# One side of a dialogue, as plays.c has it: first|second ROUNDS READS WRITES SIZE MOVE[,MOVE...]
import asyncio
import os
import queue
import select
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

side, rounds, reads, writes, size, moves = sys.argv[1:7]
rounds, size, moves = int(rounds), int(size), moves.split(",")


def text(number):
    return f"{number} ".ljust(size, "x") + "\n"


def say(number):
    words = text(number)
    if writes == "thread":
        thread = threading.Thread(target=print, args=(words,), kwargs={"end": "", "flush": True})
        thread.start()
        thread.join()
    elif writes == "halves":
        for half in (words[: len(words) // 2], words[len(words) // 2 :]):
            print(half, end="", flush=True)
            time.sleep(0.005)
    else:
        print(words, end="", flush=True)


def child(seconds):
    ends = os.pipe()
    pid = os.fork()
    if pid == 0:
        time.sleep(seconds)
        os.write(ends[1], b"x")
        os._exit(0)
    os.read(ends[0], 1)
    os.waitpid(pid, 0)


def timer(seconds):
    done = threading.Event()
    threading.Timer(seconds, done.set).start()
    done.wait()


def hand_over(seconds):
    there, back = queue.Queue(), queue.Queue()
    turns = int(seconds * 1000) * 5
    thread = threading.Thread(target=lambda: [back.put(there.get()) for _ in range(turns)])
    thread.start()
    for turn in range(turns):
        there.put(turn)
        back.get()
    thread.join()


def gets(seconds):
    try:
        queue.Queue().get(timeout=seconds)
    except queue.Empty:
        pass


def pooled(seconds):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(time.sleep, [seconds / 2] * 8))


def started(seconds):
    subprocess.run(["/bin/sleep", str(seconds)], check=True)


MOVES = {
    "sleep": time.sleep,
    "child": child,
    "started": started,
    "timer": timer,
    "hand-over": hand_over,
    "queue": gets,
    "pool": pooled,
    "select": lambda seconds: select.select([0], [], [], seconds),
    "asyncio": lambda seconds: asyncio.run(asyncio.sleep(seconds)),
}


def check(number, got):
    if got.split(" ")[0] != str(number):
        os._exit(5)


def move(number):
    name, milliseconds = moves[number % len(moves)].split(":")
    return name, int(milliseconds) / 1000


def dialogue(take):
    for number in range(rounds):
        if side == "second":
            check(number, take())
        name, seconds = move(number)
        MOVES[name](seconds)
        say(number)
        if side == "first":
            check(number, take())


async def in_loop():
    """Reads, waits and writes in one event loop, which watches the input all the time."""
    reader = asyncio.StreamReader(limit=1 << 22)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    for number in range(rounds):
        if side == "second":
            check(number, (await reader.readline()).decode())
        name, seconds = move(number)
        if name in ("sleep", "asyncio"):
            await asyncio.sleep(seconds)
        else:
            await loop.run_in_executor(None, MOVES[name if name != "asyncio" else "sleep"], seconds)
        say(number)
        if side == "first":
            check(number, (await reader.readline()).decode())


if reads == "loop":
    asyncio.run(in_loop())
elif reads == "thread":
    lines = queue.Queue()
    threading.Thread(target=lambda: [lines.put(line) for line in sys.stdin], daemon=True).start()
    dialogue(lines.get)
else:
    dialogue(sys.stdin.readline)
sys.stdout.flush()
os._exit(0)
