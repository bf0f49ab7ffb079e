# Wrong answer: takes the bulls into account and not the cows, and so needs too many questions.

from itertools import permutations


def compare(asked, code):
    bulls = sum(own == other for own, other in zip(asked, code))
    return bulls, len(set(asked) & set(code)) - bulls


CODES = ["".join(digits) for digits in permutations("0123456789", 4)]
for _ in range(int(input())):
    codes = CODES[1:]
    while len(codes) > 1:
        asked = codes[0]
        print("?", asked, flush=True)
        bulls, _ = map(int, input().split())
        if bulls == 4:
            break
        codes = [code for code in codes[1:] if compare(asked, code)[0] == bulls]
    print("!", codes[0], flush=True)
    input()
