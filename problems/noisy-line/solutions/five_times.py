# As thrice.py, but longer than the line may be.
order, text = input(), input()
if order == "encode":
    print("".join(5 * bit for bit in f"{int(text):016b}"))
else:
    fives = (text[i : i + 5] for i in range(0, len(text), 5))
    print(int("".join("1" if five.count("1") > 2 else "0" for five in fives), 2))
