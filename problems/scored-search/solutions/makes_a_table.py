# Memory limit: wants to note the height of every place beside that of every other.

n = int(input())
table = []
while True:
    table.append([len(table)] * n)
