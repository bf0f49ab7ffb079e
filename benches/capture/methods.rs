//! What is compared: the methods of `rejoinder exec --capture`, and no capture at all.

use serde::Serialize;

use crate::harness::plot::{Marker, Style};

/// A way to get at a program's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Method {
    /// No sandbox: the program alone, its output redirected to a regular file.
    Bare,
    File,
    Tmpfs,
    Pipe,
    PipeFile,
    PipeTmpfs,
    Peek,
    Readv,
}

impl Method {
    pub(crate) const ALL: [Method; 8] = [
        Method::Bare,
        Method::File,
        Method::Tmpfs,
        Method::Pipe,
        Method::PipeFile,
        Method::PipeTmpfs,
        Method::Peek,
        Method::Readv,
    ];

    /// What the others are compared with.
    pub(crate) const REFERENCE: Method = Method::File;

    /// The value of `--capture`; a name of our own for what has none.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Method::Bare => "no sandbox",
            Method::File => "file",
            Method::Tmpfs => "tmpfs",
            Method::Pipe => "pipe",
            Method::PipeFile => "pipe-file",
            Method::PipeTmpfs => "pipe-tmpfs",
            Method::Peek => "peek",
            Method::Readv => "readv",
        }
    }

    /// Colours that the colour-blind can tell apart (Okabe and Ito's).
    pub(crate) fn style(self) -> Style {
        let (colour, dashes, marker) = match self {
            Method::Bare => ("#888888", "3 3", Marker::Cross),
            Method::File => ("#000000", "", Marker::Square),
            Method::Tmpfs => ("#0072b2", "", Marker::Circle),
            Method::Pipe => ("#009e73", "", Marker::Triangle),
            Method::PipeFile => ("#e69f00", "8 3", Marker::Square),
            Method::PipeTmpfs => ("#56b4e9", "8 3", Marker::Circle),
            Method::Peek => ("#d55e00", "", Marker::Diamond),
            Method::Readv => ("#cc79a7", "8 3", Marker::Diamond),
        };
        Style {
            colour,
            dashes,
            marker,
        }
    }
}

/// How the program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Writing {
    /// Through the buffer of C's stdio, which is written when it is full.
    Buffered,
    /// Each byte by a call of its own.
    Unbuffered,
}
