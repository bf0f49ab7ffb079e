//! The programs that wait, and one run.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use rejoinder::spec::language::Languages;
use serde_json::Value;

use crate::harness::process::{Program, Wiring, start};

/// No run takes so long, compiling included.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Limits that end no run here: a deadlock that only a limit finds is far beyond any bound.
const LIMITS: [&str; 12] = [
    "--cpu",
    "20s",
    "--idle",
    "10s",
    "--memory",
    "1GiB",
    "--tasks",
    "200",
    "--wall",
    "60s",
    "--channel",
    "tmpfs",
];

/// All sources, by the names that they get.
const SOURCES: [(&str, &str); 8] = [
    ("partner.c", include_str!("programs/partner.c")),
    ("waits.c", include_str!("programs/waits.c")),
    ("waits.cpp", include_str!("programs/waits.cpp")),
    ("waits.rs", include_str!("programs/waits.rs")),
    ("waits.py", include_str!("programs/waits.py")),
    ("Waits.java", include_str!("programs/Waits.java")),
    ("waits.js", include_str!("programs/waits.js")),
    ("waits.go", include_str!("programs/waits.go")),
];

/// A contestant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) label: &'static str,
    file: &'static str,
    threaded: bool,
    /// The bound of what it takes to find the deadlock, in milliseconds.
    pub(crate) at_most: f64,
}

const fn subject(label: &'static str, file: &'static str, threaded: bool, at_most: f64) -> Subject {
    Subject {
        label,
        file,
        threaded,
        at_most,
    }
}

/// What programs of one thread are allowed, and programs of several.
const ONE: f64 = 20.0;
const SEVERAL: f64 = 150.0;

pub(crate) const SUBJECTS: [Subject; 12] = [
    subject("C", "waits.c", false, ONE),
    subject("C, reading thread", "waits.c", true, SEVERAL),
    subject("C++", "waits.cpp", false, ONE),
    subject("Rust", "waits.rs", false, ONE),
    subject("Rust, reading thread", "waits.rs", true, SEVERAL),
    subject("Python", "waits.py", false, ONE),
    subject("Python, reading thread", "waits.py", true, SEVERAL),
    subject("Java", "Waits.java", false, SEVERAL),
    subject("Java, reading thread", "Waits.java", true, SEVERAL),
    subject("Node.js", "waits.js", false, SEVERAL),
    subject("Go", "waits.go", false, SEVERAL),
    subject("Go, reading goroutine", "waits.go", true, SEVERAL),
];

/// What one run took, in milliseconds from the moment at which the last of both began to wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    /// Until the deadlock was found.
    pub(crate) found: f64,
    /// Until `rejoinder run` had ended.
    pub(crate) ended: f64,
}

/// Where everything is that a run needs.
pub(crate) struct Bench {
    folder: PathBuf,
}

impl Bench {
    /// Writes the sources into the folder.
    pub(crate) fn new(folder: &Path) -> Result<Bench> {
        for (name, text) in SOURCES {
            fs::write(folder.join(name), text)
                .with_context(|| format!("failed to write {name}"))?;
        }
        fs::write(folder.join("input"), "").context("failed to write the input")?;
        Ok(Bench {
            folder: folder.to_owned(),
        })
    }

    /// Why this one cannot be run, if so.
    pub(crate) fn missing(&self, subject: &Subject) -> Option<String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let has =
            |name: &String| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
        let languages = Languages::builtin();
        let language = languages.of_source(Path::new(subject.file))?;
        [&language.compilers, &language.interpreters]
            .into_iter()
            .find(|names| !names.is_empty() && !names.iter().any(has))
            .map(|names| format!("skipped: `{}` is not installed", names.join("` or `")))
    }

    /// Plays one session.
    pub(crate) fn run(&self, subject: &Subject) -> Result<Taken> {
        let file = |name: &str| self.folder.join(name).into_os_string();
        let transcript = self.folder.join("transcript.jsonl");
        let mut words: Vec<OsString> = vec!["run".into(), "--json".into()];
        words.extend(LIMITS.map(OsString::from));
        words.extend(["--interactor".into(), file("partner.c")]);
        words.extend(["--input".into(), file("input")]);
        words.extend(["--transcript".into(), transcript.clone().into_os_string()]);
        words.extend(["--".into(), file(subject.file)]);
        words.extend(subject.threaded.then(|| "thread".into()));
        let program = Program::new(env!("CARGO_BIN_EXE_rejoinder").as_ref(), &words)?;
        let (printed, complained) = (self.folder.join("stdout"), self.folder.join("stderr"));
        let stdin = File::open("/dev/null").context("failed to open /dev/null")?;
        let stdout = File::create(&printed).context("failed to make a file for the report")?;
        let stderr = File::create(&complained).context("failed to make a file for messages")?;
        let wiring = Wiring {
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: Some(stderr.as_fd()),
            cpus: None,
        };
        start(&program, &wiring)?.wait(Instant::now() + TIME_LIMIT)?;
        let end = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let report = fs::read_to_string(&printed).context("failed to read the report")?;
        if !report.contains("\"kind\":\"deadlock\"") {
            let messages = fs::read_to_string(&complained).unwrap_or_default();
            bail!(
                "no deadlock was found: {}{}",
                report.trim(),
                messages.trim()
            );
        }
        let text = fs::read_to_string(&transcript).context("failed to read the transcript")?;
        let seen = Seen::of(&text)?;
        Ok(Taken {
            found: (seen.found - seen.waits) * 1e3,
            ended: end.as_secs_f64() * 1e3 - seen.noted / 1e6,
        })
    }
}

/// What the transcript says of a deadlock.
struct Seen {
    /// Seconds since the start: when the note of the last that began to wait was there.
    waits: f64,
    /// Seconds since the start: when the contestant was given end of input, which is what follows
    /// at once from the discovery, if nothing lies in any buffer.
    found: f64,
    /// Nanoseconds since 1970: what the later of both notes says.
    noted: f64,
}

impl Seen {
    fn of(transcript: &str) -> Result<Seen> {
        let (mut waits, mut found) = (None, None);
        // A runtime may write a line in pieces.
        let mut notes = [String::new(), String::new()];
        for line in transcript.lines().skip(1) {
            let record: Value = serde_json::from_str(line).context("a record is not JSON")?;
            let at = record[0].as_f64();
            let note = match record[1].as_str() {
                Some("contestant-stderr") => Some(&mut notes[0]),
                Some("interactor-stderr") => Some(&mut notes[1]),
                _ => None,
            };
            if let Some(note) = note {
                note.push_str(record[2].as_str().unwrap_or_default());
                waits = at;
            } else if record[2]["kind"] == "end-of-input" {
                found = at;
            }
        }
        let mut noted = 0f64;
        for note in notes.iter().map(|note| note.trim()) {
            noted = noted.max(note.parse().with_context(|| format!("the note `{note}`"))?);
        }
        Ok(Seen {
            waits: waits.context("a record has no time")?,
            found: found.context("the deadlock is not in the transcript")?,
            noted,
        })
    }
}
