//! ICPC problem packages, read where they lie: the formats `legacy`, `legacy-icpc`, `2023-07-draft`
//! and `2025-09` of <https://www.kattis.com/problem-package-format/spec/>.
//!
//! Called by [`Problem::load`] for a folder with a `problem.yaml`. Nothing of the package is
//! changed. What is asked for and not done here is an error where verdicts would mean nothing, and
//! otherwise named in [`Problem::left_out`]. `docs/packages.md` has what each key becomes.

mod data;
mod expected;
mod glob;
mod group;
mod limits;
mod metadata;
mod rules;
mod submissions;
mod tags;
mod validator;

use std::path::Path;

use crate::error::Result;
use crate::spec::left_out::LeftOut;
use crate::spec::problem::Problem;
use crate::spec::protocol::Protocol;
use crate::verdict::Policy;

use metadata::Metadata;

/// The file that makes a folder an ICPC package.
pub(crate) const FILE_NAME: &str = "problem.yaml";

/// Reads the package in a folder.
///
/// # Errors
/// [`Error::Usage`](crate::error::Error::Usage) with the file and line of the mistake, or of what
/// cannot be run here.
pub(crate) fn load(folder: &Path) -> Result<Problem> {
    let mut left_out = LeftOut::default();
    let metadata = Metadata::read(folder, &mut left_out)?;
    let interactor = validator::find(folder, metadata.version)?;
    let tests = data::tests(folder, &metadata, &mut left_out)?;
    let solutions = submissions::find(folder, &metadata, &tests, &mut left_out)?;
    for (name, what) in NOT_READ {
        let path = folder.join(name);
        if path.read_dir().is_ok_and(|mut list| list.next().is_some()) {
            left_out.file(&path, what);
        }
    }
    Ok(Problem {
        name: metadata.name,
        format: format!("ICPC {}", metadata.version.name()),
        folder: folder.to_owned(),
        interactor,
        checker: None,
        protocol: Protocol::Icpc,
        passes: metadata.passes,
        contestant_limits: metadata.contestant_limits,
        interactor_limits: metadata.interactor_limits,
        policy: Policy::default(),
        session: None,
        channel: None,
        tests,
        solutions,
        left_out: left_out.sentences(),
    })
}

/// Folders that change what a judge does and are not read here.
const NOT_READ: [(&str, &str); 3] = [
    (
        "include",
        "files that are added to submissions are not supported: solutions are built without them",
    ),
    (
        "static_validator",
        "static validators are not supported: solutions are judged by what they do alone",
    ),
    (
        "graders",
        "graders are not supported: each test is judged by itself",
    ),
];
