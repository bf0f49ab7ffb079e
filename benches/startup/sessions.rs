//! How many sessions a second there are, one after the other and two at a time: what a judge sees.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::harness::dialogue::{Link, Placement, start_both};
use crate::harness::process::{Program, Running, Wiring, check_interrupt, first_to_end, start};
use crate::harness::statistics::Spread;
use crate::harness::turns;
use crate::options::Options;
use crate::subject::{Bench, Kind, TIME_LIMIT};

/// The programs of all sessions.
const KIND: Kind = Kind::Dynamic;

/// Sessions of the dynamic C programs, so many at a time.
#[derive(Debug, Serialize)]
pub(crate) struct Sessions {
    pub(crate) at_a_time: usize,
    /// Sessions in each stretch, of which there are as many of each kind as `stretches`.
    pub(crate) sessions: usize,
    pub(crate) stretches: usize,
    /// Sessions a second, both programs bare over pipes, each pair on one CPU.
    pub(crate) bare_a_second: Option<Spread>,
    /// Sessions a second of `rejoinder run` as it is by default.
    pub(crate) run_a_second: Option<Spread>,
    /// How many times as many there are bare, stretch by stretch.
    pub(crate) ratio: Option<Spread>,
    /// Why there are no figures.
    pub(crate) missing: Option<String>,
}

/// Counts with one and with two at a time.
pub(crate) fn measure(bench: &Bench, options: &Options) -> Result<Vec<Sessions>> {
    [1, 2]
        .into_iter()
        .map(|at_a_time| count(bench, options, at_a_time))
        .collect()
}

fn count(bench: &Bench, options: &Options, at_a_time: usize) -> Result<Sessions> {
    let words = bench.run(KIND, &[])?;
    let tool = || {
        let mut begin = |_| Ok((start_tool(&words)?, None));
        a_second(options.sessions, at_a_time, &mut begin)
    };
    let (asker, answerer) = bench.both(KIND)?;
    let bare = || {
        let mut begin = |place: usize| {
            let cpu = bench.cpus[place % bench.cpus.len()];
            let together = Placement::Together(cpu);
            let (asker, answerer) = start_both(&asker, &answerer, Link::Pipes, together)?;
            Ok((asker, Some(answerer)))
        };
        a_second(options.sessions, at_a_time, &mut begin)
    };
    let mut pairs = Vec::new();
    // The first stretch finds cold caches, and whether there is something to measure.
    let missing = turns::beside(0, tool, bare).err();
    let missing = missing.map(|error| format!("not measured: {error:#}"));
    if missing.is_none() {
        for stretch in 0..options.stretches {
            check_interrupt()?;
            pairs.push(turns::beside(stretch, tool, bare)?);
        }
    }
    let spread = |value: fn(&(f64, f64)) -> f64| Spread::of(pairs.iter().map(value));
    Ok(Sessions {
        at_a_time,
        sessions: options.sessions,
        stretches: pairs.len(),
        run_a_second: spread(|pair| pair.0),
        bare_a_second: spread(|pair| pair.1),
        ratio: spread(|pair| pair.1 / pair.0),
        missing,
    })
}

/// A session: what ends first of it, and the rest.
type Session = (Running, Option<Running>);

/// Plays so many sessions, always as many at a time; how many that are a second. A session is begun
/// in the place of one that has ended.
fn a_second(
    sessions: usize,
    at_a_time: usize,
    begin: &mut impl FnMut(usize) -> Result<Session>,
) -> Result<f64> {
    let began = Instant::now();
    let deadline = began + TIME_LIMIT;
    let at_a_time = at_a_time.min(sessions);
    let mut playing = (0..at_a_time)
        .map(&mut *begin)
        .collect::<Result<Vec<_>>>()?;
    let mut places: Vec<usize> = (0..at_a_time).collect();
    let mut to_begin = sessions - at_a_time;
    while !playing.is_empty() {
        let first: Vec<&Running> = playing.iter().map(|(first, _)| first).collect();
        let ended = first_to_end(&first, deadline)?;
        let (session, place) = (playing.swap_remove(ended), places.swap_remove(ended));
        session.0.wait_success(deadline)?;
        if let Some(rest) = session.1 {
            rest.wait_success(deadline)?;
        }
        if to_begin > 0 {
            to_begin -= 1;
            playing.push(begin(place)?);
            places.push(place);
        }
    }
    Ok(sessions as f64 / began.elapsed().as_secs_f64())
}

/// Starts `rejoinder run`, whose report nobody reads: it exits with 0 only if it accepts.
fn start_tool(words: &[OsString]) -> Result<Running> {
    let null = File::options().read(true).write(true).open("/dev/null");
    let null = null.context("failed to open /dev/null")?;
    let (path, args) = words.split_first().context("no program")?;
    let wiring = Wiring {
        stdin: null.as_fd(),
        stdout: null.as_fd(),
        stderr: Some(null.as_fd()),
        cpus: None,
    };
    start(&Program::new(path, args)?, &wiring)
}
