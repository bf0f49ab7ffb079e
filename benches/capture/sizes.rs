//! All methods measured at all sizes, in turns.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::harness::machine::load_now;
use crate::harness::process::check_interrupt;
use crate::harness::statistics::Spread;
use crate::harness::turns;
use crate::methods::{Method, Writing};
use crate::options::Options;
use crate::subject::{Bench, Run};

/// Every method is measured as often as this, however long it takes.
const LEAST_ROUNDS: usize = 3;

/// Up to this size a round is thrown away first; beyond, a run is long enough to warm itself.
const WARMED_UP: u64 = 1 << 16;

/// Figures of one method at one size. Each is the spread over the rounds.
#[derive(Debug, Serialize)]
pub(crate) struct Figures {
    pub(crate) method: Method,
    /// How often it was measured.
    pub(crate) rounds: usize,
    /// CPU time of the program, in milliseconds.
    pub(crate) cpu_ms: Spread,
    /// Real time of the program.
    pub(crate) real_ms: Spread,
    /// Real time of the whole command.
    pub(crate) whole_ms: Spread,
    /// CPU time in proportion to the reference's of the same round.
    pub(crate) cpu_ratio: Spread,
    /// Real time of the program in proportion to the reference's.
    pub(crate) real_ratio: Spread,
    /// CPU time of rejoinder itself, where it takes part.
    pub(crate) coordinator_cpu_ms: Option<Spread>,
    /// Peak resident memory of rejoinder itself.
    pub(crate) coordinator_memory_kib: Option<Spread>,
    /// What it reports as the program's memory.
    pub(crate) program_memory_kib: Option<Spread>,
}

/// One size, one way of writing.
#[derive(Debug, Serialize)]
pub(crate) struct Size {
    pub(crate) writing: Writing,
    pub(crate) bytes: u64,
    /// Load average over a minute when this size began.
    pub(crate) load: f64,
    pub(crate) figures: Vec<Figures>,
}

impl Size {
    pub(crate) fn of(&self, method: Method) -> Option<&Figures> {
        self.figures.iter().find(|figures| figures.method == method)
    }
}

/// Measures everything; what is done is told on stderr.
pub(crate) fn measure(bench: &Bench, options: &Options) -> Result<Vec<Size>> {
    let plan = [
        (Writing::Buffered, &options.buffered),
        (Writing::Unbuffered, &options.unbuffered),
    ];
    let mut sizes = Vec::new();
    for (writing, powers) in plan {
        for power in powers {
            let size = one(bench, options, writing, 1 << power)?;
            eprintln!("{writing:?}, 2^{power} bytes, load {:.1}", size.load);
            sizes.push(size);
        }
    }
    Ok(sizes)
}

fn one(bench: &Bench, options: &Options, writing: Writing, bytes: u64) -> Result<Size> {
    let load = load_now();
    if bytes <= WARMED_UP {
        for method in Method::ALL {
            bench.run(method, writing, bytes)?;
        }
    }
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); Method::ALL.len()];
    let mut spent = vec![Duration::ZERO; Method::ALL.len()];
    let is_reference = |subject: usize| Method::ALL[subject] == Method::REFERENCE;
    for round in 0..options.repeat {
        let slow = |spent: Duration| round >= LEAST_ROUNDS && spent > options.time_for_method;
        let mut spent_by = spent.iter().enumerate();
        if spent_by.all(|(subject, spent)| is_reference(subject) || slow(*spent)) {
            break;
        }
        for subject in turns::order(round, Method::ALL.len()) {
            check_interrupt()?;
            // The reference is needed in every round.
            if slow(spent[subject]) && !is_reference(subject) {
                continue;
            }
            let began = Instant::now();
            runs[subject].push(bench.run(Method::ALL[subject], writing, bytes)?);
            spent[subject] += began.elapsed();
        }
    }
    let reference = Method::ALL.iter().position(|m| *m == Method::REFERENCE);
    let reference = &runs[reference.context("the reference is not among the methods")?];
    let figures = Method::ALL.iter().zip(&runs);
    let figures = figures.map(|(method, runs)| figures_of(*method, runs, reference));
    Ok(Size {
        writing,
        bytes,
        load,
        figures: figures.collect::<Result<_>>()?,
    })
}

fn figures_of(method: Method, runs: &[Run], reference: &[Run]) -> Result<Figures> {
    let spread = |value: &dyn Fn(&Run) -> f64| {
        Spread::of(runs.iter().map(value)).context("nothing was measured")
    };
    // A slow method has no runs in the last rounds; those that it has are of the first.
    let ratio = |value: &dyn Fn(&Run) -> f64| {
        let pairs = runs.iter().zip(reference);
        Spread::of(pairs.map(|(run, other)| value(run) / value(other)))
            .context("nothing was measured")
    };
    let of_coordinator = |value: &dyn Fn(&crate::subject::Coordinator) -> f64| {
        Spread::of(
            runs.iter()
                .filter_map(|run| run.coordinator.as_ref().map(value)),
        )
    };
    Ok(Figures {
        method,
        rounds: runs.len(),
        cpu_ms: spread(&|run| run.cpu_ms)?,
        real_ms: spread(&|run| run.real_ms)?,
        whole_ms: spread(&|run| run.whole_ms)?,
        cpu_ratio: ratio(&|run| run.cpu_ms)?,
        real_ratio: ratio(&|run| run.real_ms)?,
        coordinator_cpu_ms: of_coordinator(&|it| it.cpu_ms),
        coordinator_memory_kib: of_coordinator(&|it| it.memory_kib),
        program_memory_kib: of_coordinator(&|it| it.program_memory_kib),
    })
}
