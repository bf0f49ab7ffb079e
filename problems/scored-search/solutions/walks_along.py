# Wrong answer: walks up from the middle, step by step.

n = int(input())


def height(place):
    if not 1 <= place <= n:
        return -1
    print("?", place, flush=True)
    return int(input())


place = n // 2
own = height(place)
step = 1 if height(place + 1) > own else -1
while (following := height(place + step)) > own:
    place, own = place + step, following
print("!", place, flush=True)
