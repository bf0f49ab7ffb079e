//! The rows of the table, each measured in pairs with what it is compared with.

use anyhow::Result;
use serde::Serialize;

use crate::harness::process::check_interrupt;
use crate::harness::statistics::Spread;
use crate::harness::turns;
use crate::options::Options;
use crate::subject::{Bench, Kind, Way};

/// What is compared with what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Group {
    /// `rejoinder exec` with a bare fork, exec and wait.
    Exec,
    /// `rejoinder run` with both programs, bare over pipes.
    Run,
    /// `rejoinder run` with a transcript, with the same.
    Logged,
    /// `rejoinder exec` of the static program, as it is or with a flag, with it as it is.
    ExecLayer,
    /// `rejoinder run` of the dynamic programs likewise.
    RunLayer,
}

/// A measured row.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) group: Group,
    /// The programs.
    pub(crate) kind: Kind,
    pub(crate) label: &'static str,
    /// Pairs that the figures come from.
    pub(crate) pairs: usize,
    /// Milliseconds.
    pub(crate) ms: Option<Spread>,
    /// Milliseconds of what it is compared with.
    pub(crate) beside_ms: Option<Spread>,
    /// The one divided by the other, pair by pair.
    pub(crate) ratio: Option<Spread>,
    /// The one less the other, pair by pair.
    pub(crate) more_ms: Option<Spread>,
    /// Why there are no figures.
    pub(crate) missing: Option<String>,
}

/// A row and what it is measured beside.
struct Subject {
    group: Group,
    kind: Kind,
    label: &'static str,
    way: Way,
    beside: Way,
}

const PLAIN: &[&str] = &[];

/// What one layer, or one step, costs `rejoinder exec`. The first is beside itself: what it is away
/// from nothing is the machine's unrest.
const EXEC_LAYERS: [(&str, &[&str]); 10] = [
    ("exec, as it is", PLAIN),
    (
        "Landlock, no namespaces (--isolation landlock)",
        &["--isolation", "landlock"],
    ),
    (
        "in a user namespace, without an id of its own",
        &["--require", "user-namespace"],
    ),
    ("with a network namespace", &["--require", "net"]),
    ("address space limited", &["--address-space", "1GiB"]),
    ("nothing explained (--explain no)", &["--explain", "no"]),
    (
        "output into a file (--capture file)",
        &["--capture", "file"],
    ),
    ("output into memory (tmpfs)", &["--capture", "tmpfs"]),
    ("output through a pipe (pipe)", &["--capture", "pipe"]),
    ("every write looked at (readv)", &["--capture", "readv"]),
];

/// The same of `rejoinder run`.
const RUN_LAYERS: [(&str, &[&str]); 6] = [
    ("run, as it is", PLAIN),
    (
        "Landlock, no namespaces (--isolation landlock)",
        &["--isolation", "landlock"],
    ),
    ("with network namespaces", &["--require", "net"]),
    ("pipes (--channel pipe)", &["--channel", "pipe"]),
    (
        "their own pipes (--channel direct)",
        &["--channel", "direct"],
    ),
    ("nothing explained (--explain no)", &["--explain", "no"]),
];

fn subjects() -> Vec<Subject> {
    let subject = |group, kind: Kind, label, way, beside| Subject {
        group,
        kind,
        label,
        way,
        beside,
    };
    let mut subjects = Vec::new();
    for kind in Kind::ALL {
        let way = Way::Exec(kind, PLAIN);
        subjects.push(subject(
            Group::Exec,
            kind,
            kind.name(),
            way,
            Way::Alone(kind),
        ));
    }
    for kind in Kind::ALL {
        let way = Way::Run(kind, PLAIN);
        subjects.push(subject(Group::Run, kind, kind.name(), way, Way::Both(kind)));
    }
    for kind in Kind::ALL {
        let way = Way::Logged(kind);
        subjects.push(subject(
            Group::Logged,
            kind,
            kind.name(),
            way,
            Way::Both(kind),
        ));
    }
    let (one, two) = (Kind::Static, Kind::Dynamic);
    let plain = Way::Exec(one, PLAIN);
    let group = Group::ExecLayer;
    subjects.push(subject(
        group,
        one,
        "no sandbox: the program bare",
        Way::Alone(one),
        plain,
    ));
    subjects.push(subject(
        group,
        one,
        "rejoinder --version alone",
        Way::Version,
        plain,
    ));
    for (label, flags) in EXEC_LAYERS {
        subjects.push(subject(group, one, label, Way::Exec(one, flags), plain));
    }
    let plain = Way::Run(two, PLAIN);
    for (label, flags) in RUN_LAYERS {
        subjects.push(subject(
            Group::RunLayer,
            two,
            label,
            Way::Run(two, flags),
            plain,
        ));
    }
    let way = Way::Logged(two);
    subjects.push(subject(
        Group::RunLayer,
        two,
        "with a transcript",
        way,
        plain,
    ));
    subjects
}

/// Measures every row.
pub(crate) fn measure(bench: &Bench, options: &Options) -> Result<Vec<Row>> {
    let subjects = subjects();
    let mut missing: Vec<Option<String>> = Vec::new();
    for subject in &subjects {
        let why = bench.missing(subject.way);
        missing.push(why.or_else(|| bench.missing(subject.beside)));
        check_interrupt()?;
    }
    let mut taken: Vec<Vec<(f64, f64)>> = subjects.iter().map(|_| Vec::new()).collect();
    for repetition in 0..options.repeat {
        for turn in turns::order(repetition, subjects.len()) {
            check_interrupt()?;
            if missing[turn].is_some() {
                continue;
            }
            let Subject { way, beside, .. } = subjects[turn];
            let (row, beside) = (|| bench.start_ms(way), || bench.start_ms(beside));
            taken[turn].push(turns::beside(repetition, row, beside)?);
        }
    }
    let rows = subjects.into_iter().zip(taken).zip(missing);
    Ok(rows
        .map(|((subject, pairs), missing)| {
            let spread = |value: fn(&(f64, f64)) -> f64| Spread::of(pairs.iter().map(value));
            Row {
                group: subject.group,
                kind: subject.kind,
                label: subject.label,
                pairs: pairs.len(),
                ms: spread(|pair| pair.0),
                beside_ms: spread(|pair| pair.1),
                ratio: spread(|pair| pair.0 / pair.1),
                more_ms: spread(|pair| pair.0 - pair.1),
                missing,
            }
        })
        .collect())
}
