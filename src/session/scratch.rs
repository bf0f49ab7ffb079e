//! The interactor's own folder for one run, and what it leaves in it.
//!
//! Each run has a fresh folder below the [runtime folder](crate::sandbox::slots::runtime_folder);
//! it is removed with the session, and what a killed coordinator left is removed by the next.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::remove::remove_tree;
use crate::error::{Context, Result};
use crate::sandbox::claim::{self, Claim};
use crate::sandbox::slots;
use crate::spec::protocol::Protocol;

/// The folder of one run.
pub(super) struct Scratch {
    folder: Claim,
    protocol: Protocol,
    /// How much of `judgemessage.txt` earlier passes have written, in bytes.
    told: u64,
    /// What was taken out of it for other programs, out of the interactor's reach.
    inputs: Option<Claim>,
}

/// The prefix of the folders' names.
const PREFIX: &str = "run-";

/// Where an output validator says why.
const MESSAGE: &str = "judgemessage.txt";

/// Messages and scores beyond this size are cut.
const MOST: u64 = 64 << 10;

impl Scratch {
    /// Makes the folder. Whoever starts the interactor hands it over to the user that this runs as.
    pub(super) fn new(protocol: Protocol) -> Result<Scratch> {
        let place = slots::runtime_folder()?;
        claim::sweep(&place, PREFIX, remove_tree);
        let folder = Claim::make(&place, PREFIX)
            .context(|| format!("make a folder for the interactor in `{}`", place.display()))?;
        Ok(Scratch {
            folder,
            protocol,
            told: 0,
            inputs: None,
        })
    }

    /// The folder itself, writable for the interactor.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path that the interactor is given: its output file (testlib), which does not exist yet,
    /// or the feedback folder (icpc), with the slash at its end that such programs append to.
    pub(super) fn argument(&self) -> PathBuf {
        match self.protocol {
            Protocol::Testlib => self.folder.path().join("output"),
            Protocol::Icpc => self.folder.path().join(""),
        }
    }

    /// A file that the interactor left, if there is one.
    pub(super) fn read(&self, name: &str) -> Option<Vec<u8>> {
        self.read_from(name, 0)
    }

    /// What it has written to its feedback message in this pass, if there is one.
    pub(super) fn judge_message(&self) -> Option<Vec<u8>> {
        self.read_from(MESSAGE, self.told)
    }

    fn read_from(&self, name: &str, offset: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = open_regular(&self.folder.path().join(name)).ok()?;
        file.seek(SeekFrom::Start(offset)).ok()?;
        file.take(MOST).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// True if the interactor asks for another pass.
    pub(super) fn has_next(&self) -> bool {
        fs::symlink_metadata(self.next()).is_ok()
    }

    /// Takes the input of the next pass out of the folder.
    pub(super) fn take_next(&mut self, number: u32) -> io::Result<PathBuf> {
        let input = self.put_by(
            Some(open_regular(&self.next())?),
            &format!("pass-{number}.in"),
        )?;
        fs::remove_file(self.next())?;
        let told = fs::symlink_metadata(self.folder().join(MESSAGE));
        self.told = told.map_or(0, |message| message.len());
        Ok(input)
    }

    /// A copy of what the interactor wrote to its output file (testlib), for a checker; empty if there
    /// is none.
    pub(super) fn output(&mut self) -> io::Result<PathBuf> {
        let written = match open_regular(&self.argument()) {
            Ok(written) => Some(written),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        self.put_by(written, "output")
    }

    /// Copies a file to where the interactor cannot change it any more.
    fn put_by(&mut self, file: Option<File>, name: &str) -> io::Result<PathBuf> {
        let inputs = match &self.inputs {
            Some(inputs) => inputs,
            None => {
                let place = slots::runtime_folder().map_err(io::Error::other)?;
                self.inputs.insert(Claim::make(&place, PREFIX)?)
            }
        };
        let path = inputs.path().join(name);
        let mut copy = File::create_new(&path)?;
        if let Some(mut file) = file {
            io::copy(&mut file, &mut copy)?;
        }
        Ok(path)
    }

    fn next(&self) -> PathBuf {
        self.folder().join("nextpass.in")
    }

    /// Copies the output file, or the files of the feedback folder, to where the user wants them.
    pub(super) fn keep(&self, target: &Path) -> io::Result<()> {
        match self.protocol {
            Protocol::Testlib => match open_regular(&self.argument()) {
                Ok(mut file) => io::copy(&mut file, &mut File::create(target)?).map(drop),
                Err(e) if e.kind() == io::ErrorKind::NotFound => fs::write(target, b""),
                Err(e) => Err(e),
            },
            Protocol::Icpc => {
                fs::create_dir_all(target)?;
                for entry in fs::read_dir(self.folder.path())? {
                    let entry = entry?;
                    if entry.file_type()?.is_file() {
                        let mut file = open_regular(&entry.path())?;
                        io::copy(
                            &mut file,
                            &mut File::create(target.join(entry.file_name()))?,
                        )?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now, the next session tries to remove.
        let _ = remove_tree(self.folder());
        if let Some(inputs) = &self.inputs {
            let _ = remove_tree(inputs.path());
        }
    }
}

/// Opens a file that the interactor made: never through a link, never a pipe or device.
fn open_regular(path: &Path) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = fs::OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("not a regular file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_only_regular_files() {
        let scratch = Scratch::new(Protocol::Icpc).expect("scratch");
        fs::write(scratch.folder().join("score.txt"), "7\n").expect("write");
        std::os::unix::fs::symlink("/etc/passwd", scratch.folder().join("judgemessage.txt"))
            .expect("symlink");
        assert_eq!(scratch.read("score.txt").as_deref(), Some(&b"7\n"[..]));
        assert_eq!(scratch.read("judgemessage.txt"), None);
        assert_eq!(scratch.read("teammessage.txt"), None);
    }

    #[test]
    fn the_folder_goes_with_the_session() {
        let scratch = Scratch::new(Protocol::Testlib).expect("scratch");
        let folder = scratch.folder().to_owned();
        assert!(folder.is_dir() && !scratch.argument().exists());
        drop(scratch);
        assert!(!folder.exists());
    }
}
