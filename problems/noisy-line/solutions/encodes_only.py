# As the receiver it waits for a line that was never promised.
order, text = input(), input()
if order == "encode":
    print("".join(3 * bit for bit in f"{int(text):016b}"))
else:
    number = input()
    print(number)
