//! The program compiled, and one run of it.

use std::fs::File;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::harness::compile::{self, Source};
use crate::harness::process::{Program, Wiring, start};
use crate::ways::Way;

/// No run takes so long.
const TIME_LIMIT: Duration = Duration::from_secs(600);
/// Bytes of a message: an `unsigned long` and a text of 1024.
const MESSAGE: u64 = 8 + 1024;

const SOURCES: [Source; 9] = [
    ("channel.h", include_str!("talk/channel.h")),
    ("main.c", include_str!("talk/main.c")),
    ("bytes.c", include_str!("talk/bytes.c")),
    ("fifo.c", include_str!("talk/fifo.c")),
    ("queue.c", include_str!("talk/queue.c")),
    ("sockets.c", include_str!("talk/sockets.c")),
    ("shared.c", include_str!("talk/shared.c")),
    ("pipes.c", include_str!("talk/pipes.c")),
    ("watched.c", include_str!("talk/watched.c")),
];

/// What one run came to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) messages: u64,
    /// From before the first message was sent until after the last one was received.
    pub(crate) real: Duration,
    /// User and system time.
    pub(crate) reader_cpu: Duration,
    pub(crate) writer_cpu: Duration,
    /// How often a side had to wait.
    pub(crate) reader_sleeps: u64,
    pub(crate) writer_sleeps: u64,
    /// Bytes that waited at once, at most; 0 where the channel itself sets a limit.
    pub(crate) kept: u64,
}

impl Run {
    /// Seconds for one message.
    pub(crate) fn real_of_one(&self) -> f64 {
        self.real.as_secs_f64() / self.messages as f64
    }
}

/// Where everything is that a run needs.
pub(crate) struct Bench {
    program: PathBuf,
    folder: PathBuf,
    cpus: Vec<usize>,
}

impl Bench {
    /// Compiles the program into the folder; `cpus` are those that may be used.
    pub(crate) fn new(folder: &Path, cpus: &[usize]) -> Result<Bench> {
        Ok(Bench {
            program: compile::c_of(folder, "talk", &SOURCES, &["-pthread", "-lrt"])?,
            folder: folder.to_owned(),
            cpus: cpus.to_owned(),
        })
    }

    /// Sends so many messages; fails if one of them does not arrive whole and in its turn.
    pub(crate) fn run(&self, way: Way, messages: u64) -> Result<Run> {
        let cpus = way.placement.of(&self.cpus)?;
        let (writer, reader) = (cpus[0], cpus[cpus.len() - 1]);
        let (printed, complained) = (self.folder.join("stdout"), self.folder.join("stderr"));
        let (stdin, stdout, stderr) = (
            File::open("/dev/null").context("failed to open /dev/null")?,
            File::create(&printed).context("failed to make a file for the figures")?,
            File::create(&complained).context("failed to make a file for the messages")?,
        );
        let numbers = [messages, writer as u64, reader as u64].map(|number| number.to_string());
        let [messages_word, writer, reader] = &numbers;
        let folder = self.folder.to_str().context("TMPDIR is not UTF-8")?;
        let program = Program::new(
            self.program.as_os_str(),
            &[
                way.channel.word(),
                way.parties.word(),
                messages_word,
                writer,
                reader,
                folder,
            ],
        )?;
        let wiring = Wiring {
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: Some(stderr.as_fd()),
            cpus: None,
        };
        let ended = start(&program, &wiring)?
            .wait(Instant::now() + TIME_LIMIT)
            .and_then(|ended| match ended.code {
                0 => Ok(()),
                code => bail!("it exited with {code}"),
            });
        if let Err(error) = ended {
            let said = std::fs::read(&complained).unwrap_or_default();
            let said = String::from_utf8_lossy(&said);
            bail!("{error:#}; it said \"{}\"", said.trim());
        }
        let text = std::fs::read_to_string(&printed).context("failed to read the figures")?;
        figures(&text, messages)
    }
}

/// Reads the line that the program prints, which is described there.
fn figures(text: &str, messages: u64) -> Result<Run> {
    let numbers: Vec<u64> = text
        .split_whitespace()
        .map(|word| {
            word.parse()
                .with_context(|| format!("`{word}` in `{text}`"))
        })
        .collect::<Result<_>>()?;
    let &[
        real,
        reader_cpu,
        writer_cpu,
        reader_sleeps,
        writer_sleeps,
        bytes,
        kept,
    ] = numbers.as_slice()
    else {
        bail!("the program printed `{}`", text.trim());
    };
    if bytes != messages * MESSAGE {
        bail!("{bytes} bytes arrived of {messages} messages of {MESSAGE}");
    }
    Ok(Run {
        messages,
        real: Duration::from_nanos(real),
        reader_cpu: Duration::from_nanos(reader_cpu),
        writer_cpu: Duration::from_nanos(writer_cpu),
        reader_sleeps,
        writer_sleeps,
        kept,
    })
}
