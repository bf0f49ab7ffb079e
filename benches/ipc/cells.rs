//! The cells of the tables, measured in turns so that drift of the machine meets all of them alike.

use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use crate::harness::process::check_interrupt;
use crate::harness::statistics::Spread;
use crate::harness::turns;
use crate::options::Options;
use crate::subject::{Bench, Run};
use crate::ways::Way;

/// A first run of each cell has this part of the messages.
const WARM_UP: u64 = 50;
/// Where the number of messages is worked out, it is a multiple of this.
const ROUND: u64 = 1000;

/// A measured cell.
#[derive(Debug, Serialize)]
pub(crate) struct Cell {
    #[serde(flatten)]
    pub(crate) way: Way,
    /// Messages in each run.
    pub(crate) messages: u64,
    /// Runs that the figures come from.
    pub(crate) repetitions: usize,
    /// Seconds from before the first message until after the last.
    pub(crate) real_s: Option<Spread>,
    /// The same for one message, in microseconds.
    pub(crate) real_us: Option<Spread>,
    /// The time of a message divided by that of the pipe between two processes on as many CPUs, round by round.
    pub(crate) real_ratio: Option<Spread>,
    /// The same divided by that of the same channel between two processes, round by round.
    pub(crate) times_processes: Option<Spread>,
    /// Seconds of CPU time of the reader.
    pub(crate) reader_cpu_s: Option<Spread>,
    /// The same for one message, in microseconds.
    pub(crate) reader_cpu_us: Option<Spread>,
    /// Microseconds of CPU time of the writer for one message.
    pub(crate) writer_cpu_us: Option<Spread>,
    /// How often the reader had to wait, for each message.
    pub(crate) reader_sleeps: Option<Spread>,
    /// How often the writer had to wait, for each message.
    pub(crate) writer_sleeps: Option<Spread>,
    /// MiB that waited at once, at most, where the channel itself sets no limit.
    pub(crate) kept_mib: Option<Spread>,
    /// Why there are no figures.
    pub(crate) missing: Option<String>,
}

/// Measures every cell. A cell that fails once has no figures.
pub(crate) fn measure(bench: &Bench, options: &Options) -> Result<Vec<Cell>> {
    let ways = Way::all();
    // Of each way the runs of all rounds, `None` for a round in which it had no time left.
    let mut taken: Vec<Vec<Option<Run>>> = vec![Vec::new(); ways.len()];
    let mut missing: Vec<Option<String>> = vec![None; ways.len()];
    let mut spent = vec![Duration::ZERO; ways.len()];
    let mut messages = vec![options.messages; ways.len()];
    for (number, way) in ways.iter().enumerate() {
        let some = (options.messages / WARM_UP).max(1);
        match bench.run(*way, some) {
            Ok(run) => {
                if let Some(bounds) = options.bounds {
                    messages[number] =
                        fitting(bounds.run, run.real / some as u32).min(options.messages);
                }
            }
            Err(error) => missing[number] = Some(format!("{error:#}")),
        }
        check_interrupt()?;
    }
    for round in 0..options.repeat {
        for turn in turns::order(round, ways.len()) {
            let late = options
                .bounds
                .is_some_and(|bounds| spent[turn] >= bounds.cell);
            if missing[turn].is_some() || late {
                taken[turn].push(None);
                continue;
            }
            match bench.run(ways[turn], messages[turn]) {
                Ok(run) => {
                    spent[turn] += run.real;
                    taken[turn].push(Some(run));
                }
                Err(error) => {
                    missing[turn] = Some(format!("{error:#}"));
                    taken[turn].push(None);
                }
            }
            check_interrupt()?;
        }
    }
    let runs_of = |way: Way| {
        let place = ways.iter().position(|one| *one == way);
        place.map_or(&[][..], |place| &taken[place])
    };
    Ok(ways
        .iter()
        .zip(missing)
        .zip(&messages)
        .map(|((way, missing), messages)| cell(*way, missing, *messages, runs_of))
        .collect())
}

/// How many messages fit into a time if one takes so long: a round number of them.
fn fitting(time: Duration, each: Duration) -> u64 {
    let fitting = time.as_nanos() / each.as_nanos().max(1);
    (fitting as u64 / ROUND * ROUND).max(ROUND)
}

fn cell<'a>(
    way: Way,
    missing: Option<String>,
    messages: u64,
    runs_of: impl Fn(Way) -> &'a [Option<Run>],
) -> Cell {
    let runs = if missing.is_some() { &[] } else { runs_of(way) };
    let spread = |value: &dyn Fn(&Run) -> f64| Spread::of(runs.iter().flatten().map(value));
    let each = |value: fn(&Run) -> f64| spread(&|run| value(run) / run.messages as f64);
    let beside = |other: Way| {
        let pairs = runs.iter().zip(runs_of(other));
        let pairs = pairs.filter_map(|(run, other)| Some((run.as_ref()?, other.as_ref()?)));
        Spread::of(pairs.map(|(run, other)| run.real_of_one() / other.real_of_one()))
    };
    Cell {
        way,
        messages,
        repetitions: runs.iter().flatten().count(),
        real_s: spread(&|run| run.real.as_secs_f64()),
        real_us: each(|run| run.real.as_secs_f64() * 1e6),
        real_ratio: beside(way.reference()),
        times_processes: beside(way.of_processes()),
        reader_cpu_s: spread(&|run| run.reader_cpu.as_secs_f64()),
        reader_cpu_us: each(|run| run.reader_cpu.as_secs_f64() * 1e6),
        writer_cpu_us: each(|run| run.writer_cpu.as_secs_f64() * 1e6),
        reader_sleeps: each(|run| run.reader_sleeps as f64),
        writer_sleeps: each(|run| run.writer_sleeps as f64),
        kept_mib: spread(&|run| run.kept as f64 / f64::from(1 << 20))
            .filter(|spread| spread.upper > 0.0),
        missing,
    }
}
