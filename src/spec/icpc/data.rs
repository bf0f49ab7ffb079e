//! The tests in `data/sample` and `data/secret`, in the order and with the names that the
//! specifications give them: `secret/group1/03`.

use std::path::{Path, PathBuf};

use super::group;
use super::metadata::Metadata;
use super::validator::names_in;
use crate::error::{Error, Result, reason, unreadable};
use crate::spec::left_out::LeftOut;
use crate::spec::problem::Test;

/// The folders of tests that judge, in their order.
const FOLDERS: [&str; 2] = ["sample", "secret"];

/// All tests; at least one.
pub(super) fn tests(
    folder: &Path,
    metadata: &Metadata,
    left_out: &mut LeftOut,
) -> Result<Vec<Test>> {
    let data = folder.join("data");
    let mut walk = Walk {
        metadata,
        left_out,
        tests: Vec::new(),
        above: Vec::new(),
    };
    let args = match data.is_dir() {
        true => walk.group(&data, &[])?,
        false => Vec::new(),
    };
    for name in FOLDERS {
        let place = data.join(name);
        if place.is_dir() {
            walk.folder(&place, name, &args)?;
        }
    }
    if walk.tests.is_empty() {
        return Err(Error::usage(format!(
            "{}: there are no tests: put inputs and answers where data/sample/*.in, data/secret/*.in and their .ans are looked for",
            data.display()
        )));
    }
    Ok(walk.tests)
}

/// One walk through the folders.
struct Walk<'a> {
    metadata: &'a Metadata,
    left_out: &'a mut LeftOut,
    tests: Vec<Test>,
    /// The folders above, without links.
    above: Vec<PathBuf>,
}

impl Walk<'_> {
    /// The arguments that a folder's file adds to or puts in the place of those from above.
    fn group(&mut self, folder: &Path, inherited: &[String]) -> Result<Vec<String>> {
        let mut found = group::FILES
            .iter()
            .map(|name| folder.join(name))
            .filter(|path| path.is_file());
        let (Some(file), second) = (found.next(), found.next()) else {
            return Ok(inherited.to_vec());
        };
        if let Some(second) = second {
            return Err(Error::usage(format!(
                "{}: the folder has {} as well, which says the same things: remove one of them",
                second.display(),
                group::FILES[0]
            )));
        }
        let args = group::read(&file, self.metadata.version, self.left_out)?;
        Ok(args.unwrap_or_else(|| inherited.to_vec()))
    }

    fn folder(&mut self, folder: &Path, name: &str, inherited: &[String]) -> Result<()> {
        let failed = |error| unreadable("folder", folder, &error);
        let real = folder.canonicalize().map_err(failed)?;
        if self.above.contains(&real) {
            return Err(Error::usage(format!(
                "{}: the link leads to a folder in which it lies: remove it",
                folder.display()
            )));
        }
        self.above.push(real);
        let args = self.group(folder, inherited)?;
        let names = names_in(folder)?;
        let has = |name: &str| {
            names
                .binary_search_by(|other| other.as_str().cmp(name))
                .is_ok()
        };
        // A folder and a test are sorted by their names, the test's without its suffix.
        let mut entries: Vec<(&str, bool)> = Vec::new();
        for entry in &names {
            let path = folder.join(entry);
            match entry.rsplit_once('.') {
                Some((stem, "in")) => entries.push((stem, true)),
                Some((stem, "ans")) if !has(&format!("{stem}.in")) => {
                    let what = format!("there is no {stem}.in beside it, so it belongs to no test");
                    self.left_out.file(&path, what);
                }
                Some((_, "files" | "args")) => {
                    return Err(Error::usage(format!(
                        "{}: arguments and files for solutions are not supported: remove it, and let the validator say on its output what is in it",
                        path.display()
                    )));
                }
                _ if path.is_dir() => entries.push((entry, false)),
                _ => {}
            }
        }
        entries.sort();
        for (entry, is_test) in entries {
            let inner = format!("{name}/{entry}");
            match is_test {
                true => self.test(folder, entry, inner, &args)?,
                false => self.folder(&folder.join(entry), &inner, &args)?,
            }
        }
        self.above.pop();
        Ok(())
    }

    fn test(&mut self, folder: &Path, stem: &str, name: String, args: &[String]) -> Result<()> {
        let input = file(&folder.join(format!("{stem}.in")))?;
        let answer = folder.join(format!("{stem}.ans"));
        if std::fs::symlink_metadata(&answer).is_err() {
            return Err(Error::usage(format!(
                "{}: the test has no answer: add {stem}.ans beside it, which may be empty",
                folder.join(format!("{stem}.in")).display()
            )));
        }
        let settings = folder.join(format!("{stem}.yaml"));
        let own = match settings.is_file() {
            true => group::read(&settings, self.metadata.version, self.left_out)?,
            false => None,
        };
        let mut interactor_args = self.metadata.validator_flags.clone();
        interactor_args.extend(own.unwrap_or_else(|| args.to_vec()));
        self.tests.push(Test {
            name,
            input,
            answer: Some(file(&answer)?),
            interactor_args,
        });
        Ok(())
    }
}

/// A file of a test, absolute and without links.
fn file(path: &Path) -> Result<PathBuf> {
    let complaint = |why: String| Error::usage(format!("{}: {why}", path.display()));
    let real = path.canonicalize().map_err(|error| {
        let link = std::fs::read_link(path);
        complaint(match link {
            Ok(target) => format!("the link to {} leads nowhere", target.display()),
            Err(_) => format!("it cannot be read: {}", reason(&error)),
        })
    })?;
    match real.is_file() {
        true => Ok(real),
        false => Err(complaint("this is no file, as a test's must be".to_owned())),
    }
}
