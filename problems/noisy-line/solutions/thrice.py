# Each bit three times; the majority is right, whichever one was turned over.
order, text = input(), input()
if order == "encode":
    print("".join(3 * bit for bit in f"{int(text):016b}"))
else:
    threes = (text[i : i + 3] for i in range(0, len(text), 3))
    print(int("".join("1" if three.count("1") > 1 else "0" for three in threes), 2))
