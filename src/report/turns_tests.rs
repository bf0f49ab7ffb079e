//! Tests of the picture of turns in the terminal report.

use insta::assert_snapshot;

use super::super::*;
use super::plain;
use crate::report::samples;

#[test]
fn a_long_turn_leaps_to_the_eye() {
    assert_snapshot!(plain(&samples::idleness(), 80), @r"
    guess-number, test 02, solutions/binary_search.py

     seconds  contestant                          interactor
              · 21 earlier messages
       0.060                                      <
                                                  <
                                                  <
                                                  <
                                                  … 7 more lines
                                                  <

       IL  idleness limit                                       2.63 s
      The contestant neither computed nor asked for input for 2.001 s, 2 s
      allowed.

      waiting     the contestant was given the last message, after 580 ms; the
                  contestant waits in something other than its input, the interactor
                  waits in a read of its standard input
      exchange    the contestant said `? 50`, to which the interactor answered
                  `<\n<\n<\n<\n<\n<\n<\n<\n<\n<\n<\n<\n<\n<…` after 60.1 ms

      turns       ╷0 s      ╷0.5       ╷1        ╷1.5       ╷2         ╷2.5
      contestant  ▁▂▃▃▃▁▃▃▃▂▂▃▅██████████████████████████████████████████▆    2.22 s
      interactor  ▇▆▅▅▅▇▅▅▅▆▆▅▃                                          ▂    410 ms
                              ╰────────────────────1─────────────────────╯
                  1 the contestant for 2.04 s, from 580 ms until it ended

                  contestant                interactor
      end         over the idle limit       stopped
      cpu         21.4 ms of 1 s            1.3 ms of 10 s
      own turns   22.2 ms of 10 s           2.1 ms of 60 s
      memory      9 MiB of 256 MiB          3.5 MiB of 1 GiB
      output      37 B of 64 MiB            37 B of 256 MiB
      tasks       1 of 64                   1 of 64

      isolation   seccomp, ptrace, namespaces, cgroup
    ");
    let text = plain(&samples::idleness(), 40);
    let (_, turns) = text.split_once("  turns").expect("a picture");
    assert_snapshot!(&turns[..turns.find("\n\n").expect("an end")], @"
         ╷0 s  ╷1    ╷2
    contestant  ▂▃▃▅███████████▇    2.22 s
    interactor  ▆▅▅▃           ▁    410 ms
                   ╰─────1─────╯
                1 the contestant for 2.04
                  s, from 580 ms until it
                  ended
    ");
}

#[test]
fn the_picture_of_turns_is_left_out_where_it_shows_nothing() {
    let shown = |outcome: &Outcome, options: &Options| render(outcome, 80, options).contains("╷0 ");
    let full = Options::default();
    let short = Options {
        details: false,
        ..Options::default()
    };
    let mut outcome = samples::idleness();
    assert!(shown(&outcome, &full) && !shown(&outcome, &short));
    // A low limit that decided.
    outcome.elapsed = Duration::from_millis(20);
    assert!(shown(&outcome, &full));
    outcome.contestant.end = Some(End::Exited(0));
    assert!(!shown(&outcome, &full));
    // Nothing was said.
    outcome = samples::internal_error();
    outcome.elapsed = Duration::from_secs(9);
    assert!(!shown(&outcome, &full));
}
