//! The coordinator is told to end, at every moment of a run: nothing of it goes on, and what it has
//! to say of the run is complete. If it is killed instead, nothing goes on either, and the next run
//! clears away what it left.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use harness::checks;
use harness::identity::Identity;
use harness::programs::{Program, Source};
use harness::run::{Ran, invoke, transcript_file};
use harness::stage::Stage;
use harness::supervisor::{self, Blow, Kill};
use harness::transcript;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

const THREADS: usize = 2;

/// The signals that ask for an end, with the names that the report gives them.
const SIGNALS: [(i32, &str); 3] = [
    (libc::SIGINT, "SIGINT"),
    (libc::SIGTERM, "SIGTERM"),
    (libc::SIGHUP, "SIGHUP"),
];

/// Moments of the start, this far apart and so many.
const STEP: Duration = Duration::from_micros(700);
const MOMENTS: u32 = 40;
/// How often the dialogue is interrupted.
const TALKS: u32 = 6;

/// How often the coordinator is killed at most.
const KILLS: u32 = 20;

/// How often a row of tests is interrupted, and how many tests it has.
const ROWS: u32 = 25;
const TESTS_IN_A_ROW: u32 = 200;

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("interrupt: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The programs, and where they lie.
struct Talkers {
    stage: Stage,
    folder: PathBuf,
    talker: Program,
    short: Program,
    names: AtomicU32,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interrupt")
}

impl Talkers {
    fn install() -> Result<Talkers, String> {
        let stage = Stage::new()?;
        let target = stage.program_folder("interrupt");
        let target = target.map_err(|error| error.to_string())?;
        Ok(Talkers {
            talker: Source::find(&folder(), "talker")?.install(&target)?,
            short: Source::find(&folder(), "short")?.install(&target)?,
            folder: target,
            stage,
            names: AtomicU32::new(0),
        })
    }

    /// Names that no other process has (15 bytes at most).
    fn names(&self) -> [String; 2] {
        let number = self.names.fetch_add(1, Ordering::Relaxed);
        ["c", "i"].map(|role| format!("zz{role}{:x}x{number:x}", std::process::id()))
    }
}

/// What a trial does.
type Work = Box<dyn FnOnce(&Talkers) -> Result<(), String> + Send>;

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let missing = Source::find(&folder(), "talker")?.missing_tool(Identity::Own);
    if let Some(tool) = missing {
        eprintln!("interrupt: ignored: `{tool}` is not to be had");
    }
    let talkers = match args.list || missing.is_some() {
        true => None,
        false => Some(Arc::new(Talkers::install()?)),
    };
    let mut trials = Vec::new();
    let mut add = |name: String, run: Work| {
        let talkers = talkers.clone();
        let trial = Trial::test(name, move || {
            let talkers = talkers.ok_or_else(|| Failed::from("there is no compiler"))?;
            run(&talkers).map_err(Failed::from)
        });
        trials.push(trial.with_ignored_flag(missing.is_some()));
    };
    for identity in Identity::possible() {
        for isolation in ["strongest", "landlock"] {
            for (signal, name) in SIGNALS {
                let of =
                    move |phase: &str| format!("{name}/{phase}/{isolation}/{}", identity.name());
                let talk = move |talkers: &Talkers, after, dialogue| {
                    let moment = Moment {
                        identity: *identity,
                        isolation,
                        signal,
                        after,
                        dialogue,
                    };
                    moment.try_out(talkers)
                };
                add(
                    of("start"),
                    Box::new(move |talkers| {
                        (0..MOMENTS).try_for_each(|moment| talk(talkers, STEP * moment, false))
                    }),
                );
                add(
                    of("dialogue"),
                    Box::new(move |talkers| {
                        (0..TALKS).try_for_each(|talk_number| {
                            talk(talkers, Duration::from_millis(7) * talk_number, true)
                        })
                    }),
                );
            }
        }
        add(
            format!("SIGKILL/{}", identity.name()),
            Box::new(|talkers| killed(talkers, *identity)),
        );
    }
    add("SIGINT/between-tests".to_owned(), Box::new(between_tests));
    add("SIGTERM/compiling".to_owned(), Box::new(compiling));
    Ok(trials)
}

