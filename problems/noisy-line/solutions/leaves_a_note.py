# Would leave the number for the second run. Nothing is left, and there is no place to leave it.
order, text = input(), input()
if order == "encode":
    with open("/tmp/note", "w") as note:
        note.write(text)
    print(0)
else:
    print(open("/tmp/note").read())
