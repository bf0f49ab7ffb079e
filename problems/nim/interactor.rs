//! Interactor for "nim": the judge plays perfectly, and the contestant, who begins, can still win.
//!
//! INPUT has the number of piles and, on a second line, their sizes, from which the first to move
//! must be able to win. OUTPUT receives the number of the contestant's moves.

#[path = "../../interactors/strict.rs"]
mod strict;

use strict::{Decision, Dialogue, Result};

fn main() {
    strict::run(talk)
}

fn talk(dialogue: &mut Dialogue) -> Result<Decision> {
    let mut piles = read_piles(dialogue)?;
    let sizes: Vec<String> = piles.iter().map(i64::to_string).collect();
    dialogue.say(piles.len());
    dialogue.say(sizes.join(" "));
    // Every round takes a stone at least, so it ends.
    for moves in 1.. {
        let line = dialogue.contestant.next_line("a move")?;
        let pile = line.integer("the pile", 1, piles.len() as i64)? as usize - 1;
        if piles[pile] == 0 {
            let why = format!("move {moves}: pile {} is empty", pile + 1);
            return Err(dialogue.contestant.wrong(why));
        }
        let count = line.integer("the number of stones", 1, piles[pile])?;
        line.end_line()?;
        piles[pile] -= count;
        if is_empty(&piles) {
            dialogue.note(moves)?;
            return Ok(Decision::Ok(format!("won, moves: {moves}")));
        }
        let (pile, count) = best_move(&piles);
        piles[pile] -= count;
        dialogue.say(format!("{} {count}", pile + 1));
        if is_empty(&piles) {
            dialogue.note(moves)?;
            let why = format!("the judge has taken the last stone, after {moves} moves");
            return Err(dialogue.contestant.wrong(why));
        }
    }
    unreachable!("the stones are used up before")
}

fn read_piles(dialogue: &mut Dialogue) -> Result<Vec<i64>> {
    let test = &mut dialogue.test;
    let number = test
        .next_line("the number of piles")?
        .integer("the number of piles", 1, 10)?;
    test.end_line()?;
    test.next_line("the piles")?;
    let mut piles = Vec::new();
    for _ in 0..number {
        piles.push(test.integer("the size of a pile", 1, 1000)?);
    }
    test.end_line()?;
    test.end()?;
    match balance(&piles) {
        0 => Err(test.malformed("the first to move cannot win")),
        _ => Ok(piles),
    }
}

fn is_empty(piles: &[i64]) -> bool {
    piles.iter().all(|size| *size == 0)
}

/// 0 if and only if whoever is to move loses against a perfect player.
fn balance(piles: &[i64]) -> i64 {
    piles.iter().fold(0, |sum, size| sum ^ size)
}

/// The move that wins, or if there is none, the one that leaves the most to be done. There must be
/// a stone.
fn best_move(piles: &[i64]) -> (usize, i64) {
    let balance = balance(piles);
    let winning = |(pile, size): (usize, &i64)| {
        let left = size ^ balance;
        (left < *size).then(|| (pile, size - left))
    };
    let largest = || {
        (0..piles.len())
            .max_by_key(|pile| piles[*pile])
            .map(|pile| (pile, 1))
    };
    let best = piles.iter().enumerate().find_map(winning).or_else(largest);
    best.expect("there are piles")
}
