# Hopes that nothing happens to it.
order, text = input(), input()
print(f"{int(text):016b}" if order == "encode" else int(text, 2))