/// One interruption.
#[derive(Clone, Copy)]
struct Moment {
    identity: Identity,
    isolation: &'static str,
    signal: i32,
    after: Duration,
    /// Not before both programs talk.
    dialogue: bool,
}

impl Moment {
    fn try_out(&self, talkers: &Talkers) -> Result<(), String> {
        let names = talkers.names();
        let once_running = match self.dialogue {
            true => names.to_vec(),
            false => Vec::new(),
        };
        let kill = Kill {
            after: self.after,
            once_running,
            signals: one(self.signal),
            // As a terminal does it, and as `kill` does it, in turn.
            group: self.after.as_micros() / 700 % 2 == 1,
        };
        let ran = self.run(talkers, &names, kill)?;
        let wrong = self.wrong(talkers, &names, &ran)?;
        match wrong.is_empty() {
            true => {
                talkers.stage.discard(&ran.folder);
                Ok(())
            }
            false => Err(format!(
                "signal {} after {:?}:\n- {}\n{}",
                self.signal,
                self.after,
                wrong.join("\n- "),
                ran.shown()
            )),
        }
    }

    fn run(&self, talkers: &Talkers, names: &[String; 2], kill: Kill) -> Result<Ran, String> {
        let arguments = |folder: &Path| {
            let text = |path: &Path| path.to_string_lossy().into_owned();
            let [contestant, interactor] = [(0, "ask"), (1, "answer")]
                .map(|(side, does)| talkers.talker.with_args(&[&names[side], does]).argv);
            let mut arguments = vec!["run".to_owned(), "--json".to_owned()];
            arguments.extend(["--isolation".to_owned(), self.isolation.to_owned()]);
            arguments.extend(["--interactor".to_owned(), shell_words::join(interactor)]);
            arguments.extend(["--input".to_owned(), text(&talkers.stage.empty_file())]);
            arguments.extend(["--transcript".to_owned(), text(&transcript_file(folder))]);
            arguments.push("--".to_owned());
            arguments.extend(contestant);
            arguments
        };
        invoke(
            &talkers.stage,
            self.identity,
            &talkers.folder,
            Some(kill),
            arguments,
        )
    }

    fn wrong(
        &self,
        talkers: &Talkers,
        names: &[String; 2],
        ran: &Ran,
    ) -> Result<Vec<String>, String> {
        let mut wrong = checks::in_order(ran);
        for name in supervisor::running(names) {
            wrong.push(format!("a process named {name} is still there"));
        }
        for name in &ran.supervised.never_ran {
            wrong.push(format!("{name} never ran"));
        }
        let file = ran.transcript_file();
        if ran.supervised.signal == Some(self.signal) && !self.dialogue {
            // It had not begun: then the signal does what it does to any program.
            if !ran.stdout.is_empty() || file.exists() {
                wrong.push("it died of the signal in the middle of its work".to_owned());
            }
            return Ok(wrong);
        }
        if ran.supervised.code != Some(128 + self.signal) {
            wrong.push(format!("the exit status is not 128 + {}", self.signal));
        }
        let reports = ran.reports()?;
        let name = SIGNALS.iter().find(|(signal, _)| *signal == self.signal);
        match reports.as_slice() {
            [report] => {
                if report["interrupted"] != Value::from(name.map(|(_, name)| *name)) {
                    wrong.push(format!("interrupted is {}", report["interrupted"]));
                }
                if report["verdict"] != "internal-error" {
                    wrong.push(format!("the verdict is {}", report["verdict"]));
                }
                wrong.extend(complete(&talkers.stage, &file).err());
            }
            // Told to end before there was anything to report of.
            [] if !self.dialogue && !file.exists() => {}
            reports => wrong.push(format!("there are {} reports", reports.len())),
        }
        Ok(wrong)
    }
}

fn one(signal: i32) -> Vec<Blow> {
    vec![Blow {
        pause_us: 0,
        signal,
    }]
}

