//! Interactors written against the real testlib.h, by every exit that it has.
//!
//! The header is somebody else's work, so it is not kept here. It is taken at test time from the
//! wheel of `rbx-cp` on the Python package index, once, into cargo's folder for tests. Where it
//! cannot be had (no network, no pip, no C++ compiler) the tests are ignored, and that is said.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use harness::checks;
use harness::identity::Identity;
use harness::programs::{Program, Source, cache_folder};
use harness::report::Code;
use harness::run::{Channel, Judgement, Limits};
use harness::stage::Stage;
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};

const PACKAGE: &str = "rbx-cp";
const MEMBER: &str = "rbx/resources/predownloaded/testlib.h";

/// One exit of the interactor.
struct Exit {
    name: &'static str,
    /// What the test's input file tells the interactor to do.
    way: &'static str,
    /// What the contestant prints.
    says: &'static [&'static str],
    code: Code,
    score: Option<f64>,
    /// What the interactor's message must contain.
    message: &'static str,
    /// What it wrote to its output file before it left.
    output: &'static str,
}

impl Exit {
    const fn new(way: &'static str, code: Code, message: &'static str) -> Exit {
        Exit {
            name: way,
            way,
            says: &["7"],
            code,
            score: None,
            message,
            output: "7\n",
        }
    }

    const fn named(mut self, name: &'static str, says: &'static [&'static str]) -> Exit {
        self.name = name;
        self.says = says;
        self
    }

    const fn without_output(mut self) -> Exit {
        self.output = "";
        self
    }

    const fn scored(mut self, score: f64) -> Exit {
        self.score = Some(score);
        self
    }
}

const EXITS: [Exit; 14] = [
    Exit::new("ok", Code::Accepted, "7 it is"),
    Exit::new("wa", Code::WrongAnswer, "7 it is not"),
    Exit::new("pe", Code::PresentationError, "7 is written badly"),
    Exit::new("fail", Code::JudgeError, "the jury has no idea about 7"),
    Exit::new("points", Code::Points, "for 7").scored(12.5),
    Exit::new("partially", Code::Points, "for 7").scored(30.0),
    Exit::new("partially-1", Code::Points, "for 7").scored(1.0),
    Exit::new("partially-3", Code::Points, "for 7").scored(3.0),
    Exit::new("ok", Code::PresentationError, "Unexpected end of file")
        .named("nothing-said", &[])
        .without_output(),
    Exit::new("two", Code::PresentationError, "Unexpected end of file")
        .named("one-of-two-said", &["7"]),
    Exit::new("ok", Code::PresentationError, "Expected int")
        .named("not-a-number", &["seven"])
        .without_output(),
    Exit::new("ok", Code::WrongAnswer, "violates the range")
        .named("out-of-range", &["1001"])
        .without_output(),
    Exit::new("only", Code::PresentationError, "more than one number")
        .named("extra-tokens", &["7", "8", "9"]),
    Exit::new("ok", Code::Accepted, "7 it is").named("extra-tokens-unread", &["7", "8", "9"]),
];

struct Programs {
    stage: Stage,
    contestant: Program,
    interactor: Program,
}

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let args = Arguments::from_args();
    // Listing the tests needs no network.
    let header = if args.list {
        Ok(PathBuf::new())
    } else {
        header()
    };
    let ignored = header.is_err();
    let programs = match header {
        Ok(_) if args.list => None,
        Ok(header) => match Programs::build(&header) {
            Ok(programs) => Some(Arc::new(programs)),
            Err(error) => {
                eprintln!("testlib: {error}");
                return ExitCode::FAILURE;
            }
        },
        Err(missing) => {
            eprintln!("testlib: every test is ignored: {missing}");
            None
        }
    };
    let trials = EXITS
        .iter()
        .map(|exit| {
            let programs = programs.clone();
            Trial::test(exit.name, move || {
                let programs = programs.ok_or_else(|| Failed::from("there is no testlib.h"))?;
                programs.leaves_by(exit).map_err(Failed::from)
            })
            .with_ignored_flag(ignored)
        })
        .collect();
    // The stage is removed with the last of the trials that hold it.
    drop(programs);
    libtest_mimic::run(&args, trials).exit_code()
}

