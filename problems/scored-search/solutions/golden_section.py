# Cuts the range at Fibonacci numbers, so that one of two heights is known from the step before.

n = int(input())
known = {}


def height(place):
    if place > n:
        return n - place  # lower than all others, and falling
    if place not in known:
        print("?", place, flush=True)
        known[place] = int(input())
    return known[place]


short, long = 1, 1
while short + long <= n:
    short, long = long, short + long
# The top is between `low` and `low + short + long`, both excluded.
low = 0
while short + long > 2:
    if height(low + short) < height(low + long):
        low += short
    short, long = long - short, short
print("!", low + 1, flush=True)
