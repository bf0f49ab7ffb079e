//! Why nothing moves: output that a waiting program has produced and not written.
//!
//! The commonest mistake in an interactive problem is a message that was printed but not flushed:
//! it lies in a buffer of the program's library while both sides wait. [`unflushed`] looks into the
//! memory of the program for it. The session calls this at a deadlock or an idleness limit.
//!
//! The program is neither stopped nor changed, and it may be hostile: what is found is what its
//! memory says, so it may count against that program, and never for it or against another. How much
//! is read is bounded ([`memory`]), so that a look ends within milliseconds on any content.
//!
//! ```text
//! memory         bounded reads of another process
//! image          /proc/PID/maps -> modules; dynamic symbols
//! dynamic        the symbol tables of a module, in memory
//! program_file   symbols that only the program's file has
//! stdio          FILEs of glibc and musl
//! rust           std::io::stdout
//! python         sys.stdout
//! iostream       std::cout and its like in libstdc++
//! stripped       the same in programs without any symbols
//! ```
//!
//! And where a program stood when it ended or was stopped ([`stack`](mod@stack)), why a signal ended
//! it ([`cause`](mod@cause)), and what its runtime said of that ([`last_words`](mod@last_words)):
//!
//! ```text
//! stack          the calls that had not returned, with functions, files and lines
//! cause          the fault behind a signal
//! last_words     panics, tracebacks, assertions, in one sentence
//! unwind         from registers to return addresses
//! frame_table    .eh_frame and .debug_frame
//! binary         the files of the program and its libraries on our side
//! lines          from addresses to functions and lines (DWARF)
//! symbols        from addresses to functions (tables of symbols)
//! names          names as their authors wrote them
//! steps          an end to whatever a file says
//! ```

mod binary;
pub mod cause;
mod dynamic;
mod frame_table;
mod image;
mod iostream;
pub mod last_words;
mod lines;
mod memory;
mod names;
mod program_file;
mod python;
mod rust;
pub mod stack;
mod stdio;
mod steps;
mod stripped;
mod symbols;
mod unwind;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Instant;

use crate::evidence;
use crate::sys::Pid;
use image::Image;
use memory::Memory;
use program_file::Wanted;
use stdio::Held;

/// How many bytes of a stream are kept.
pub const KEPT: usize = evidence::Unflushed::KEPT;
/// How many streams are reported.
const REPORTED: usize = 16;

/// Output that a process has produced and not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unflushed {
    /// The stream that holds it, as its library names it: `stdout`, `std::cout`, `file descriptor
    /// 5`.
    pub stream: String,
    /// The descriptor to which it would be written.
    pub descriptor: Option<i32>,
    /// True if that is the standard output, or another descriptor of the same file. Other output may
    /// lie in a buffer rightly: a log, the file with an interactor's remarks.
    pub to_stdout: bool,
    /// The bytes, cut to [`KEPT`].
    pub bytes: Vec<u8>,
    /// How many there are.
    pub total: u64,
}

/// When a diagnosis that begins now has to end.
pub fn deadline() -> Instant {
    Instant::now() + memory::TIME
}

/// Looks for output that a process holds in its buffers, that for its standard output first. It may
/// be any process that we may trace. `program` is the file that it executes, as our side knows it;
/// it need not exist.
///
/// Nothing is found in libraries that are not known, in a process that is gone, nor after `until`.
pub fn unflushed(process: Pid, program: &Path, until: Instant) -> Vec<Unflushed> {
    let memory = &Memory::until(process, until);
    let mut found = Found(Vec::new());
    if Instant::now() >= until {
        return found.0;
    }
    if let Some(image) = &Image::of(memory) {
        let process = Process { memory, image };
        let of_cxx = iostream::STREAMS.map(|stream| stream.symbol);
        let mut wanted: Vec<Wanted> = Vec::new();
        wanted.extend(of_cxx.map(Wanted::Named));
        wanted.extend(stdio::SYMBOLS.map(Wanted::Named));
        wanted.extend(python::SYMBOLS.map(Wanted::Named));
        wanted.push(Wanted::Mangled(rust::SYMBOL));
        let addresses = process.variables(program, &wanted);
        let (of_cxx, rest) = addresses.split_at(of_cxx.len());
        let (of_c, rest) = rest.split_at(stdio::SYMBOLS.len());
        let (of_python, of_rust) = rest.split_at(python::SYMBOLS.len());
        rust::look(&process, of_rust.first().copied().flatten(), &mut found);
        iostream::look(&process, of_cxx, &mut found);
        stdio::look(&process, of_c, &mut found);
        python::look(&process, of_python, &mut found);
        if addresses.iter().all(Option::is_none) {
            stripped::look(&process, &mut found);
        }
    }
    let mut found = found.0;
    let stdout = file_of(process, 1);
    for unflushed in &mut found {
        let descriptor = unflushed.descriptor;
        let file = descriptor.and_then(|descriptor| file_of(process, descriptor));
        unflushed.to_stdout = descriptor == Some(1) || file.is_some() && file == stdout;
    }
    found.sort_by_key(|unflushed| (unflushed.descriptor != Some(1), !unflushed.to_stdout));
    found
}

/// Which file a descriptor of a process is open to: its device and number there.
fn file_of(process: Pid, descriptor: i32) -> Option<(u64, u64)> {
    let file = fs::metadata(format!("/proc/{process}/fd/{descriptor}")).ok()?;
    Some((file.dev(), file.ino()))
}

/// A process that is looked into.
struct Process<'a> {
    memory: &'a Memory,
    image: &'a Image,
}

impl Process<'_> {
    /// The addresses of variables: of dynamic symbols where there are such, or else from the
    /// program's file.
    fn variables(&self, file: &Path, wanted: &[Wanted]) -> Vec<Option<u64>> {
        let dynamic = |wanted: &Wanted| match wanted {
            Wanted::Named(name) => self.image.symbol(self.memory, name),
            Wanted::Mangled(_) => None,
        };
        let mut addresses: Vec<_> = wanted.iter().map(dynamic).collect();
        if let Some(program) = self.image.program()
            && addresses.contains(&None)
        {
            let of_file = program_file::program_symbols(file, self.memory, program, wanted);
            for (address, of_file) in addresses.iter_mut().zip(of_file) {
                *address = address.or(of_file);
            }
        }
        addresses
    }
}

/// What was found.
struct Found(Vec<Unflushed>);

impl Found {
    /// Adds what a stream holds, if it holds anything.
    fn add(&mut self, stream: String, descriptor: Option<i32>, held: Held) {
        if held.total == 0 || self.0.len() == REPORTED {
            return;
        }
        let Held { mut bytes, total } = held;
        bytes.truncate(KEPT);
        self.0.push(Unflushed {
            stream,
            descriptor,
            to_stdout: false,
            bytes,
            total,
        });
    }
}
