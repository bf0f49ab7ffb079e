//! Where the transcripts of a matrix are written, and which of them are kept.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{Context, Result, no_temporary_files, shown};
use crate::spec::cache::Cache;

/// A folder for transcripts, or none.
pub(super) struct Transcripts {
    folder: Option<PathBuf>,
    keeps: Keeps,
    /// Removed with everything in it at the end.
    _passing: Option<TempDir>,
}

/// Which transcripts stay when their sessions have been told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keeps {
    All,
    Surprises,
    None,
}

impl Transcripts {
    /// All in the folder that was asked for; or those of surprises in the cache, if it stays; or
    /// none, in a folder that does not stay, if they are looked at anyway.
    pub(super) fn open(
        asked: Option<&Path>,
        looked_at: bool,
        problem: &str,
        cache: &Cache,
    ) -> Result<Self> {
        let (folder, keeps) = match asked {
            Some(folder) => (folder.to_owned(), Keeps::All),
            None if !cache.is_temporary() => {
                let folder = cache.folder().join("transcripts");
                (folder.join(file_name(problem)), Keeps::Surprises)
            }
            None => {
                let make = || tempfile::Builder::new().prefix("rejoinder-").tempdir();
                let passing = looked_at.then(make).transpose();
                let passing = passing.map_err(|e| no_temporary_files(&e))?;
                return Ok(Transcripts {
                    folder: passing.as_ref().map(|passing| passing.path().to_owned()),
                    keeps: Keeps::None,
                    _passing: passing,
                });
            }
        };
        let make = || format!("make the folder {} for transcripts", shown(&folder));
        std::fs::create_dir_all(&folder).context(make)?;
        Ok(Transcripts {
            // Whoever carries a session out may stand elsewhere.
            folder: Some(std::path::absolute(&folder).context(make)?),
            keeps,
            _passing: None,
        })
    }

    /// Where that of a session is written.
    pub(super) fn path(&self, solution: &str, test: &str, repeat: u32) -> Option<PathBuf> {
        let (solution, test) = (file_name(solution), file_name(test));
        let repeat = match repeat {
            1 => String::new(),
            repeat => format!(".{repeat}"),
        };
        let name = format!("{solution}.{test}{repeat}.transcript");
        self.folder.as_ref().map(|folder| folder.join(name))
    }

    /// True if that of a session stays.
    pub(super) fn keeps(&self, is_surprise: bool) -> bool {
        match self.keeps {
            Keeps::All => true,
            Keeps::Surprises => is_surprise,
            Keeps::None => false,
        }
    }
}

/// A name as that of a file.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c == '/' || c.is_control() { '-' } else { c };
    name.chars().map(plain).collect()
}
