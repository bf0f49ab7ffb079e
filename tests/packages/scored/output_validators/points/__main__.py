import sys

from rules import points

number = int(open(sys.argv[1]).read())
bonus = int(sys.argv[sys.argv.index("--bonus") + 1])
print(number, flush=True)
score = points(number, sys.stdin.readline(), bonus)
if score == 0:
    sys.exit(43)
with open(sys.argv[3] + "/score.txt", "w") as file:
    print(score, file=file)
sys.exit(42)
