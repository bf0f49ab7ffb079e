# Presentation error: counts the rounds from one, and so leaves out the last.

from itertools import permutations


def compare(asked, code):
    bulls = sum(own == other for own, other in zip(asked, code))
    return bulls, len(set(asked) & set(code)) - bulls


CODES = ["".join(digits) for digits in permutations("0123456789", 4)]
for _ in range(1, int(input())):
    codes = CODES
    while len(codes) > 1:
        asked = codes[0]
        print("?", asked, flush=True)
        bulls, cows = map(int, input().split())
        codes = [code for code in codes if compare(asked, code) == (bulls, cows)]
    print("!", codes[0], flush=True)
    input()
