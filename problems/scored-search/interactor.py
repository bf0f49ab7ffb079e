"""Interactor for "scored search": the more questions, the fewer points.

INPUT has one line, `n top left right`: how many heights there are, which is the greatest, and how
steep they rise and fall. OUTPUT receives the number of questions.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../interactors"))
import strict

GREATEST = 1_000_000_000
FREE = 30  # questions that cost nothing
LIMIT = 80  # questions


class Mountain:
    """Heights that rise up to one place and fall behind it, unevenly."""

    def __init__(self, line):
        self.n = line.integer("n", 100, 1_000_000)
        self.top = line.integer("top", 1, self.n)
        # At most GREATEST / n, so that no height is below 0.
        self.left = line.integer("left", 1, 1000)
        self.right = line.integer("right", 1, 1000)
        line.end_line()

    def height(self, place):
        steep = self.left if place < self.top else self.right
        distance = abs(place - self.top)
        if distance == 0:
            return GREATEST
        # Between two multiples of `steep`, so that it falls with every step, but never evenly.
        return GREATEST - (distance - 1) * steep - 1 - place * 2_654_435_761 % 2**32 % steep


def points(used):
    return 100 - 2 * max(0, used - FREE)


def talk(dialogue):
    mountain = Mountain(dialogue.test.next_line("n, top, left and right"))
    dialogue.test.end()

    dialogue.say(mountain.n)
    used = 0
    while True:
        line = dialogue.contestant.next_line("a question or an answer")
        answers = line.one_of("`?` or `!`", "?!") == "!"
        place = line.integer("the answer" if answers else "the place asked about", 1, mountain.n)
        line.end_line()
        if answers:
            dialogue.note(used)
            if place != mountain.top:
                line.wrong(f"the greatest height is at {mountain.top}, not at {place}")
            dialogue.award(points(used), f"questions: {used}, of which {FREE} cost nothing")
        if used == LIMIT:
            line.wrong(f"one question too many: {LIMIT} are allowed")
        used += 1
        dialogue.say(mountain.height(place))


strict.run(talk)
