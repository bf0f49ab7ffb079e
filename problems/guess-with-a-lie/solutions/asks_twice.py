# Asks everything twice, and a third time if the replies differ. After that the lie is used up.

n = int(input())
trusting = False


def ask(x):
    print("?", x, flush=True)
    return input()


def find_out(x):
    global trusting
    first = ask(x)
    if trusting or ask(x) == first:
        return first == "yes"
    trusting = True
    return ask(x) == "yes"


low, high = 1, n
while low < high:
    middle = (low + high + 1) // 2
    if find_out(middle):
        low = middle
    else:
        high = middle - 1
print("!", low, flush=True)