/// The transcript ends with the verdict, and can be shown.
fn complete(stage: &Stage, file: &Path) -> Result<(), String> {
    transcript::well_formed(file)?;
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let last = text.lines().last().unwrap_or_default();
    let record: Value = serde_json::from_str(last).map_err(|error| error.to_string())?;
    if record[1] != "event" || record[2]["kind"] != "verdict" {
        return Err(format!("the last record is no verdict: {last}"));
    }
    let shown = Command::new(stage.binary())
        .arg("show")
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&shown.stderr);
    match shown.status.success() && said.is_empty() {
        true => Ok(()),
        false => Err(format!("`rejoinder show` ({}) said: {said}", shown.status)),
    }
}

/// The coordinator has no chance to do anything: the kernel ends its programs, and the next run
/// removes its folder and its cgroups. That may be anyone's run, so it takes a few attempts to see
/// what was left.
fn killed(talkers: &Talkers, identity: Identity) -> Result<(), String> {
    for _ in 0..KILLS {
        if killed_once(talkers, identity)? {
            return Ok(());
        }
    }
    Err(format!(
        "in {KILLS} attempts nothing was left: the test looks for it in the wrong place"
    ))
}

/// False if there was nothing left to be removed.
fn killed_once(talkers: &Talkers, identity: Identity) -> Result<bool, String> {
    let kill = |once_running| Kill {
        after: Duration::ZERO,
        once_running,
        signals: one(libc::SIGKILL),
        group: false,
    };
    let names = talkers.names();
    let moment = Moment {
        identity,
        isolation: "strongest",
        signal: libc::SIGKILL,
        after: Duration::ZERO,
        dialogue: true,
    };
    let before = left_overs(identity);
    let ran = moment.run(talkers, &names, kill(names.to_vec()))?;
    let explain = |what: String| format!("{what}\n{}", ran.shown());
    if ran.supervised.signal != Some(libc::SIGKILL) || !ran.supervised.never_ran.is_empty() {
        return Err(explain(
            "it was not killed while its programs ran".to_owned(),
        ));
    }
    // The supervisor has given them a second.
    let alive = supervisor::running(&names);
    if !alive.is_empty() || !ran.supervised.left_alive.is_empty() {
        let orphans = &ran.supervised.left_alive;
        return Err(explain(format!("there are still {alive:?} {orphans:?}")));
    }
    let left: Vec<PathBuf> = left_overs(identity)
        .into_iter()
        .filter(|path| !before.contains(path) && !owner_lives(path))
        .collect();
    let is_folder = |path: &&PathBuf| path.starts_with(runtime_folder(identity));
    if !left.iter().any(|path| is_folder(&path)) {
        return Ok(false);
    }
    let next = invoke(&talkers.stage, identity, &talkers.folder, None, |_| {
        let short = shell_words::join(&talkers.short.argv);
        let input = talkers.stage.empty_file().to_string_lossy().into_owned();
        [
            "run",
            "--interactor",
            &short,
            "--input",
            &input,
            "--",
            &short,
        ]
        .map(str::to_owned)
        .into()
    })?;
    if next.supervised.code != Some(0) {
        return Err(next.shown());
    }
    let still: Vec<PathBuf> = left.into_iter().filter(|path| path.exists()).collect();
    match still.is_empty() {
        true => Ok(true),
        false => Err(format!("the next run did not remove {still:?}")),
    }
}

/// True if the coordinator that made it still runs: other trials have theirs. Its id is the first
/// number in the name.
fn owner_lives(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let owner = name.split('-').find(|part| part.parse::<u32>().is_ok());
    owner.is_some_and(|pid| Path::new("/proc").join(pid).exists())
}

/// Where a coordinator of that user keeps what lasts as long as a run.
fn runtime_folder(identity: Identity) -> PathBuf {
    match identity {
        Identity::Own if harness::identity::is_root() => PathBuf::from("/run/rejoinder"),
        // The supervisor passes our environment on to it.
        Identity::Own => std::env::var_os("XDG_RUNTIME_DIR").map_or_else(
            || std::env::temp_dir().join(format!("rejoinder-{}", nix::unistd::geteuid())),
            |folder| PathBuf::from(folder).join("rejoinder"),
        ),
        Identity::Nobody => PathBuf::from("/tmp/rejoinder-65534"),
    }
}

