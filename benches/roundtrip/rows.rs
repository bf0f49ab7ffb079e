//! The rows of the table, measured in turn so that drift of the machine meets all of them alike.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;

use crate::bare::Bare;
use crate::harness::dialogue::{Link, Placement};
use crate::harness::process::check_interrupt;
use crate::harness::statistics::Spread;
use crate::options::Options;
use crate::run::{Round, round};
use crate::tool::{Setting, Tool};

/// The row that all others are compared with.
pub(crate) const REFERENCE: &str = "pipes-pinned";
/// The row that the bounds of a round are about.
pub(crate) const LOGGED: &str = "tmpfs-logged";
/// The key of the row without the coordinator between the programs.
pub(crate) const DIRECT: &str = "direct";

/// A bounded benchmark repeats no more when the rows have taken this long.
const TIME_FOR_ROWS: Duration = Duration::from_secs(45);
/// Fewer repetitions than these have no quartiles worth printing.
const LEAST_REPETITIONS: usize = 3;

enum Subject {
    Bare(Bare),
    Tool(Setting),
}

struct Row {
    key: &'static str,
    label: String,
    /// The share of the rounds that it plays: rows that wake processes on other CPUs are slow and
    /// would take most of the time.
    share: u64,
    subject: Subject,
    taken: Vec<Pair>,
    /// Why it could not be measured.
    missing: Option<String>,
}

/// A row and the reference, one right after the other.
struct Pair {
    row: Round,
    reference: Round,
}

/// A measured row.
#[derive(Debug, Serialize)]
pub(crate) struct Figures {
    pub(crate) key: &'static str,
    pub(crate) label: String,
    /// Rounds in each run.
    pub(crate) rounds: u64,
    /// Runs that the figures come from.
    pub(crate) repetitions: usize,
    /// Microseconds a round.
    pub(crate) round_us: Option<Spread>,
    /// The same divided by the reference's, pair by pair.
    pub(crate) round_ratio: Option<Spread>,
    /// Microseconds of CPU time that the asking side uses a round.
    pub(crate) contestant_cpu_us: Option<Spread>,
    /// The same divided by the reference's, pair by pair.
    pub(crate) contestant_cpu_ratio: Option<Spread>,
    /// Why there are no figures.
    pub(crate) missing: Option<String>,
}

/// Measures every row. `cpus` are those that may be used, at least one; `unavailable` says why
/// rejoinder cannot be measured, if it cannot.
pub(crate) fn measure(
    tool: &Tool,
    unavailable: Option<&str>,
    options: &Options,
    cpus: &[usize],
) -> Result<Vec<Figures>> {
    let began = Instant::now();
    let mut rows = rows(tool, unavailable, cpus);
    let one = |row: &Row, rounds: u64| {
        let play = |rounds| match &row.subject {
            Subject::Bare(bare) => bare.play(rounds),
            Subject::Tool(setting) => tool.play(*setting, rounds),
        };
        round(play, rounds / row.share)
    };
    let (reference, others) = rows.split_at_mut(1);
    let reference = &mut reference[0];

    // Warm-up, and the place where a row that cannot run here shows it.
    one(reference, options.rounds)?;
    for row in others.iter_mut().filter(|row| row.missing.is_none()) {
        row.missing = one(row, options.rounds / 10)
            .err()
            .map(|error| format!("{error:#}"));
    }
    for repetition in 0..options.repeat {
        check_interrupt()?;
        let repetition_began = Instant::now();
        for row in others.iter_mut().filter(|row| row.missing.is_none()) {
            // Who comes first changes, so that neither always has the warmer machine.
            let (first, second) = if repetition % 2 == 0 {
                (one(reference, options.rounds)?, one(row, options.rounds))
            } else {
                let second = one(row, options.rounds);
                (one(reference, options.rounds)?, second)
            };
            match second {
                Ok(figures) => {
                    row.taken.push(Pair {
                        row: figures,
                        reference: first,
                    });
                    reference.taken.push(Pair {
                        row: first,
                        reference: first,
                    });
                }
                Err(error) => row.missing = Some(format!("{error:#}")),
            }
        }
        let next_would_end = began.elapsed() + repetition_began.elapsed();
        if options.bounded && repetition + 1 >= LEAST_REPETITIONS && next_would_end > TIME_FOR_ROWS
        {
            break;
        }
    }
    Ok(rows
        .into_iter()
        .map(|row| row.figures(options.rounds))
        .collect())
}

impl Row {
    fn figures(self, rounds: u64) -> Figures {
        let taken = if self.missing.is_some() {
            &[]
        } else {
            self.taken.as_slice()
        };
        let spread = |value: fn(&Pair) -> f64| Spread::of(taken.iter().map(value));
        Figures {
            key: self.key,
            rounds: rounds / self.share,
            repetitions: taken.len(),
            round_us: spread(|pair| pair.row.wall_us),
            round_ratio: spread(|pair| pair.row.wall_us / pair.reference.wall_us),
            contestant_cpu_us: spread(|pair| pair.row.contestant_cpu_us),
            contestant_cpu_ratio: spread(|pair| {
                pair.row.contestant_cpu_us / pair.reference.contestant_cpu_us
            }),
            label: self.label,
            missing: self.missing,
        }
    }
}

/// All rows, the reference first.
fn rows(tool: &Tool, unavailable: Option<&str>, cpus: &[usize]) -> Vec<Row> {
    let cpu = cpus[0];
    let row = |key, label: &str, share, subject| Row {
        key,
        label: label.to_owned(),
        share,
        subject,
        taken: Vec::new(),
        missing: None,
    };
    let bare = |key, label, share, link, placement| {
        let peer = tool.peer.clone();
        row(
            key,
            label,
            share,
            Subject::Bare(Bare {
                peer,
                link,
                placement,
            }),
        )
    };
    let ours = |key, label, channel, transcript| {
        let setting = Setting {
            channel,
            transcript,
            cpus: Some(cpu),
        };
        let mut row = row(key, label, 1, Subject::Tool(setting));
        row.missing = unavailable.map(str::to_owned);
        row
    };
    // Without a second CPU there is nothing to split over; the row then says so.
    let second = cpus.get(1).copied();
    let mut apart = bare(
        "pipes-apart",
        "bare pipes, two CPUs",
        4,
        Link::Pipes,
        Placement::Apart(cpu, second.unwrap_or(cpu)),
    );
    if second.is_none() {
        apart.missing = Some("there is only one CPU here".to_owned());
    }
    let together = Placement::Together(cpu);
    vec![
        bare(REFERENCE, "bare pipes, one CPU", 1, Link::Pipes, together),
        bare(
            "pipes-free",
            "bare pipes, not pinned",
            2,
            Link::Pipes,
            Placement::Free,
        ),
        apart,
        bare(
            "socketpair",
            "bare socketpair, one CPU",
            1,
            Link::Socketpair,
            together,
        ),
        ours(LOGGED, "rejoinder, tmpfs, transcript", "tmpfs", true),
        ours("tmpfs", "rejoinder, tmpfs", "tmpfs", false),
        ours("pipe", "rejoinder, pipe", "pipe", false),
        ours(DIRECT, "rejoinder, direct", "direct", false),
    ]
}
