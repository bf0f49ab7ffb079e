//! Which sessions there are: solutions by tests by repetitions, and a machine's share of them.

use std::str::FromStr;

/// One session of the matrix, by the places of its solution and test in their lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    pub solution: usize,
    pub test: usize,
    /// Which time it is, from 1.
    pub repeat: u32,
}

/// One machine's share of the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partition {
    /// From 1.
    number: usize,
    of: usize,
}

impl Default for Partition {
    fn default() -> Self {
        Partition { number: 1, of: 1 }
    }
}

impl FromStr for Partition {
    type Err = String;

    /// Reads `I/N`, the first being `1/N`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no partition: write `1/3` for the first of three");
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let number: usize = number.parse().map_err(|_| wrong())?;
        let of: usize = of.parse().map_err(|_| wrong())?;
        match (1..=of).contains(&number) {
            true => Ok(Partition { number, of }),
            false => Err(format!(
                "there is no partition {number} of {of}: they are counted from 1"
            )),
        }
    }
}

/// The cells of this many solutions and tests, in the order in which they are run: a solution's
/// tests after each other, and one round of everything after the other. Dealt out like cards, so
/// that every machine gets some of every solution.
pub fn cells(solutions: usize, tests: usize, repeats: u32, partition: Partition) -> Vec<Cell> {
    let all = (1..=repeats).flat_map(|repeat| {
        (0..solutions).flat_map(move |solution| {
            (0..tests).map(move |test| Cell {
                solution,
                test,
                repeat,
            })
        })
    });
    all.skip(partition.number - 1)
        .step_by(partition.of)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_hold_every_cell_once() {
        let whole = cells(3, 4, 2, Partition::default());
        assert_eq!(whole.len(), 24);
        let mut parts = Vec::new();
        for number in 1..=5 {
            let text = format!("{number}/5");
            parts.extend(cells(3, 4, 2, text.parse().expect("a partition")));
        }
        let key = |cell: &Cell| (cell.repeat, cell.solution, cell.test);
        parts.sort_by_key(key);
        assert_eq!(parts, whole);
    }

    #[test]
    fn wrong_partitions_are_told_what_to_write() {
        let wrong = ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b"];
        let told: Vec<String> = wrong
            .iter()
            .map(|text| text.parse::<Partition>().expect_err("wrong"))
            .collect();
        insta::assert_snapshot!(told.join("\n"));
    }
}
