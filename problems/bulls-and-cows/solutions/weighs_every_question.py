# Time limit: weighs every code as a question against every code that is left. That is best, and slow.

from itertools import permutations


def compare(asked, code):
    bulls = sum(own == other for own, other in zip(asked, code))
    return bulls, len(set(asked) & set(code)) - bulls


CODES = ["".join(digits) for digits in permutations("0123456789", 4)]


def largest_group(asked, codes):
    sizes = {}
    for code in codes:
        reply = compare(asked, code)
        sizes[reply] = sizes.get(reply, 0) + 1
    return max(sizes.values())


for _ in range(int(input())):
    codes = CODES
    while len(codes) > 1:
        asked = min(CODES, key=lambda asked: largest_group(asked, codes))
        print("?", asked, flush=True)
        bulls, cows = map(int, input().split())
        codes = [code for code in codes if compare(asked, code) == (bulls, cows)]
    print("!", codes[0], flush=True)
    input()
