//! Attacks on the coordinator from outside: signals at any moment, an unusual start, company.

use std::fs;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;

use crate::Work;
use crate::harness::checks;
use crate::harness::identity::Identity;
use crate::harness::report::Code;
use crate::harness::run::{Judgement, Ran};
use crate::harness::supervisor::{Blow, Kill};
use crate::harness::traces;
use crate::harness::transcript;
use crate::programs::Programs;

pub(crate) fn all() -> Vec<(String, Work)> {
    let mut trials: Vec<(String, Work)> = vec![
        ("coordinator-stopped".into(), Box::new(stopped_for_a_while)),
        ("coordinator-in-company".into(), Box::new(twenty_at_once)),
        ("coordinator-odd-start".into(), Box::new(odd_start)),
    ];
    for (name, signal) in [
        ("killed", libc::SIGKILL),
        ("interrupted", libc::SIGINT),
        ("terminated", libc::SIGTERM),
        ("hung-up", libc::SIGHUP),
    ] {
        for isolation in [None, Some("landlock")] {
            let name = format!(
                "coordinator-{name}{}",
                isolation.map_or(String::new(), |i| format!("/{i}"))
            );
            let work: Work = Box::new(move |programs, identity| {
                signalled(programs, identity, signal, isolation)
            });
            trials.push((name, work));
        }
    }
    trials
}

/// Signals come after these times at the earliest: in the set-up, when the programs start, while
/// they talk.
const MOMENTS_US: [u64; 13] = [
    0, 1000, 2000, 4000, 6000, 8000, 10_000, 13_000, 17_000, 25_000, 50_000, 120_000, 200_000,
];

/// A dialogue that does not end by itself, with children that fork.
fn endless(programs: &Programs, identity: Identity) -> Result<Judgement, String> {
    let contestant = programs.get("restless")?;
    let interactor = programs.get("endless")?;
    let mut judgement = programs.judgement(contestant, interactor, identity);
    judgement.transcript = true;
    Ok(judgement)
}

fn signalled(
    programs: &Programs,
    identity: Identity,
    signal: i32,
    isolation: Option<&'static str>,
) -> Result<(), String> {
    let mut pids = Vec::new();
    for pause_us in MOMENTS_US {
        let mut judgement = endless(programs, identity)?;
        judgement.isolation = isolation;
        judgement.kill = Some(Kill {
            group: false,
            after: std::time::Duration::ZERO,
            once_running: Vec::new(),
            signals: vec![Blow { pause_us, signal }],
        });
        let ran = judgement.run(&programs.stage)?;
        pids.push(ran.supervised.pid);
        let mut wrong = after_signal(&ran, signal);
        if signal != libc::SIGKILL {
            wrong.extend(traces::of(&[ran.supervised.pid], identity));
        }
        programs
            .verdict(wrong, &ran)
            .map_err(|e| format!("signal {signal} after {pause_us} us: {e}"))?;
    }
    // What a killed coordinator could not remove, the next one does.
    let ran = programs
        .judgement(programs.get("dies")?, programs.get("judge")?, identity)
        .run(&programs.stage)?;
    programs.verdict(traces::of(&pids, identity), &ran)
}

/// The coordinator has ended as it must, and nothing of its programs is left.
fn after_signal(ran: &Ran, signal: i32) -> Vec<String> {
    let mut wrong = Vec::new();
    let end = &ran.supervised;
    if !end.left_alive.is_empty() {
        wrong.push(format!("left alive: {:?}", end.left_alive));
    }
    if end.timed_out {
        wrong.push("it did not end".to_owned());
    }
    // Before it has set itself up, a signal acts as on any program.
    let at_once = end.signal == Some(signal);
    if at_once {
        return wrong;
    }
    if end.code != Some(128 + signal) {
        wrong.push(format!("exit status {:?}, not {}", end.code, 128 + signal));
    }
    if !end.left_dead.is_empty() {
        wrong.push(format!("left unreaped: {:?}", end.left_dead));
    }
    let file = ran.transcript_file();
    wrong.extend(transcript::well_formed(&file).err());
    let text = fs::read_to_string(&file).unwrap_or_default();
    if !text.contains("\"verdict\"") {
        wrong.push(format!(
            "the transcript ends without a verdict: {}",
            text.lines().last().unwrap_or("")
        ));
    }
    match ran.report() {
        Ok(report) if report.code == Code::InternalError => {}
        Ok(report) => wrong.push(format!("the verdict is {}", report.code)),
        Err(error) => wrong.push(error),
    }
    wrong
}

