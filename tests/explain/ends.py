"""As ends.c, for what Python says."""
import sys
import time


def pick(which):
    return [1, 2][which]


def main():
    way = sys.argv[1]
    if way == "range":
        print(pick(7))
    elif way == "sleeps":
        time.sleep(1000)
    elif way == "exits":
        sys.exit(3)


main()
