"""Knows the secret, replies to questions, and decides. strict.py reads without trusting, flushes, and turns
each decision into the exit code of the protocol."""

import strict

MOST_QUESTIONS = 10


def talk(dialogue):
    # What is wrong in the test is the jury's fault.
    test = dialogue.test.next_line("n and the secret")
    n = test.integer("n", 1, 1000)
    secret = test.integer("the secret", 1, n)
    test.end_line()
    test.end()

    dialogue.say(n)
    questions = 0
    while True:
        # What is wrong here is the contestant's.
        line = dialogue.contestant.next_line("a question or an answer")
        kind = line.one_of("`?` or `!`", ["?", "!"])
        x = line.integer("x", 1, n)
        line.end_line()
        if kind == "!" and x != secret:
            line.wrong(f"the secret is {secret}, not {x}")
        if kind == "!":
            dialogue.accept(f"questions: {questions}")
        if questions == MOST_QUESTIONS:
            line.wrong(f"more than {MOST_QUESTIONS} questions")
        questions += 1
        dialogue.say("bigger" if x < secret else "smaller" if x > secret else "equal")


strict.run(talk, strict.TESTLIB)
