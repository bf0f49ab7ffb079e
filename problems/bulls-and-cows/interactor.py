"""Interactor for "bulls and cows": several rounds, each with a code to be found.

INPUT has the number of rounds, and one code a line. OUTPUT receives the questions of each round.
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../interactors"))
import strict

LIMIT = 9  # questions of a round


def code(line, what):
    """The next word of a line as a code: four digits, none of them twice."""
    word = line.word(what)
    if not re.fullmatch(rb"[0-9]{4}", word):
        line.malformed(f"expected {what} of four digits, found {strict.shown(word)}")
    if len(set(word)) < 4:
        line.wrong(f"{what} {strict.shown(word)} has a digit twice")
    line.end_line()
    return word.decode()


def talk(dialogue):
    rounds = dialogue.test.next_line("the number of rounds").integer("the number of rounds", 1, 50)
    dialogue.test.end_line()
    secrets = [code(dialogue.test.next_line("a code"), "the code") for _ in range(rounds)]
    dialogue.test.end()

    dialogue.say(rounds)
    for number, secret in enumerate(secrets, 1):
        used = play(dialogue, number, secret)
        dialogue.note(f"{secret} {used}")
    dialogue.accept(f"rounds: {rounds}")


def play(dialogue, number, secret):
    """One round; the number of questions."""
    used = 0
    while True:
        line = dialogue.contestant.next_line("a question or an answer")
        if line.one_of("`?` or `!`", "?!") == "!":
            answer = code(line, "the answer")
            if answer != secret:
                line.wrong(f"the code of round {number} is {secret}, not {answer}")
            dialogue.say("right")
            return used
        asked = code(line, "the question")
        if used == LIMIT:
            line.wrong(f"one question too many in round {number}: {LIMIT} are allowed")
        used += 1
        bulls = sum(own == other for own, other in zip(asked, secret))
        cows = len(set(asked) & set(secret)) - bulls
        dialogue.say(bulls, cows)


strict.run(talk)