/// The header file, fetched if it is not there yet; the error says what is missing.
fn header() -> Result<PathBuf, String> {
    for tool in ["gcc", "g++", "python3"] {
        Identity::Own
            .find(tool)
            .ok_or_else(|| format!("`{tool}` is not to be had"))?;
    }
    let folder = cache_folder("testlib")?;
    let header = folder.join("testlib.h");
    if header.is_file() {
        return Ok(header);
    }
    let aside = tempfile::tempdir_in(&folder).map_err(|error| error.to_string())?;
    let wheels = aside.path().join("wheels");
    let unpacked = aside.path().join("unpacked");
    let words = [
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
        "-d",
    ];
    python(
        Command::new("python3")
            .args(words)
            .arg(&wheels)
            .arg(PACKAGE),
    )?;
    let wheel = fs::read_dir(&wheels)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .ok_or_else(|| format!("pip has no wheel of {PACKAGE}"))?;
    python(
        Command::new("python3")
            .args(["-m", "zipfile", "-e"])
            .arg(wheel)
            .arg(&unpacked),
    )?;
    fs::rename(unpacked.join(MEMBER), &header)
        .map_err(|error| format!("{MEMBER} is not in the wheel of {PACKAGE}: {error}"))?;
    Ok(header)
}

fn python(command: &mut Command) -> Result<(), String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!(
        "{command:?} failed: {}",
        said.lines().last().unwrap_or_default()
    ))
}

impl Programs {
    fn build(header: &Path) -> Result<Programs, String> {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testlib");
        let include = header.parent().ok_or("the header lies nowhere")?;
        let stage = Stage::new()?;
        let folder = stage
            .program_folder("testlib")
            .map_err(|error| error.to_string())?;
        Ok(Programs {
            contestant: Source::find(&sources, "contestant")?.install(&folder)?,
            interactor: Source::find(&sources, "interactor")?
                .with_include(include)
                .install(&folder)?,
            stage,
        })
    }

    /// One judgement in which the interactor leaves by that exit.
    fn leaves_by(&self, exit: &Exit) -> Result<(), String> {
        let failed = |error: std::io::Error| error.to_string();
        let cwd = self.stage.program_folder("testlib").map_err(failed)?;
        let input = cwd.join(format!("{}.txt", exit.name));
        fs::write(&input, format!("{}\n", exit.way)).map_err(failed)?;
        let judgement = Judgement {
            contestant: self.contestant.with_args(exit.says),
            interactor: self.interactor.clone(),
            input,
            answer: None,
            cwd,
            channel: Channel::Tmpfs,
            identity: Identity::Own,
            limits: Limits::contestant(),
            interactor_limits: Limits::interactor(),
            cpu_set: None,
            isolation: None,
            json: true,
            transcript: false,
            keep_output: true,
            kill: None,
        };
        let ran = judgement.run(&self.stage)?;
        let (report, mut wrong) = checks::sound(&ran);
        if let Some(report) = report {
            if report.code != exit.code {
                wrong.push(format!(
                    "the verdict is {} instead of {}",
                    report.code, exit.code
                ));
            }
            if report.score != exit.score {
                wrong.push(format!(
                    "the score is {:?} instead of {:?}",
                    report.score, exit.score
                ));
            }
            if !report.message.contains(exit.message) {
                wrong.push(format!(
                    "the message is `{}`, without `{}`",
                    report.message, exit.message
                ));
            }
        }
        let written = fs::read_to_string(ran.output_file()).unwrap_or_default();
        if written != exit.output {
            wrong.push(format!(
                "the output file holds {written:?} instead of {:?}",
                exit.output
            ));
        }
        if wrong.is_empty() {
            self.stage.discard(&ran.folder);
            return Ok(());
        }
        Err(format!("Wrong:\n- {}\n{}", wrong.join("\n- "), ran.shown()))
    }
}
