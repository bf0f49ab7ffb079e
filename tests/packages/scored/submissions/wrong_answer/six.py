print(6)
input()