/// A coordinator that did not run for a while has not lost anything.
fn stopped_for_a_while(programs: &Programs, identity: Identity) -> Result<(), String> {
    for (contestant, interactor, code) in [
        (("answers", "read"), ("asks", "read"), Code::Accepted),
        (("fails", "exit"), ("asks", "poll"), Code::RuntimeError),
        (("fails", "spin"), ("asks", "poll"), Code::TimeLimit),
        (("waits", "read"), ("waits", "read"), Code::IdlenessLimit),
    ] {
        for pause_us in [3000, 12_000, 30_000] {
            let one = programs.get(contestant.0)?.with_args(&[contestant.1]);
            let two = programs.get(interactor.0)?.with_args(&[interactor.1]);
            let mut judgement = programs.judgement(one, two, identity);
            judgement.kill = Some(Kill {
                group: false,
                after: std::time::Duration::ZERO,
                once_running: Vec::new(),
                signals: vec![
                    Blow {
                        pause_us,
                        signal: libc::SIGSTOP,
                    },
                    Blow {
                        pause_us: 300_000,
                        signal: libc::SIGCONT,
                    },
                ],
            });
            let ran = judgement.run(&programs.stage)?;
            let (report, mut wrong) = checks::sound(&ran);
            if let Some(found) = report.map(|r| r.code).filter(|found| *found != code) {
                wrong.push(format!(
                    "stopped after {pause_us} us: {found} instead of {code}"
                ));
            }
            programs.verdict(wrong, &ran)?;
        }
    }
    Ok(())
}

/// Twenty at once disturb each other in nothing but time.
fn twenty_at_once(programs: &Programs, identity: Identity) -> Result<(), String> {
    let pairs = [
        ("answers read", "asks read wrong", Code::Accepted),
        ("fails crash", "asks epoll fail", Code::RuntimeError),
        ("fails exit", "asks read crash", Code::RuntimeError),
        ("fails nothing", "asks read wrong", Code::WrongAnswer),
        ("waits read", "waits poll", Code::IdlenessLimit),
    ];
    let one = |(contestant, interactor, code): (&str, &str, Code)| -> Result<(), String> {
        let program = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            Ok::<_, String>(programs.get(words[0])?.with_args(&words[1..]))
        };
        let judgement = programs.judgement(program(contestant)?, program(interactor)?, identity);
        let ran = judgement.run(&programs.stage)?;
        let (report, mut wrong) = checks::sound(&ran);
        if let Some(found) = report.map(|r| r.code).filter(|found| *found != code) {
            wrong.push(format!("{found} instead of {code}"));
        }
        programs.verdict(wrong, &ran)
    };
    thread::scope(|scope| {
        let running: Vec<_> = (0..20)
            .map(|i| scope.spawn(move || one(pairs[i % pairs.len()])))
            .collect();
        running
            .into_iter()
            .try_for_each(|run| run.join().map_err(|_| "panicked".to_owned())?)
    })
}

/// Started with open descriptors, blocked and ignored signals, an odd umask and low soft limits, as
/// by some supervisors: the programs are none the wiser, and the verdict is the same.
fn odd_start(programs: &Programs, identity: Identity) -> Result<(), String> {
    let secret = fs::File::open("/etc/hostname")
        .or_else(|_| fs::File::open("/etc/passwd"))
        .map_err(|e| e.to_string())?;
    let contestant = programs.get("procfs")?;
    let interactor = programs.get("judge")?;
    let words = |program: &crate::harness::programs::Program| program.argv.join(" ");
    let mut command = Command::new(programs.stage.binary());
    command
        .args([
            "run",
            "--json",
            "--interactor",
            &words(&interactor),
            "--input",
        ])
        .arg(programs.input(identity))
        .arg("--")
        .args(&contestant.argv)
        .current_dir(programs.stage.home(identity))
        .envs(identity.environment(&programs.stage.home(identity)))
        .stdin(Stdio::null());
    if let Some(uid) = identity.uid() {
        command.gid(uid).uid(uid);
    }
    let fd = secret.as_raw_fd();
    // SAFETY: only system calls on numbers and on a set that lives in the closure.
    unsafe {
        command.pre_exec(move || {
            for place in [3, 4, 5, 6, 7, 9, 20, 100] {
                libc::dup2(fd, place);
            }
            let mut all: libc::sigset_t = std::mem::zeroed();
            libc::sigfillset(&mut all);
            libc::sigprocmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
            libc::signal(libc::SIGCHLD, libc::SIG_IGN);
            libc::signal(libc::SIGPIPE, libc::SIG_IGN);
            libc::umask(0o777);
            libc::alarm(20);
            Ok(())
        });
    }
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    let pid = i32::try_from(child.id()).unwrap_or(0);
    let (done, ended) = std::sync::mpsc::channel::<()>();
    let guard = thread::spawn(move || {
        if ended.recv_timeout(std::time::Duration::from_secs(20))
            == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
        {
            let _ = nix::sys::signal::kill(
                nix::unistd::Pid::from_raw(pid),
                nix::sys::signal::Signal::SIGKILL,
            );
        }
    });
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    drop(done);
    let _ = guard.join();
    match output.status.code() {
        Some(0) => Ok(()),
        _ => Err(format!(
            "{}\n{}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}
