//! The limits of a package, in `problem.yaml` and in the files beside it that have the time limit.
//!
//! Numbers are seconds and MiB, as the specifications say. What is not given follows their typical
//! values for memory and for the validator's time, and otherwise the defaults of problem folders.

use std::path::Path;
use std::time::Duration;

use super::metadata::Version;
use crate::error::{Error, Result};
use crate::evidence::Role;
use crate::spec::document::Document;
use crate::spec::left_out::LeftOut;
use crate::spec::limits::Limits;
use crate::spec::plan;
use crate::spec::protocol::Protocol;
use crate::spec::yaml::{Map, Node, Value};

/// Seconds; "typical system default" of the specifications.
const VALIDATION_TIME: f64 = 60.0;
/// MiB; the same, for both programs.
const MEMORY: f64 = 2048.0;
/// The most CPU time that a limit may give, in seconds: a day.
const LONGEST: f64 = 86_400.0;
/// Files that hold the time limit where `problem.yaml` does not, in the order in which they count.
const TIME_FILES: [&str; 2] = [".timelimit", "domjudge-problem.ini"];

/// How often both programs may be run: `validation_passes`, which only multi-pass problems have.
pub(super) fn passes<'a>(
    document: &Document,
    limits: Option<Map<'a>>,
    multi_pass: bool,
) -> Result<(Option<Map<'a>>, u32)> {
    /// What the specifications say if nothing is said.
    const DEFAULT: u32 = 2;
    let default = if multi_pass { DEFAULT } else { 1 };
    let Some(mut map) = limits else {
        return Ok((None, default));
    };
    let Some((key, number)) = map.number("validation_passes")? else {
        return Ok((Some(map), default));
    };
    if !multi_pass {
        let message = "`validation_passes` belongs to multi-pass problems, and this is none: remove it, or add `multi-pass` to the problem's type";
        return Err(document.error(&key.span, message));
    }
    // A number with a fraction, or one that is far too large, is refused with the others.
    let whole = if number.fract() == 0.0 {
        number as u32
    } else {
        0
    };
    match plan::passes(whole, Protocol::Icpc) {
        Ok(passes) => Ok((Some(map), passes)),
        Err(why) => {
            let message = format!("`validation_passes` {why}");
            Err(document.error(&key.span, message))
        }
    }
}

/// Reads the limits of the contestant and of the validator.
pub(super) fn read(
    folder: &Path,
    document: &Document,
    limits: Option<Map<'_>>,
    version: Version,
    left_out: &mut LeftOut,
) -> Result<(Limits, Limits)> {
    let nothing = Node {
        span: 0..0,
        value: Value::Nothing,
    };
    let mut map = match limits {
        Some(map) => map,
        None => Map::of(document, &nothing, "`limits`")?,
    };
    let number = |map: &mut Map<'_>, name| Ok::<_, Error>(map.number(name)?.map(|(_, n)| n));
    let time_limit = match map.number("time_limit")? {
        Some((key, seconds)) if seconds > LONGEST => {
            let message = format!("`time_limit` is {seconds} s, which is more than a day");
            return Err(document.error(&key.span, message));
        }
        found => found.map(|(_, seconds)| seconds),
    };
    let memory = number(&mut map, "memory")?.unwrap_or(MEMORY);
    let output = number(&mut map, "output")?;
    let validation_time = number(&mut map, "validation_time")?.unwrap_or(VALIDATION_TIME);
    let validation_memory = number(&mut map, "validation_memory")?.unwrap_or(MEMORY);
    let validation_output = number(&mut map, "validation_output")?;
    for (name, what) in [
        ("code", "the size of a source is not limited"),
        ("compilation_time", "a compiler may take 60 s"),
        ("compilation_memory", "a compiler's memory is not limited"),
    ] {
        if let Some((key, _)) = map.number(name)? {
            left_out.key(document, &key.span, name, what);
        }
    }
    let inferred = inference(&mut map, document, version)?;
    map.finish(|_| None)?;
    let contestant = Limits::default_for(Role::Contestant);
    let interactor = Limits::default_for(Role::Interactor);
    let cpu = match time_limit.map_or_else(|| in_files(folder, left_out), |t| Ok(Some(t)))? {
        Some(seconds) => Duration::from_secs_f64(seconds),
        None => {
            let seconds = contestant.cpu.as_secs_f64();
            left_out.file(
                &folder.join(super::FILE_NAME),
                format!(
                    "there is no time limit, and it is not found out from the submissions{inferred}: they get {seconds} s; write `time_limit` below `limits`, or a number of seconds into .timelimit"
                ),
            );
            contestant.cpu
        }
    };
    let validation = Duration::from_secs_f64(validation_time.min(LONGEST));
    Ok((
        Limits {
            cpu,
            wall: contestant.wall.max(cpu * 3),
            memory: bytes(memory),
            output: output.map_or(contestant.output, bytes),
            ..contestant
        },
        Limits {
            cpu: validation,
            wall: interactor.wall.max(validation * 3),
            memory: bytes(validation_memory),
            output: validation_output.map_or(interactor.output, bytes),
            ..interactor
        },
    ))
}

