//! Outcomes that the tests of the reports share: one for each thing that a report must show well.

use std::path::PathBuf;
use std::time::Duration;

use crate::diagnose::stack::{Frame, Omitted, Stack};
use crate::evidence::{
    Deadlock, End, Evidence, Excess, Found, LimitKind, Quantity, Refusal, Role, Unflushed,
};
use crate::outcome::{
    Diagnosis, Exchange, Explanation, Message, Outcome, ParticipantOutcome, Recent, States, Stderr,
};
use crate::spec::layer::Layer;
use crate::spec::limits::Limits;
use crate::transcript::timeline::Timeline;
use crate::verdict::{Judgement, Verdict};

pub(super) fn message(micros: u64, from: Role, bytes: &[u8]) -> Message {
    Message {
        at: Duration::from_micros(micros),
        from,
        bytes: bytes[..bytes.len().min(Message::KEPT)].to_vec(),
        length: bytes.len() as u64,
    }
}

pub(super) fn participant(role: Role, end: End) -> ParticipantOutcome {
    let (shown, language, cpu, memory) = match role {
        Role::Contestant => ("solutions/binary_search.py", "Python", 21_350, 9_437_184),
        Role::Interactor => ("interactor.cpp", "C++", 1_204, 3_670_016),
    };
    ParticipantOutcome {
        role,
        shown: shown.to_owned(),
        language: Some(language.to_owned()),
        end: Some(end),
        limits: Limits::default_for(role),
        cpu: Duration::from_micros(cpu),
        user: Duration::from_micros(cpu * 3 / 4),
        system: Duration::from_micros(cpu / 4),
        wall: Duration::from_micros(cpu + 4_000),
        turn: Duration::from_micros(cpu + 800),
        states: States {
            computing: Duration::from_micros(cpu + 800),
            asking: Duration::from_micros(3_200),
            ..States::default()
        },
        idle: Duration::ZERO,
        memory,
        tasks: 1,
        stdin_bytes: 14,
        stdout_bytes: 37,
        messages: 7,
        refused: Vec::new(),
        stderr: Stderr::default(),
        explanation: None,
    }
}

/// What a recursion without an end is explained as.
pub(super) fn overflow() -> Explanation {
    let frame = |function: &str, line: Option<u32>| Frame {
        address: 0x40_1136,
        function: Some(function.to_owned()),
        file: line.map(|_| "walk.cpp".to_owned()),
        line,
        module: Some(line.map_or("libc.so.6", |_| "walk").to_owned()),
        inlined: false,
        own: line.is_some(),
    };
    let mut frames = vec![frame("_int_malloc", None), frame("malloc", None)];
    frames.extend((0..5).map(|_| frame("walk", Some(12))));
    frames.extend([
        frame("main", Some(30)),
        frame("__libc_start_call_main", None),
    ]);
    Explanation {
        cause: Some("stack overflow".to_owned()),
        stack: Stack {
            frames,
            omitted: Some(Omitted {
                before: 5,
                count: 52_340,
            }),
            cut: false,
        },
    }
}

fn outcome(verdict: Verdict, reason: &str, contestant: End, interactor: End) -> Outcome {
    Outcome {
        title: "guess-number, test 02, solutions/binary_search.py".to_owned(),
        judgement: Judgement {
            verdict,
            reason: reason.to_owned(),
            score: None,
            row: 9,
        },
        evidence: Evidence::default(),
        contestant: participant(Role::Contestant, contestant),
        interactor: participant(Role::Interactor, interactor),
        message: String::new(),
        elapsed: Duration::from_micros(27_900),
        checker: None,
        passes: Vec::new(),
        isolation: vec![
            Layer::Seccomp,
            Layer::Ptrace,
            Layer::Namespaces,
            Layer::Cgroup,
        ],
        diagnosis: None,
        recent: Recent {
            messages: [
                message(18_204, Role::Interactor, b"100\n"),
                message(20_117, Role::Contestant, b"? 50\n"),
                message(20_151, Role::Interactor, b"<\n"),
                message(20_180, Role::Contestant, b"? 25\n"),
                message(20_202, Role::Interactor, b">\n"),
                message(21_230, Role::Contestant, b"! 37\n"),
            ]
            .into(),
            earlier: 0,
        },
        timeline: Timeline::default(),
        warnings: Vec::new(),
        transcript: None,
        interrupted: None,
    }
}

