//! The ways to capture what a program writes to its standard output.
//!
//! They differ in what the program's descriptor is (a file, a pipe, nothing) and in where the bytes
//! are kept until they are wanted (a regular file, a file in memory, plain memory):
//!
//! | [method](Method) | descriptor | kept in |
//! | --- | --- | --- |
//! | `file` | a regular file | that file |
//! | `tmpfs` | a file in memory | that file |
//! | `pipe` | a pipe | memory |
//! | `pipe-file` | a pipe | a regular file |
//! | `pipe-tmpfs` | a pipe | a file in memory |
//! | `peek`, `readv` | the null device | memory |
//!
//! A regular file is the one that the user named, or one without a name in the temporary folder.
//! What the user named is opened before the program is started, and gets what was kept elsewhere
//! after its end.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::stat::Mode;
use nix::sys::statvfs::fstatvfs;

use crate::channel;
use crate::error::{Context, Error, Result, reason, shown};
use crate::sandbox::tracer::output::{ReadBy, Tap};
use crate::spec::plan::Capture as Method;

/// What a program wrote, after its end.
#[derive(Debug)]
pub enum Captured {
    /// In memory.
    Memory(Vec<u8>),
    /// In a file, from its beginning.
    File(File),
}

impl Captured {
    /// Writes all of it, up to `most` bytes.
    ///
    /// # Errors
    /// If it can be neither read nor written.
    pub fn copy_to(&mut self, target: &mut dyn Write, most: u64) -> io::Result<()> {
        match self {
            Captured::Memory(bytes) => {
                let most = usize::try_from(most).unwrap_or(usize::MAX);
                target.write_all(&bytes[..bytes.len().min(most)])?;
            }
            Captured::File(file) => {
                file.rewind()?;
                io::copy(&mut io::Read::take(file, most), target)?;
            }
        }
        target.flush()
    }
}

/// Where bytes are kept.
enum Store {
    Memory(Vec<u8>),
    /// A file without a name, in memory or not.
    File(File),
    /// The file that the user named.
    Named(File),
}

/// What the user named, open for appending and empty.
struct Target {
    path: PathBuf,
    file: File,
}

/// A capture under way.
pub(super) struct Capture {
    store: Store,
    /// Gets what is kept elsewhere.
    target: Option<Target>,
    /// Our end of the pipe, if there is one.
    pipe: Option<OwnedFd>,
    /// Bytes that came through the pipe or from the tracer; a file knows its own length.
    taken: u64,
    /// The store lies in memory that is charged to the program.
    charged: bool,
    /// Bytes that are kept at most.
    most: u64,
    /// What is read from the pipe goes through here. It is kept because a new one would have to be
    /// cleared each time, and as long as nothing is read it takes no memory.
    buffer: Vec<u8>,
}

/// As much as a pipe holds, unless somebody made it larger.
const AT_ONCE: usize = 64 << 10;

/// What the program and its tracer get.
pub(super) struct Ends {
    pub(super) stdout: OwnedFd,
    pub(super) tap: Option<Tap>,
}

impl Capture {
    /// Makes what a method needs; `target` is the file that the user named.
    ///
    /// # Errors
    /// [`Error::Usage`] if that file cannot be written; others if a file or a pipe cannot be made.
    pub(super) fn open(method: Method, target: Option<&Path>, most: u64) -> Result<(Self, Ends)> {
        let mut target = target.map(Target::open).transpose()?;
        let mut capture = Capture {
            store: match method {
                // A device has no length by which the output could be limited.
                Method::File | Method::PipeToFile => match target.take_if(|t| t.is_regular()) {
                    Some(target) => Store::Named(target.file),
                    None => Store::File(nameless()?),
                },
                Method::Tmpfs | Method::PipeToTmpfs => Store::File(in_memory()?),
                Method::Pipe | Method::Peek | Method::Readv => Store::Memory(Vec::new()),
            },
            target,
            pipe: None,
            taken: 0,
            charged: method == Method::Tmpfs,
            most,
            buffer: vec![0; AT_ONCE],
        };
        let mut tap = None;
        let stdout = match method {
            Method::File | Method::Tmpfs => capture.for_appending()?,
            Method::Pipe | Method::PipeToFile | Method::PipeToTmpfs => {
                let (ours, theirs) = channel::drained_pipe()?;
                capture.pipe = Some(ours);
                theirs
            }
            Method::Peek | Method::Readv => {
                let null = OpenOptions::new().write(true).open("/dev/null");
                let null = OwnedFd::from(null.context(|| "open /dev/null".into())?);
                let output = null.try_clone().context(|| "copy a descriptor".into())?;
                let by = match method {
                    Method::Peek => ReadBy::Word,
                    _ => ReadBy::Block,
                };
                let left = most.saturating_add(1);
                tap = Some(Tap { output, by, left });
                null
            }
        };
        Ok((capture, Ends { stdout, tap }))
    }

    /// The store's file opened once more, so that what the program does to its description (its
    /// offset, its flags) does nothing to ours.
    fn for_appending(&self) -> Result<OwnedFd> {
        let (Store::File(file) | Store::Named(file)) = &self.store else {
            return Err(Error::Environment("there is no file to append to".into()));
        };
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let again = OpenOptions::new().append(true).open(path);
        again
            .map(OwnedFd::from)
            .context(|| "open an output file again".into())
    }