/// Looks at the keys by which a judge finds out a time limit. They are only named where there is
/// none.
fn inference(map: &mut Map<'_>, document: &Document, version: Version) -> Result<&'static str> {
    if version.is_legacy() {
        let multiplier = map.number("time_multiplier")?.is_some();
        let margin = map.number("time_safety_margin")?.is_some();
        return Ok(match multiplier || margin {
            true => " by `time_multiplier` and `time_safety_margin`",
            false => "",
        });
    }
    map.number("time_resolution")?;
    let Some((_, node)) = map.take("time_multipliers") else {
        return Ok("");
    };
    let mut inner = Map::of(document, node, "`time_multipliers`")?;
    inner.number("ac_to_time_limit")?;
    inner.number("time_limit_to_tle")?;
    inner.finish(|_| None)?;
    Ok(" by `time_multipliers`")
}

fn bytes(mebibytes: f64) -> u64 {
    (mebibytes * f64::from(1 << 20)) as u64
}

/// The time limit in seconds that a file beside `problem.yaml` has.
fn in_files(folder: &Path, left_out: &mut LeftOut) -> Result<Option<f64>> {
    let mut found: Option<(f64, &str)> = None;
    for name in TIME_FILES {
        let path = folder.join(name);
        if !path.is_file() {
            continue;
        }
        let document = Document::read("file", &path)?;
        let written = match name {
            ".timelimit" => Some((0..document.text().len(), document.text().trim())),
            _ => setting(document.text()),
        };
        let Some((span, written)) = written else {
            continue;
        };
        let seconds = written.parse::<f64>().ok();
        let Some(seconds) = seconds.filter(|s| *s > 0.0 && *s <= LONGEST) else {
            let message =
                format!("`{written}` is no time limit: write a number of seconds above 0");
            return Err(document.error(&span, message));
        };
        match found {
            None => found = Some((seconds, name)),
            Some((first, from)) if first != seconds => left_out.file(
                &path,
                format!("it says {seconds} s and {from} says {first} s, which counts"),
            ),
            Some(_) => {}
        }
    }
    Ok(found.map(|(seconds, _)| seconds))
}

/// The value of `timelimit` in a file of `key = 'value'` lines, and its place.
fn setting(text: &str) -> Option<(std::ops::Range<usize>, &str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let value = line
            .split_once('=')
            .filter(|(key, _)| key.trim() == "timelimit")
            .map(|(_, value)| value.trim().trim_matches(['\'', '"']));
        if let Some(value) = value {
            let at = start + line.find(value).unwrap_or(0);
            return Some((at..at + value.len(), value));
        }
        start += line.len();
    }
    None
}
