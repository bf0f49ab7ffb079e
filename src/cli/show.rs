//! `rejoinder show`: a transcript for a person, or for another tool.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::error::{Error, Result};
use crate::evidence::Role;
use crate::transcript::dialogue::Brevity;
use crate::transcript::reader::Reader;
use crate::transcript::views;

/// Show a transcript: the dialogue with times, one side's bytes, or an `.interaction` file
#[derive(Debug, Args)]
pub(super) struct Show {
    /// A transcript, as `rejoinder run --transcript` writes it; `-` is standard input
    transcript: PathBuf,
    /// Only the exact bytes that this side sent to the other
    #[arg(long, value_enum, value_name = "SIDE", conflicts_with = "format")]
    side: Option<Side>,
    /// Both sides beside each other, lines with `<` and `>`, or only who held the turn
    #[arg(long, value_enum, default_value_t = Format::Dialogue)]
    format: Format,
    /// Do not shorten long messages
    #[arg(long)]
    full: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Side {
    Contestant,
    Interactor,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Both sides beside each other, with times and events
    Dialogue,
    /// Lines that begin with `<` (to the contestant) or `>` (from it), as ICPC packages have them
    Interaction,
    /// Only the picture of who held the turn, and how long
    Turns,
}

impl Show {
    pub(super) fn execute(&self) -> Result<u8> {
        let mut reader = Reader::open(&self.transcript)?;
        let result = self.write(&mut reader);
        match result {
            // Whoever read the output has seen enough.
            Err(Error::System { source, .. })
                if source.kind() == std::io::ErrorKind::BrokenPipe => {}
            result => result?,
        }
        if reader.truncated() {
            super::complain(&format!(
                "the transcript {} breaks off: its run was cut short",
                crate::error::shown(&self.transcript)
            ));
        }
        Ok(0)
    }

    fn write(&self, reader: &mut Reader<impl BufRead>) -> Result<()> {
        let mut plain = std::io::BufWriter::new(std::io::stdout().lock());
        match (self.side, self.format) {
            (Some(Side::Contestant), _) => views::raw(reader, Role::Contestant, &mut plain)?,
            (Some(Side::Interactor), _) => views::raw(reader, Role::Interactor, &mut plain)?,
            (None, Format::Interaction) => views::interaction(reader, &mut plain)?,
            (None, Format::Turns) => {
                drop(plain);
                let mut out = anstream::stdout().lock();
                return views::turns(reader, super::width(), &mut out);
            }
            (None, Format::Dialogue) => {
                drop(plain);
                let brevity = if self.full {
                    Brevity::FULL
                } else {
                    Brevity { rows: 4, lines: 16 }
                };
                let mut out = anstream::stdout().lock();
                return views::dialogue(reader, super::width(), brevity, &mut out);
            }
        }
        use crate::error::Context;
        plain.flush().context(|| "write to standard output".into())
    }
}
