//! Tests of the picture of turns, to the column.

use insta::assert_snapshot;

use super::*;
use crate::evidence::Role::{Contestant, Interactor};

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn plain(timeline: &Timeline, width: usize) -> String {
    let text = draw(timeline, width);
    let text = anstream::adapter::strip_str(&text).to_string();
    for line in text.lines() {
        assert!(escape::width(line) <= width, "{line:?} is too wide");
        assert!(!line.contains(char::is_control), "{line:?}");
        assert_eq!(line, line.trim_end());
    }
    text
}

/// Even rounds, but for one long turn of the interactor's.
fn long_session(rounds: u64) -> Timeline {
    let mut timeline = Timeline::default();
    let mut at = Duration::ZERO;
    for round in 0..rounds {
        at += Duration::from_micros(3);
        timeline.message(at, Contestant, format!("? {round}\n").as_bytes());
        at += match round == rounds / 3 {
            true => ms(250),
            false => Duration::from_micros(1),
        };
        timeline.message(at, Interactor, format!("answer {round}\n").as_bytes());
    }
    timeline.ended(at + ms(1), Interactor);
    timeline.finish(at + ms(2));
    timeline
}

#[test]
fn three_messages() {
    let mut timeline = Timeline::default();
    timeline.message(ms(2), Interactor, b"100\n");
    timeline.message(ms(1500), Contestant, b"? \x1b[31m50\n");
    timeline.message(ms(1501), Interactor, b"<\n");
    timeline.finish(ms(2000));
    assert_snapshot!(plain(&timeline, 80), @r"
    turns       ╷0 s          ╷0.5          ╷1            ╷1.5
    contestant  ▇████████████████████████████████████████▇▇█████████████   1.997 s
    interactor  ▁                                        ▁▁                   3 ms
                ╰───────────────────1────────────────────╯╰─────2──────╯
                1 the contestant for 1.498 s, from 2 ms until `? \x1b[31m50`
                2 the contestant for 499 ms, from 1.501 s to the end
    ");
}

#[test]
fn a_million_rounds() {
    let timeline = long_session(1_000_000);
    assert_snapshot!(plain(&timeline, 80), @"
    turns       ╷0 s  ╷0.5   ╷1    ╷1.5   ╷2    ╷2.5   ╷3     ╷3.5  ╷4
    contestant  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▃  ▁▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆   3.002 s
    interactor  ▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▅██▇▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂    1.25 s
                                 ╰1─╯
                1 the interactor for 250 ms, from 1.334 s until `answer 333333`
    ");
    assert_snapshot!(plain(&timeline, 40), @"
    turns       ╷0 s   ╷2      ╷4
    contestant  ▆▆▆▆▆▁▆▆▆▆▆▆▆▆▆▆   3.002 s
    interactor  ▂▂▂▂▂▇▂▂▂▂▂▂▂▂▂▂    1.25 s
                     1
                1 the interactor for 250
                  ms, from 1.334 s until
                  `answer 333333`
    ");
    assert_snapshot!(plain(&timeline, 500), @"
    turns       ╷0 s          ╷0.5          ╷1            ╷1.5          ╷2            ╷2.5          ╷3            ╷3.5          ╷4
    contestant  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▄      ▂▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆   3.002 s
    interactor  ▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▄██████▆▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂    1.25 s
                                                     ╰──1───╯
                1 the interactor for 250 ms, from 1.334 s until `answer 333333`
    ");
}

#[test]
fn microseconds() {
    let mut timeline = Timeline::default();
    for round in 1..5 {
        let at = Duration::from_micros(round * 10);
        timeline.message(at, Interactor, b"x");
        timeline.message(at + Duration::from_micros(3), Interactor, b"y");
        timeline.message(at + Duration::from_micros(4), Contestant, b"z");
    }
    timeline.finish(Duration::from_micros(44));
    assert_snapshot!(plain(&timeline, 60), @"
    turns       ╷0 µs   ╷10     ╷20     ╷30     ╷40
    contestant            ▃▄      ▁▅       ▇       ▇      4 µs
    interactor  ██████████▅▄██████▇▃███████▁███████▁     40 µs
                ╰────1────╯╰──2───╯╰──3───╯
                1 the interactor for 13 µs, from the
                  beginning, in 2 messages, the longest pause
                  before `x`
                2 the interactor for 9 µs, from 14 µs, in 2
                  messages, the longest pause before `x`
                3 the interactor for 9 µs, from 24 µs, in 2
                  messages, the longest pause before `x`
    ");
}

#[test]
fn turns_of_many_messages() {
    let mut timeline = Timeline::default();
    for turn in 0..4 {
        for piece in 1..=30 {
            let side = [Contestant, Interactor][turn % 2];
            let at = ms(300 * turn as u64 + 10 * piece);
            timeline.message(at, side, b"piece\nof text\n");
        }
    }
    timeline.ended(ms(1210), Contestant);
    timeline.ended(ms(2000), Interactor);
    timeline.finish(ms(2000));
    assert_snapshot!(plain(&timeline, 80), @"
    turns       ╷0 s          ╷0.5          ╷1            ╷1.5
    contestant  ████████▃       ▂████████▂       ▂                          610 ms
    interactor          ▅███████▆        ▆███████▆██████████████████████    1.39 s
                ╰───2───╯╰──3───╯                ╰──────────1──────────╯
                1 the interactor for 790 ms, from 1.21 s until it ended
                2 the contestant for 300 ms, from the beginning, in 30 messages,
                  the longest pause before `piece…`
                3 the interactor for 300 ms, from 300 ms, in 30 messages, the
                  longest pause before `piece…`
    ");
}

#[test]
fn nothing_was_said() {
    let mut timeline = Timeline::default();
    timeline.finish(ms(2000));
    assert_eq!(draw(&timeline, 80), "");
}

#[test]
fn round_times() {
    let marks = |millis, bars| axis(ms(millis), bars, bars);
    assert_eq!(marks(1000, 40), "╷0 s    ╷0.2    ╷0.4    ╷0.6    ╷0.8");
    assert_eq!(marks(999, 40), "╷0 ms   ╷200    ╷400    ╷600    ╷800");
    assert_eq!(marks(90, 30), "╷0 ms ╷20    ╷40    ╷60   ╷80");
    assert_eq!(
        marks(3_600_000, 40),
        "╷0 s       ╷1000      ╷2000      ╷3000"
    );
    assert_eq!(marks(0, 20), "╷0 µs");
}
