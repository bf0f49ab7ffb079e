//! Makes programs of the solutions, several at a time.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, Result, shown};
use crate::interrupts;
use crate::spec::cache::Cache;
use crate::spec::command::Command;
use crate::spec::language::Languages;
use crate::spec::resolve::source_or_program;

/// What came of a solution's source.
#[derive(Debug)]
pub enum Made {
    /// It can be run.
    Program(Command),
    /// It cannot: it does not compile, or is no program.
    Failed(String),
    /// What its language needs is not installed.
    Missing(String),
}

/// Makes a program of each source, `at_once` at a time, in their order.
///
/// # Errors
/// If something fails that is not the source's fault.
pub fn make_all(
    sources: &[&Path],
    at_once: usize,
    languages: &Languages,
    cache: &Cache,
) -> Result<Vec<Made>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..at_once.min(sources.len()) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = sources.get(number) else {
                        break;
                    };
                    let made = match interrupts::seen() {
                        Some(signal) => Err(Error::Interrupted(signal)),
                        None => make(source, languages, cache),
                    };
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((number, made));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, made)| made).collect()
}

fn make(source: &Path, languages: &Languages, cache: &Cache) -> Result<Made> {
    let language = languages.of_source(source);
    if let Some(missing) = language.and_then(|language| language.lacks(&shown(source))) {
        return Ok(Made::Missing(missing.to_string()));
    }
    match source_or_program(source, languages, cache) {
        Ok(command) => Ok(Made::Program(command)),
        Err(Error::Usage(why)) => Ok(Made::Failed(why)),
        Err(error) => Err(error),
    }
}