    /// The descriptor that becomes readable when there is more, if one does.
    pub(super) fn readable(&self) -> Option<RawFd> {
        self.pipe.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// Takes what there is in the pipe, up to a fair share; true if there may be more.
    pub(super) fn drain(&mut self) -> Result<bool> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let more = self.drain_through(&mut buffer);
        self.buffer = buffer;
        more
    }

    fn drain_through(&mut self, buffer: &mut [u8]) -> Result<bool> {
        const FAIR_SHARE: u32 = 16;
        for _ in 0..FAIR_SHARE {
            let Some(pipe) = &self.pipe else {
                return Ok(false);
            };
            match nix::unistd::read(pipe, buffer) {
                Ok(0) | Err(Errno::EAGAIN) => return Ok(false),
                Ok(found) => self.keep(&buffer[..found])?,
                Err(Errno::EINTR) => {}
                Err(e) => return Err(e).context(|| "read the program's output".into()),
            }
        }
        Ok(true)
    }

    /// Keeps bytes, as far as the limit allows.
    pub(super) fn keep(&mut self, bytes: &[u8]) -> Result<()> {
        let room = self.most.saturating_sub(self.taken);
        self.taken += bytes.len() as u64;
        let kept = &bytes[..bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX))];
        match &mut self.store {
            Store::Memory(memory) => {
                memory.extend_from_slice(kept);
                Ok(())
            }
            Store::File(file) | Store::Named(file) => file
                .write_all(kept)
                .context(|| "keep the program's output".into()),
        }
    }

    /// Bytes that the program wrote.
    pub(super) fn written(&self) -> Result<u64> {
        match &self.store {
            Store::File(file) | Store::Named(file) if self.pipe.is_none() => {
                let length = file.metadata().map(|m| m.len());
                length.context(|| "look at an output".into())
            }
            _ => Ok(self.taken),
        }
    }

    /// Those of them that lie in memory on the program's account.
    pub(super) fn charged(&self) -> Result<u64> {
        match self.charged {
            true => self.written(),
            false => Ok(0),
        }
    }

    /// True if the program's writes may have failed because there is no room on the disk under them.
    pub(super) fn is_cut_by_the_disk(&self) -> bool {
        let (Store::File(file) | Store::Named(file)) = &self.store else {
            return false;
        };
        let is_its_own = self.pipe.is_none() && !self.charged;
        let disk = fstatvfs(file).ok().filter(|_| is_its_own);
        disk.is_some_and(|disk| disk.blocks() > 0 && disk.blocks_available() == 0)
    }

    /// Ends the capture. What the user named gets what was kept elsewhere; where nothing was
    /// named, it is handed back.
    pub(super) fn finish(self) -> Result<Option<Captured>> {
        let mut captured = match self.store {
            // The byte that shows that there was more is not part of it.
            Store::Named(file) if file.metadata().is_ok_and(|found| found.len() > self.most) => {
                let cut = file.set_len(self.most);
                cut.context(|| "cut the output at its limit".into())?;
                return Ok(None);
            }
            Store::Named(_) => return Ok(None),
            Store::Memory(bytes) => Captured::Memory(bytes),
            Store::File(file) => Captured::File(file),
        };
        let Some(mut target) = self.target else {
            return Ok(Some(captured));
        };
        let copied = captured.copy_to(&mut target.file, self.most);
        copied.context(|| format!("write the output to {}", shown(&target.path)))?;
        Ok(None)
    }
}

impl Target {
    fn open(path: &Path) -> Result<Self> {
        // Emptied first: a file that is open for appending cannot be.
        let made = File::create(path).map(drop);
        let opened = made.and_then(|()| OpenOptions::new().append(true).open(path));
        let complaint = |e: io::Error| {
            let (path, reason) = (shown(path), reason(&e));
            Error::usage(format!("cannot write the output to {path}: {reason}"))
        };
        Ok(Target {
            path: path.to_owned(),
            file: opened.map_err(complaint)?,
        })
    }

    fn is_regular(&self) -> bool {
        self.file.metadata().is_ok_and(|found| found.is_file())
    }
}

/// A regular file without a name, which the program may open again by a name of its descriptor.
fn nameless() -> Result<File> {
    let place = std::env::temp_dir();
    let file = tempfile::tempfile_in(&place)
        .context(|| format!("make a file for the output in {}", shown(&place)))?;
    channel::for_anyone(file.as_fd(), Mode::from_bits_truncate(0o622))?;
    Ok(file)
}

fn in_memory() -> Result<File> {
    let flags = MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING;
    let memory = memfd_create(c"output", flags).context(|| "make a file in memory".into())?;
    let seals = nix::fcntl::SealFlag::F_SEAL_SHRINK | nix::fcntl::SealFlag::F_SEAL_SEAL;
    nix::fcntl::fcntl(&memory, nix::fcntl::FcntlArg::F_ADD_SEALS(seals))
        .context(|| "seal a file in memory".into())?;
    channel::for_anyone(memory.as_fd(), Mode::from_bits_truncate(0o622))?;
    Ok(File::from(memory))
}
