import re
import sys

text = sys.stdin.read()
match = re.fullmatch(r"([1-9][0-9]{0,6}) ([1-9][0-9]{0,6})\n", text)
right = match and int(match[2]) <= int(match[1]) <= 1000000
sys.exit(42 if right else 43)