pub(super) fn accepted() -> Outcome {
    let mut outcome = outcome(
        Verdict::Accepted,
        "The interactor accepted, and the contestant ended with exit code 0.",
        End::Exited(0),
        End::Exited(0),
    );
    outcome.message = "guessed 37 with 3 questions".to_owned();
    outcome.recent.earlier = 14;
    outcome.transcript = Some(PathBuf::from("runs/02.jsonl"));
    outcome
}

pub(super) fn points() -> Outcome {
    let mut outcome = accepted();
    outcome.judgement.verdict = Verdict::Points;
    outcome.judgement.score = Some(37.5);
    outcome.judgement.reason = "The interactor gave 37.5 points.".to_owned();
    outcome
}

pub(super) fn wrong_answer() -> Outcome {
    let mut outcome = outcome(
        Verdict::WrongAnswer,
        "The interactor rejected the answer with exit code 1 before it was given end of input; \
         that the contestant then died of SIGSEGV changes nothing, because what it printed came \
         first.",
        End::Killed {
            signal: 11,
            from_outside: false,
        },
        End::Exited(1),
    );
    outcome.message = "the path visits vertex 17 twice: expected a simple path of 4,096 \
                       vertices, found 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 17 18\n\
                       first difference at position 18"
        .to_owned();
    let path: String = (1..=4096).map(|vertex| format!("{vertex} ")).collect();
    let edges: String = (1..=40)
        .map(|vertex| format!("{vertex} {}\n", vertex + 1))
        .collect();
    outcome.recent.messages = [
        message(1_204, Role::Interactor, edges.as_bytes()),
        message(2_117, Role::Contestant, b"ready\n"),
        message(2_151, Role::Interactor, b"go\n"),
        message(1_730_004, Role::Contestant, path.as_bytes()),
    ]
    .into();
    outcome.contestant.cpu = Duration::from_micros(921_734);
    outcome.contestant.stderr = Stderr {
        head: b"debug\n".repeat(100),
        tail: b"...\nlength 4096\ndone\n\x1b[1mwriting\x1b[0m the path\n".to_vec(),
        total: 48_230,
    };
    outcome.contestant.refused = vec![
        Refusal {
            call: "socket".to_owned(),
            count: 1,
            memory: None,
        },
        Refusal {
            call: "io_uring_setup".to_owned(),
            count: 1204,
            memory: None,
        },
    ];
    outcome
}

pub(super) fn crashed() -> Outcome {
    let mut outcome = outcome(
        Verdict::RuntimeError,
        "the contestant died of signal 11 (SIGSEGV), an access outside its memory or a stack that \
         grew too large",
        End::Killed {
            signal: 11,
            from_outside: false,
        },
        End::Stopped,
    );
    outcome.contestant.explanation = Some(overflow());
    outcome.interactor.explanation = Some(Explanation {
        cause: Some("ValueError: no such vertex, in `judge` at interactor.py:7".to_owned()),
        stack: Stack::default(),
    });
    outcome
}

pub(super) fn binary() -> Outcome {
    let mut outcome = accepted();
    outcome.title = "xor-oracle, test 1, solutions/bytes.c".to_owned();
    outcome.recent.messages = [
        message(100, Role::Contestant, b"\x00\x01\x02\xff\xfe"),
        message(130, Role::Interactor, b"\x80ok\xe2\x82"),
        message(160, Role::Interactor, b"\xac\n"),
        message(161, Role::Contestant, &[0x90; 700]),
    ]
    .into();
    outcome
}

/// Everything that a program has a say in tries to steer the terminal.
pub(super) fn hostile() -> Outcome {
    let evil = "\x1b[2J\x1b]0;owned\x07\u{202e}\u{9b}31m\rAC";
    let mut outcome = outcome(Verdict::WrongAnswer, evil, End::Exited(0), End::Exited(1));
    outcome.title = evil.to_owned();
    outcome.message = evil.to_owned();
    outcome.warnings = vec![evil.to_owned()];
    outcome.transcript = Some(PathBuf::from(evil));
    outcome.contestant.stderr = Stderr {
        head: evil.as_bytes().to_vec(),
        tail: Vec::new(),
        total: evil.len() as u64,
    };
    let call = evil.to_owned();
    outcome.contestant.refused = vec![Refusal {
        call,
        count: 2,
        memory: None,
    }];
    outcome.recent.messages = [
        message(100, Role::Contestant, evil.as_bytes()),
        message(130, Role::Interactor, evil.as_bytes()),
    ]
    .into();
    outcome
}

