def points(number, line, bonus):
    return number + bonus if line.split() == [str(2 * number)] else 0
