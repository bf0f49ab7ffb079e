//! Every entry of the system call policy, by a program that makes the call.
//!
//! The entries are those of the policy files themselves, put together for each role and runtime
//! profile, so a new entry is tested without further work. What is refused comes with its errno and
//! is counted; what is hidden comes with its errno and is not counted; what is allowed is not
//! counted; what kills is named by the verdict. The program is `programs/call.c`. It gets its
//! profile as a program of a user would: from the language of its file. To honest programs of each
//! runtime nothing is refused.
//!
//! Watched calls are tested where their meaning is: in `tests/sandbox.rs` and `tests/limits.rs`.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;
#[path = "policy/honest.rs"]
mod honest;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use harness::identity::Identity;
use harness::programs::Source;
use harness::run::{self, Ran};
use harness::stage::{self, Stage};
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use rejoinder::evidence::Role;
use rejoinder::sandbox::policy::{Action, Policy, Rule, call_name};
use rejoinder::spec::profile::Profile;
use serde_json::Value;

const ROLES: [Role; 2] = [Role::Contestant, Role::Interactor];
const ISOLATIONS: [&str; 2] = ["strongest", "landlock"];

/// Allowed calls that end a program, hold it up, or need the stack of a signal handler.
const NEVER_MADE: [&str; 4] = ["exit", "exit_group", "pause", "rt_sigreturn"];

/// So many names of refused calls are counted in one run, and no more.
const NAMES: usize = 256;

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let args = Arguments::from_args();
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("policy: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Where and as what the program runs.
#[derive(Debug, Clone, Copy)]
struct Place {
    role: Role,
    profile: Profile,
    isolation: &'static str,
    identity: Identity,
}

type Work = fn(&Programs, Place) -> Result<(), String>;

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let source = Source::find(&sources(), "call")?;
    let missing = source.missing_tool(Identity::Own);
    if let Some(tool) = missing {
        eprintln!("policy: ignored: `{tool}` is not to be had");
    }
    let programs = match args.list || missing.is_some() {
        true => None,
        false => Some(Arc::new(Programs::new(&source)?)),
    };
    let mut trials = Vec::new();
    for identity in Identity::possible() {
        for honest in &honest::ALL {
            let missing = missing.or(honest.tools.iter().copied().find(|tool| {
                // As a user would find it who runs the binary.
                identity.find(tool).is_none()
            }));
            let programs = programs.clone();
            let name = format!("honest/{}/{}", honest.file, identity.name());
            let trial = Trial::test(name, move || {
                let programs = programs.ok_or_else(|| Failed::from("there is no compiler"))?;
                honest.run(&programs, *identity).map_err(Failed::from)
            });
            trials.push(trial.with_ignored_flag(missing.is_some()));
        }
    }
    for place in places() {
        let native = place.profile == Profile::Native;
        let work: [(&str, Work, bool); 3] = [
            ("answered", answered, true),
            ("killed", killed, true),
            ("unknown", unknown, native),
        ];
        for (what, work, _) in work.into_iter().filter(|(.., wanted)| *wanted) {
            let name = format!(
                "{what}/{}/{}/{}/{}",
                place.role,
                place.profile.name(),
                place.isolation,
                place.identity.name()
            );
            let programs = programs.clone();
            let trial = Trial::test(name, move || {
                let programs = programs.ok_or_else(|| Failed::from("there is no compiler"))?;
                work(&programs, place).map_err(Failed::from)
            });
            trials.push(trial.with_ignored_flag(missing.is_some()));
        }
    }
    Ok(trials)
}

fn places() -> Vec<Place> {
    let mut places = Vec::new();
    for identity in Identity::possible() {
        for isolation in ISOLATIONS {
            for role in ROLES {
                places.extend(Profile::ALL.map(|profile| Place {
                    role,
                    profile,
                    isolation,
                    identity: *identity,
                }));
            }
        }
    }
    places
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

/// A call to make: `call.c` explains how it is written.
struct Call {
    name: String,
    word: String,
    action: Action,
}

impl Place {
    fn policy(self) -> &'static Policy {
        Policy::of(self.role, self.profile)
    }

    /// One call for each rule.
    fn calls(self) -> Vec<Call> {
        let of_call = |(number, rules): (u32, &'static [Rule])| {
            let name = call_name(number.into());
            rules.iter().map(move |rule| {
                let expected = match rule.action {
                    Action::Hide(errno) | Action::Refuse(errno) => errno.to_string(),
                    _ => "any".to_owned(),
                };
                let mut word = format!("{number}={expected}");
                if let Some((place, value)) = fitting(rule, rules) {
                    write!(word, ":{place}={value:#x}").expect("a String takes everything");
                }
                Call {
                    name: name.clone(),
                    word,
                    action: rule.action,
                }
            })
        };
        self.policy().rules().flat_map(of_call).collect()
    }
}

