//! `rejoinder judge`: one job as JSON, one result as JSON.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::told::{exit_status, untold};
use crate::error::{Error, Result, shown, unreadable};
use crate::interrupts;
use crate::report;
use crate::session;
use crate::spec::cache::Cache;
use crate::spec::job::{Id, Job, Mistake};
use crate::spec::language::Languages;

/// What the help says at its end.
const AFTER_HELP: &str = "\
The job and the result are described in docs/judge.md. What cannot be judged at all is an object \
too, with an `error`.

Exit status: 0 accepted or points, 1 any other verdict on the contestant, 2 a mistake in the job, \
3 judge-error, 4 internal-error, 128 + n interrupted by signal n.";

/// The largest job that is read, in bytes: a job names files and does not hold them.
const LARGEST: u64 = 4 << 20;

/// Judge one job: a JSON object on standard input, the result on standard output
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Judge {
    /// The file with the job [default: standard input]
    job: Option<PathBuf>,
    /// A table of languages that adds to the built-in one, or overrides it
    #[arg(
        long,
        value_name = "FILE",
        env = "REJOINDER_LANGUAGES",
        hide_env_values = true
    )]
    languages: Option<PathBuf>,
    /// End with this process, which started us
    #[arg(long, value_name = "PID", hide = true)]
    parent: Option<i32>,
}

impl Judge {
    pub(super) fn execute(&self) -> Result<u8> {
        if let Some(parent) = self.parent {
            follow(parent)?;
        }
        interrupts::catch()?;
        // See `Run::execute`.
        let _ = nix::sys::prctl::set_child_subreaper(true);
        let mut id = None;
        match self.judge(&mut id) {
            Ok(status) => Ok(status),
            Err(Failure::Untold(error)) => Err(error),
            Err(Failure::Judging(mistake)) => {
                let failed = Failed::new(id.as_ref(), &mistake);
                super::print(&(render(&failed) + "\n"))?;
                Ok(mistake.error.exit_status())
            }
        }
    }

    fn judge(&self, id: &mut Option<Id>) -> std::result::Result<u8, Failure> {
        let text = self.read().map_err(Failure::anywhere)?;
        let job = Job::parse(&text)?;
        id.clone_from(&job.id);
        let languages = match &self.languages {
            Some(file) => Languages::with_file(file),
            None => Ok(Languages::builtin()),
        };
        let languages = languages.map_err(Failure::anywhere)?;
        let cache = Cache::open().map_err(Failure::anywhere)?;
        let plan = job.plan(&languages, &cache)?;
        let outcome = session::run(&plan).map_err(Failure::anywhere)?;
        let judged = Judged {
            id: id.as_ref(),
            report: report::json::report(&outcome),
        };
        match super::print(&(render(&judged) + "\n")) {
            Ok(()) => Ok(exit_status(&outcome)),
            Err(error) => Err(Failure::Untold(untold(error, &outcome))),
        }
    }

    /// The job's text.
    fn read(&self) -> Result<Vec<u8>> {
        let named = self.job.as_deref().filter(|path| *path != Path::new("-"));
        let (name, result) = match named {
            None => ("the job".to_owned(), read_all(io::stdin().lock())),
            Some(path) => {
                let failed = |error: &io::Error| unreadable("job", path, error);
                let found = std::fs::metadata(path).map_err(|error| failed(&error))?;
                if !found.is_file() {
                    return Err(Error::usage(format!(
                        "the job {} is not a file: give one, or the job on standard input",
                        shown(path)
                    )));
                }
                let file = File::open(path).map_err(|error| failed(&error))?;
                (format!("the job {}", shown(path)), read_all(file))
            }
        };
        let text = result.map_err(|error| {
            let why = crate::error::reason(&error);
            Error::usage(format!("cannot read {name}: {why}"))
        })?;
        match text.len() as u64 > LARGEST {
            true => Err(Error::usage(format!(
                "{name} is larger than {} MiB: a job names files and does not hold them",
                LARGEST >> 20
            ))),
            false => Ok(text),
        }
    }
}

/// Everything, or a little more than may be.
fn read_all(from: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    from.take(LARGEST + 1).read_to_end(&mut text)?;
    Ok(text)
}

/// Ends this process when its parent has ended, or at once if that has happened already.
fn follow(parent: i32) -> Result<()> {
    use crate::error::Context;
    use nix::sys::signal::Signal;

    nix::sys::prctl::set_pdeathsig(Signal::SIGTERM).context(|| "follow the parent".into())?;
    match nix::unistd::getppid().as_raw() == parent {
        true => Ok(()),
        false => Err(Error::Interrupted(libc::SIGTERM)),
    }
}

/// Why there is no result.
enum Failure {
    /// Nothing could be judged, which is said in the place of a result.
    Judging(Mistake),
    /// The result could not be written.
    Untold(Error),
}

impl Failure {
    fn anywhere(error: Error) -> Failure {
        Failure::Judging(Mistake {
            place: String::new(),
            error,
        })
    }
}

impl From<Mistake> for Failure {
    fn from(mistake: Mistake) -> Self {
        Failure::Judging(mistake)
    }
}

/// A result.
#[derive(Serialize)]
struct Judged<'a, R: Serialize> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Id>,
    #[serde(flatten)]
    report: R,
}

/// What is printed in the place of a result.
#[derive(Serialize)]
struct Failed<'a> {
    version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Id>,
    error: ErrorRecord<'a>,
}

#[derive(Serialize)]
struct ErrorRecord<'a> {
    kind: &'static str,
    message: String,
    #[serde(rename = "where")]
    place: Option<&'a str>,
}

impl<'a> Failed<'a> {
    fn new(id: Option<&'a Id>, mistake: &'a Mistake) -> Self {
        Failed {
            version: report::json::VERSION,
            id,
            error: ErrorRecord {
                kind: match mistake.error {
                    Error::Usage(_) => "usage",
                    Error::Environment(_) => "environment",
                    Error::System { .. } => "system",
                    Error::Interrupted(_) => "interrupted",
                },
                message: mistake.error.to_string(),
                place: Some(mistake.place.as_str()).filter(|place| !place.is_empty()),
            },
        }
    }
}

fn render(object: &impl Serialize) -> String {
    // Nothing in the objects can fail to be written: all keys are strings.
    serde_json::to_string(object).unwrap_or_default()
}
