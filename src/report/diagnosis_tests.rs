//! Tests of what a person is told about a run in which nothing moved any more.

use insta::assert_snapshot;

use super::*;
use crate::report::samples;
use crate::report::terminal::tests::plain;
use crate::report::terminal::{Options, render};

#[test]
fn deadlock() {
    assert_snapshot!(plain(&samples::deadlock(), 80), @r"
    guess-number, test 02, solutions/binary_search.py

     seconds  contestant                          interactor
       0.018                                      100
              · both sides wait for input

       IL  idleness limit                                      27.9 ms
      Both sides wait for each other's output, and the contestant holds 5 bytes
      that it printed and did not flush: `? 50\n`.

      waiting     the contestant was given the last message, after 19.5 ms; the
                  contestant waits in a read of its standard input, the interactor
                  waits in a poll of its standard input
      exchange    the contestant said `ready`, to which the interactor answered
                  `\xff` after 19.5 ms
      hint        let the contestant flush after every message: `print(...,
                  flush=True)`, or `sys.stdout.flush()`

                  contestant                interactor
      end         stopped                   stopped
      cpu         21.4 ms of 1 s            1.3 ms of 10 s
      own turns   22.2 ms of 10 s           2.1 ms of 60 s
      memory      9 MiB of 256 MiB          3.5 MiB of 1 GiB
      output      0 B of 64 MiB             37 B of 256 MiB
      tasks       1 of 64                   1 of 64

      isolation   seccomp, ptrace, namespaces, cgroup
    ");
}

#[test]
fn an_exchange_that_is_not_shown_above_is_told() {
    let row = |outcome: &Outcome, messages| {
        let options = Options {
            messages,
            ..Options::default()
        };
        let text = render(outcome, 200, &options);
        let text = anstream::adapter::strip_str(&text).to_string();
        let row = text.lines().find(|line| line.starts_with("  exchange"));
        row.map(|row| row.trim_start_matches("  exchange    ").to_owned())
    };
    let outcome = samples::idleness();
    let told = "the contestant said `? 50`, to which the interactor answered";
    assert_eq!(row(&outcome, 12).as_deref(), Some(told));
    assert_eq!(row(&outcome, 64), None);
}

/// The hint after a deadlock in which it was that side's turn, and nothing was seen in a buffer.
fn hint_for(owes: Option<Role>, found: Option<Found>, unended: Option<Role>) -> String {
    let mut outcome = samples::deadlock();
    outcome.interactor.language = Some("C++".to_owned());
    match found {
        Some(found) => outcome.evidence.unflushed[0].found = found,
        None => outcome.evidence.unflushed.clear(),
    }
    let mut diagnosis = outcome.diagnosis.clone().expect("a diagnosis");
    (diagnosis.owes, diagnosis.unended_line) = (owes, unended);
    hint(&outcome, &diagnosis).expect("a hint")
}

#[test]
fn a_hint_is_for_the_side_that_may_need_it() {
    use Role::{Contestant, Interactor};

    let hints = [
        hint_for(Some(Interactor), Some(Found::InMemory), Some(Interactor)),
        hint_for(Some(Contestant), None, Some(Interactor)),
        hint_for(Some(Contestant), None, None),
        hint_for(Some(Contestant), Some(Found::AtTheEnd), None),
        hint_for(Some(Interactor), Some(Found::AtTheEnd), None),
        hint_for(None, Some(Found::AtTheEnd), None),
    ];
    assert_snapshot!(hints.join("\n"));
}

#[test]
fn without_a_deadlock_there_is_no_hint_but_for_what_was_seen() {
    let mut outcome = samples::deadlock();
    outcome.evidence.deadlock = None;
    let diagnosis = outcome.diagnosis.clone().expect("a diagnosis");
    assert!(hint(&outcome, &diagnosis).is_some());
    outcome.evidence.unflushed.clear();
    assert_eq!(hint(&outcome, &diagnosis), None);
}