pub(super) fn deadlock() -> Outcome {
    let mut outcome = outcome(
        Verdict::IdlenessLimit,
        "Both sides wait for each other's output, and the contestant holds 5 bytes that it \
         printed and did not flush: `? 50\\n`.",
        End::Stopped,
        End::Stopped,
    );
    outcome.evidence.deadlock = Some(Deadlock {
        waited: Duration::from_micros(8_400),
    });
    outcome.evidence.unflushed = vec![Unflushed {
        role: Role::Contestant,
        stream: "stdout".to_owned(),
        bytes: b"? 50\n".to_vec(),
        total: 5,
        found: Found::InMemory,
    }];
    outcome.diagnosis = Some(Diagnosis {
        owes: Some(Role::Contestant),
        last_message: Some(Duration::from_micros(19_500)),
        unended_line: None,
        exchange: Some(Exchange {
            message: message(19_480, Role::Contestant, b"ready\n"),
            answer: message(19_500, Role::Interactor, b"\xff\n"),
        }),
        waits: vec![
            (Role::Contestant, "a read of its standard input"),
            (Role::Interactor, "a poll of its standard input"),
        ],
    });
    outcome.recent.messages.truncate(1);
    outcome.contestant.stdout_bytes = 0;
    outcome
}

pub(super) fn judge_error() -> Outcome {
    let end = End::Limit(Excess {
        limit: LimitKind::Cpu,
        used: Quantity::Time(Duration::from_micros(10_003_200)),
        allowed: Quantity::Time(Duration::from_secs(10)),
    });
    let mut outcome = outcome(
        Verdict::JudgeError,
        "The interactor used 10.003 s of CPU time on its own turn, and 10 s are allowed; the \
         contestant was waiting for it.",
        End::Stopped,
        end,
    );
    outcome.interactor.cpu = Duration::from_micros(10_003_200);
    outcome.interactor.turn = Duration::from_micros(10_010_900);
    outcome.interactor.idle = Duration::from_micros(3_100);
    outcome.interactor.stderr = Stderr {
        head: b"reading test\nsearching for a counterexample ...\n".to_vec(),
        tail: Vec::new(),
        total: 48,
    };
    outcome.elapsed = Duration::from_micros(10_031_000);
    outcome.warnings =
        vec!["the memory limit is sampled, because no cgroup can be written here".to_owned()];
    outcome
}

/// Messages that do not show the last exchange, and turns of which one is long.
pub(super) fn idleness() -> Outcome {
    let excess = Excess {
        limit: LimitKind::Idle,
        used: Quantity::Time(Duration::from_micros(2_000_400)),
        allowed: Quantity::Time(Duration::from_secs(2)),
    };
    let mut outcome = outcome(
        Verdict::IdlenessLimit,
        "The contestant neither computed nor asked for input for 2.001 s, 2 s allowed.",
        End::Limit(excess),
        End::Stopped,
    );
    outcome.elapsed = Duration::from_micros(2_630_000);
    let (contestant, interactor) = (Role::Contestant, Role::Interactor);
    let mut timeline = Timeline::default();
    timeline.message(Duration::from_millis(40), interactor, b"100\n");
    for round in 0..9 {
        let at = Duration::from_millis(60 + 60 * round);
        timeline.message(at, contestant, format!("? {round}\n").as_bytes());
        timeline.message(at + Duration::from_millis(40), interactor, b"<\n");
    }
    timeline.ended(Duration::from_micros(2_620_000), contestant);
    timeline.ended(Duration::from_micros(2_625_000), interactor);
    timeline.finish(outcome.elapsed);
    outcome.timeline = timeline;
    outcome.recent.messages.truncate(3);
    let answers = (0..30).map(|number| message(60_000 + number, interactor, b"<\n"));
    outcome.recent.messages.extend(answers);
    outcome.diagnosis = Some(Diagnosis {
        owes: Some(contestant),
        last_message: Some(Duration::from_millis(580)),
        unended_line: None,
        exchange: outcome.recent.last_exchange(),
        waits: vec![
            (contestant, "something other than its input"),
            (interactor, "a read of its standard input"),
        ],
    });
    outcome
}

/// A run that never began.
pub(super) fn internal_error() -> Outcome {
    let mut outcome = outcome(
        Verdict::InternalError,
        "The session was interrupted by SIGINT.",
        End::Stopped,
        End::Stopped,
    );
    outcome.contestant.end = None;
    outcome.interactor.end = None;
    outcome.recent = Recent::default();
    outcome.elapsed = Duration::ZERO;
    outcome.interrupted = Some(2);
    outcome
}
