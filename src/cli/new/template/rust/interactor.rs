//! Knows the secret, replies to questions, and decides. strict.rs reads without trusting, flushes, and
//! turns each decision into the exit code of the protocol.

#[allow(dead_code)] // It can do more than is needed here.
mod strict;

use strict::{Decision, Dialogue, Protocol, Result};

const MOST_QUESTIONS: u32 = 10;

fn main() {
    strict::run_as(Protocol::Testlib, talk)
}

fn talk(dialogue: &mut Dialogue) -> Result<Decision> {
    // What is wrong in the test is the jury's fault.
    let test = dialogue.test.next_line("n and the secret")?;
    let n = test.integer("n", 1, 1000)?;
    let secret = test.integer("the secret", 1, n)?;
    test.end_line()?;
    test.end()?;

    dialogue.say(n);
    for questions in 0.. {
        // What is wrong here is the contestant's.
        let line = dialogue.contestant.next_line("a question or an answer")?;
        let answers = line.one_of("`?` or `!`", &["?", "!"])? == 1;
        let x = line.integer("x", 1, n)?;
        line.end_line()?;
        if answers && x != secret {
            return Err(line.wrong(format!("the secret is {secret}, not {x}")));
        }
        if answers {
            return Ok(Decision::Ok(format!("questions: {questions}")));
        }
        if questions == MOST_QUESTIONS {
            return Err(line.wrong(format!("more than {MOST_QUESTIONS} questions")));
        }
        dialogue.say(match secret.cmp(&x) {
            std::cmp::Ordering::Greater => "bigger",
            std::cmp::Ordering::Less => "smaller",
            std::cmp::Ordering::Equal => "equal",
        });
    }
    unreachable!("the questions are counted")
}
