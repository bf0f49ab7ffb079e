//! Interactor for "guess with a lie": one reply, whose number is in the test, is false.
//!
//! INPUT has one line, `n secret lie`: the range, the number, and the question that gets a false
//! reply, or 0 for none. OUTPUT receives the number of questions.

#[path = "../../interactors/strict.rs"]
mod strict;

use strict::{Decision, Dialogue, Result};

fn main() {
    strict::run(talk)
}

fn talk(dialogue: &mut Dialogue) -> Result<Decision> {
    let line = dialogue.test.next_line("n, secret and lie")?;
    let n = line.integer("n", 1, 1_000_000)?;
    let secret = line.integer("secret", 1, n)?;
    let lie = line.integer("lie", 0, 1000)?;
    line.end_line()?;
    dialogue.test.end()?;

    // 2 * ceil(log2 n) + 1, in integers.
    let limit = 2 * i64::from((n - 1).checked_ilog2().map_or(0, |log| log + 1)) + 1;

    dialogue.say(n);
    for used in 0.. {
        let line = dialogue.contestant.next_line("a question or an answer")?;
        let answers = line.one_of("`?` or `!`", &["?", "!"])? == 1;
        let what = if answers {
            "the answer"
        } else {
            "the number asked about"
        };
        let x = line.integer(what, 1, n)?;
        line.end_line()?;

        if answers {
            dialogue.note(used)?;
            return match x == secret {
                true => Ok(Decision::Ok(format!(
                    "found {x}, questions: {used} of {limit}"
                ))),
                false => Err(dialogue
                    .contestant
                    .wrong(format!("the number is {secret}, not {x}"))),
            };
        }
        if used == limit {
            let why = format!("one question too many: {limit} are allowed");
            return Err(dialogue.contestant.wrong(why));
        }
        let truth = secret >= x;
        let reply = if used + 1 == lie { !truth } else { truth };
        dialogue.say(if reply { "yes" } else { "no" });
    }
    unreachable!("the questions are used up before")
}