/// Scratch folders, and cgroups where root makes some.
fn left_overs(identity: Identity) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    };
    let named = |path: &PathBuf, prefix: &str| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with(prefix)
    };
    let mut found = entries(&runtime_folder(identity));
    found.retain(|path| named(path, "run-"));
    let membership = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    for line in membership.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        for place in [
            format!("/sys/fs/cgroup/{controllers}"),
            "/sys/fs/cgroup".to_owned(),
        ] {
            let mut groups = entries(Path::new(&format!("{place}{path}")));
            groups.retain(|path| named(path, "rejoinder-") && path.is_dir());
            found.extend(groups);
        }
    }
    found
}

/// A run of many tests: the moment between two of them is one like any other.
fn between_tests(talkers: &Talkers) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    let problem = talkers.stage.program_folder("row").map_err(failed)?;
    let tests: Vec<String> = (0..TESTS_IN_A_ROW).map(|n| format!("{n:03}.in")).collect();
    for test in &tests {
        fs::write(problem.join(test), "").map_err(failed)?;
    }
    let short = talkers.short.argv.first().cloned().unwrap_or_default();
    let text = format!("interactor = {short:?}\ntests = \"*.in\"\n");
    fs::write(problem.join("problem.toml"), text).map_err(failed)?;
    for row in 0..ROWS {
        let kill = Kill {
            after: Duration::from_millis(100) + Duration::from_micros(1300) * row,
            once_running: Vec::new(),
            signals: one(libc::SIGINT),
            group: false,
        };
        let ran = invoke(&talkers.stage, Identity::Own, &problem, Some(kill), |_| {
            ["run", "--json", ".", &short].map(str::to_owned).into()
        })?;
        let reports = ran.reports()?;
        if ran.supervised.code != Some(128 + libc::SIGINT) {
            return Err(format!(
                "row {row}: after {} of {TESTS_IN_A_ROW} tests it ended with {:?}; the last report: {}",
                reports.len(),
                ran.supervised.code,
                reports.last().unwrap_or(&Value::Null)
            ));
        }
        talkers.stage.discard(&ran.folder);
    }
    Ok(())
}

/// A compiler that takes long ends with the coordinator that started it.
fn compiling(talkers: &Talkers) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    let folder = talkers.stage.program_folder("slow").map_err(failed)?;
    let [name, _] = talkers.names();
    // The shell is the compiler, and what bears the name is started by it.
    let compiler = folder.join(&name);
    fs::copy(
        Identity::Own.find("sleep").ok_or("there is no sleep")?,
        &compiler,
    )
    .map_err(failed)?;
    let table = format!(
        "[[language]]\nname = \"slow\"\nsuffixes = [\"slow\"]\ncompilers = [\"sh\"]\n\
         compile = [\"{{compiler}}\", \"-c\", \"{} 30; true\", \"{{source}}\", \"{{output}}\"]\n\
         run = [\"{{output}}\"]\n",
        compiler.display()
    );
    fs::write(folder.join("languages.toml"), table).map_err(failed)?;
    fs::write(folder.join("source.slow"), "").map_err(failed)?;
    let short = shell_words::join(&talkers.short.argv);
    let input = talkers.stage.empty_file().to_string_lossy().into_owned();
    let kill = Kill {
        after: Duration::ZERO,
        once_running: vec![name.clone()],
        signals: one(libc::SIGTERM),
        group: false,
    };
    let ran = invoke(&talkers.stage, Identity::Own, &folder, Some(kill), |_| {
        [
            "run",
            "--languages",
            "languages.toml",
            "--interactor",
            &short,
            "--input",
            &input,
            "--",
            "source.slow",
        ]
        .map(str::to_owned)
        .into()
    })?;
    let mut wrong = Vec::new();
    // What the compiler started is nobody's child when both have gone, and dead is enough.
    if !ran.supervised.left_alive.is_empty() {
        wrong.push(format!("there are still {:?}", ran.supervised.left_alive));
    }
    let names = [name];
    wrong.extend(
        supervisor::running(&names)
            .into_iter()
            .map(|name| format!("{name} runs on")),
    );
    wrong.extend(
        ran.supervised
            .never_ran
            .iter()
            .map(|name| format!("{name} never ran")),
    );
    if ran.supervised.code != Some(128 + libc::SIGTERM) {
        wrong.push("the exit status is not 128 + 15".to_owned());
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("- {}\n{}", wrong.join("\n- "), ran.shown())),
    }
}