/// An argument, besides those that are -1, with which a call falls to this rule.
fn fitting(rule: &Rule, rules: &[Rule]) -> Option<(u8, u64)> {
    if let Some(condition) = rule.only_if {
        return Some((condition.argument, condition.equals));
    }
    let conditions = || rules.iter().filter_map(|rule| rule.only_if);
    let with = |place: u8, value| {
        let mut args = [u64::MAX; 6];
        args[usize::from(place)] = value;
        !conditions().any(|condition| condition.holds(&args))
    };
    let place = conditions().next()?.argument;
    [u64::MAX, 0, 7, 0x55]
        .into_iter()
        .find(|value| with(place, *value))
        .map(|value| (place, value))
}

/// Everything that is answered or goes on, in one program.
fn answered(programs: &Programs, place: Place) -> Result<(), String> {
    let made = |call: &Call| match call.action {
        Action::Hide(_) | Action::Refuse(_) => true,
        Action::Allow => !NEVER_MADE.contains(&call.name.as_str()),
        Action::Kill | Action::Watch(_) => false,
    };
    let calls: Vec<Call> = place.calls().into_iter().filter(made).collect();
    let mut expected = BTreeMap::new();
    for call in &calls {
        if matches!(call.action, Action::Refuse(_)) {
            *expected.entry(call.name.clone()).or_default() += 1;
        }
    }
    all_as_expected(
        programs,
        place,
        calls.iter().map(|call| &call.word),
        &expected,
    )
}

/// Numbers that are no calls of this kernel or any other: refused as if they did not exist.
fn unknown(programs: &Programs, place: Place) -> Result<(), String> {
    let numbers = || (500..600).chain([1 << 31, 0xffff_ffff]);
    let enosys = libc::ENOSYS;
    let words: Vec<String> = numbers().map(|n: u64| format!("{n:#x}={enosys}")).collect();
    let expected = numbers().map(|n| (call_name(n), 1)).collect();
    all_as_expected(programs, place, words.iter(), &expected)
}

fn all_as_expected<'a>(
    programs: &Programs,
    place: Place,
    words: impl Iterator<Item = &'a String>,
    expected: &BTreeMap<String, u64>,
) -> Result<(), String> {
    if expected.len() > NAMES {
        return Err(format!("{} names are too many for one run", expected.len()));
    }
    let words: Vec<&str> = words.map(String::as_str).collect();
    let (ran, report) = programs.run(place, &words)?;
    let side = &report[place.role.to_string()];
    let mut wrong = Vec::new();
    if report["verdict"] != "accepted" {
        wrong.push(format!(
            "not accepted; the program says: {}",
            side["stderr"]
        ));
    }
    let found = refused(side);
    for name in expected.keys().chain(found.keys()).collect::<BTreeSet<_>>() {
        let (wanted, counted) = (expected.get(name), found.get(name));
        if wanted != counted {
            wrong.push(format!(
                "{name} was counted {counted:?} times, not {wanted:?}"
            ));
        }
    }
    programs.verdict(wrong, &ran)
}

/// What the report counts, by name.
pub(crate) fn refused(side: &Value) -> BTreeMap<String, u64> {
    let counted = |entry: &Value| {
        let name = entry["call"].as_str()?.to_owned();
        Some((name, entry["count"].as_u64()?))
    };
    let entries = side["refused"].as_array().into_iter().flatten();
    entries.filter_map(counted).collect()
}

/// What ends a program, each in a program of its own. What a native program is killed for in the
/// same words is not tried again for every runtime.
fn killed(programs: &Programs, place: Place) -> Result<(), String> {
    let killing = |place: Place| {
        let calls = place.calls().into_iter();
        calls.filter(|call| call.action == Action::Kill)
    };
    let native = Place {
        profile: Profile::Native,
        ..place
    };
    let known: Vec<String> = match place.profile {
        Profile::Native => Vec::new(),
        _ => killing(native).map(|call| call.word).collect(),
    };
    for call in killing(place).filter(|call| !known.contains(&call.word)) {
        let (ran, report) = programs.run(place, &[&call.word])?;
        let verdict = match place.role {
            Role::Contestant => "security-violation",
            Role::Interactor => "judge-error",
        };
        let mut wrong = Vec::new();
        if report["verdict"] != verdict {
            wrong.push(format!(
                "{} is {}, not {verdict}",
                call.name, report["verdict"]
            ));
        }
        let reason = report["reason"].as_str().unwrap_or_default();
        if !reason.contains(&call.name) {
            wrong.push(format!("{} is not named: {reason}", call.name));
        }
        programs.verdict(wrong, &ran)?;
    }
    Ok(())
}

/// The program, once for each profile.
pub(crate) struct Programs {
    pub(crate) stage: Stage,
    folder: PathBuf,
    languages: PathBuf,
}

impl Programs {
    fn new(source: &Source) -> Result<Programs, String> {
        let stage = Stage::new()?;
        let prepare = || -> std::io::Result<(PathBuf, PathBuf)> {
            let folder = stage.program_folder("policy")?;
            let file = folder.join("languages.toml");
            let entry = |profile: Profile| {
                let name = profile.name();
                format!(
                    "[[language]]\nname = 'of {name}'\nsuffixes = ['of-{name}']\n\
                     compile = ['install', '-m', '755', '{{source}}', '{{output}}']\n\
                     run = ['{{output}}']\nprofile = '{name}'\n"
                )
            };
            fs::write(&file, Profile::ALL.map(entry).concat())?;
            let languages = stage::copy_readable(&file, &stage.program_folder("languages")?)?;
            Ok((folder, languages))
        };
        let (folder, languages) = prepare().map_err(|e| format!("cannot prepare: {e}"))?;
        let program = source.install(&folder)?;
        let program = program.argv.first().map(PathBuf::from).unwrap_or_default();
        for profile in Profile::ALL {
            let of_profile = folder.join(format!("call.of-{}", profile.name()));
            fs::copy(&program, &of_profile)
                .and_then(|_| stage::set_mode(&of_profile, 0o644))
                .map_err(|e| format!("{}: {e}", of_profile.display()))?;
        }
        Ok(Programs {
            stage,
            folder,
            languages,
        })
    }

    /// Runs the program in its role, with `true` on the other side.
    fn run(&self, place: Place, words: &[&str]) -> Result<(Ran, Value), String> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let program = match place.profile {
            // A bare executable.
            Profile::Native => self.folder.join("call"),
            of => self.folder.join(format!("call.of-{}", of.name())),
        };
        let mut line = vec![text(&program)];
        line.extend(words.iter().map(|word| (*word).to_owned()));
        let nothing = vec!["/bin/true".to_owned()];
        let (contestant, interactor) = match place.role {
            Role::Contestant => (line, nothing),
            Role::Interactor => (nothing, line),
        };
        let home = self.stage.home(place.identity);
        let ran = run::invoke(&self.stage, place.identity, &home, None, |_| {
            let mut argv: Vec<String> = ["run", "--json", "--isolation", place.isolation]
                .map(str::to_owned)
                .into();
            argv.extend(["--languages".to_owned(), text(&self.languages)]);
            argv.extend(["--input".to_owned(), text(&self.stage.empty_file())]);
            argv.extend(["--interactor".to_owned(), shell_words::join(interactor)]);
            argv.push("--".to_owned());
            argv.extend(contestant);
            argv
        })?;
        match ran.reports()?.pop() {
            Some(report) => Ok((ran, report)),
            None => Err(format!("there is no report\n{}", ran.shown())),
        }
    }

    pub(crate) fn verdict(&self, wrong: Vec<String>, ran: &Ran) -> Result<(), String> {
        if wrong.is_empty() {
            self.stage.discard(&ran.folder);
            return Ok(());
        }
        Err(format!("wrong:\n- {}\n{}", wrong.join("\n- "), ran.shown()))
    }
}
