//! Tests of the account of turns.

use super::*;
use Role::{Contestant, Interactor};

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn turns(timeline: &Timeline) -> Vec<(Role, Duration, Duration)> {
    let mut turns: Vec<_> = timeline
        .longest()
        .map(|turn| (turn.side, turn.from(), turn.until()))
        .collect();
    turns.sort_by_key(|turn| turn.1);
    turns
}

#[test]
fn the_time_before_a_message_is_that_of_whoever_said_it() {
    let mut timeline = Timeline::default();
    timeline.message(ms(10), Interactor, b"100\n");
    timeline.message(ms(40), Contestant, b"? 5");
    timeline.message(ms(60), Contestant, b"0\n");
    timeline.message(ms(61), Interactor, b"<\n");
    timeline.finish(ms(100));
    assert_eq!(timeline.held(), [ms(30 + 20 + 39), ms(10 + 1)]);
    assert_eq!(timeline.total(), ms(100));
    assert_eq!(
        turns(&timeline),
        [
            (Interactor, ms(0), ms(10)),
            (Contestant, ms(10), ms(60)),
            (Contestant, ms(61), ms(100)),
        ]
    );
    let longest = timeline.longest().next().expect("a turn");
    assert_eq!((longest.messages, longest.said.bytes()), (2, &b"? 5"[..]));
}

#[test]
fn who_has_ended_holds_no_turn() {
    let mut timeline = Timeline::default();
    timeline.message(ms(10), Interactor, b"100\n");
    timeline.message(ms(20), Contestant, b"! 1\n");
    // It is not its turn.
    timeline.ended(ms(25), Contestant);
    timeline.ended(ms(70), Interactor);
    timeline.finish(ms(75));
    assert_eq!(timeline.held(), [ms(10), ms(65)]);

    let mut timeline = Timeline::default();
    timeline.message(ms(10), Interactor, b"100\n");
    timeline.ended(ms(30), Contestant);
    timeline.message(ms(40), Interactor, b"more\n");
    timeline.ended(ms(60), Interactor);
    timeline.finish(ms(60));
    assert_eq!(timeline.held(), [ms(20), ms(40)]);
    assert!(timeline.longest().next().is_some_and(|turn| turn.ended));
}

#[test]
fn where_nothing_is_said_there_are_no_turns() {
    let mut timeline = Timeline::default();
    timeline.ended(ms(10), Contestant);
    timeline.finish(ms(60));
    assert_eq!(timeline.held(), [ms(0); 2]);
    assert_eq!(timeline.longest().count(), 0);
}

#[test]
fn what_is_silent_after_a_last_message_is_a_turn_of_its_own() {
    let mut timeline = Timeline::default();
    timeline.message(ms(10), Interactor, b"100\n");
    timeline.ended(ms(30), Contestant);
    timeline.message(ms(70), Interactor, b"more\n");
    timeline.ended(ms(160), Interactor);
    timeline.finish(ms(160));
    let longest = timeline.longest().next().expect("a turn");
    let bounds = (longest.from(), longest.until());
    assert_eq!(bounds, (ms(70), ms(160)));
    assert!(longest.messages == 0 && longest.ended);
}

#[test]
fn recitals_are_not_quoted() {
    let mut timeline = Timeline::default();
    for turn in 1..=4 {
        let side = [Contestant, Interactor][turn as usize % 2];
        timeline.message(ms(160 * turn), side, b"long\n");
    }
    // Longer than each of these, in short pieces.
    for piece in 1..=20 {
        timeline.message(ms(640 + 9 * piece), Interactor, b"piece\n");
    }
    timeline.message(ms(640 + 180 + 190), Contestant, b"answer\n");
    timeline.finish(ms(640 + 180 + 190));
    let said: Vec<_> = timeline
        .longest()
        .map(|turn| (turn.messages, turn.said.bytes()))
        .collect();
    assert_eq!(said, [(1, &b"answer\n"[..]), (20, b""), (1, b"long\n")]);
}

#[test]
fn long_messages_are_quoted_from_their_beginning() {
    let mut timeline = Timeline::default();
    timeline.message(ms(10), Contestant, &[b'x'; 100]);
    timeline.finish(ms(10));
    let said = &timeline.longest().next().expect("a turn").said;
    assert_eq!((said.bytes(), said.cut), (&[b'x'; Excerpt::MOST][..], true));
}

/// Numbers without order, the same in every run.
fn numbers(mut seed: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    }
}

/// Sessions of any length and rhythm; what is kept is compared with what a list of all pieces says.
#[test]
fn all_time_is_held_by_one_side_whatever_the_sequence() {
    for seed in 0..300 {
        let mut number = numbers(seed);
        let mut timeline = Timeline::default();
        let scale = 10u64.pow(number(10) as u32);
        let (mut at, mut held) = (0, [0; 2]);
        let mut longest: Vec<u64> = Vec::new();
        let mut before = None;
        for _ in 0..number(3000) + 1 {
            let pause = match number(50) {
                0 => number(scale * 1000),
                _ => number(scale),
            };
            let side = number(2) as usize;
            at += pause;
            timeline.message(
                Duration::from_nanos(at),
                [Contestant, Interactor][side],
                b"x",
            );
            held[side] += pause;
            match before == Some(side) {
                true => *longest.last_mut().expect("a turn") += pause,
                false => longest.push(pause),
            }
            before = Some(side);
        }
        timeline.finish(Duration::from_nanos(at));
        assert_eq!(timeline.held(), held.map(Duration::from_nanos), "{seed}");
        assert_eq!(timeline.total(), Duration::from_nanos(at), "{seed}");
        longest.sort_unstable_by(|a, b| b.cmp(a));
        longest.truncate(REMEMBERED);
        longest.retain(|turn| *turn > 0);
        let remembered: Vec<u64> = timeline.longest().map(Turn::nanos).collect();
        assert_eq!(remembered, longest, "{seed}");
        for count in [1, 7, 60, 100] {
            let shares = timeline.shares(count);
            for part in &shares {
                let sum = part[0] + part[1];
                assert!(at == 0 || (sum - 1.0).abs() < 1e-9, "{seed}: {part:?}");
            }
            for side in 0..2 {
                let sum: f64 = shares.iter().map(|part| part[side]).sum();
                let sum = sum / count as f64 * at as f64;
                let error = (sum - held[side] as f64).abs();
                assert!(error <= 1.0 + at as f64 * 1e-9, "{seed}: {sum} {held:?}");
            }
        }
    }
}

#[test]
fn a_short_turn_is_found_where_it_was_after_all_merging() {
    let mut timeline = Timeline::default();
    timeline.message(ms(5000), Contestant, b"x");
    timeline.message(ms(5100), Interactor, b"x");
    for round in 1..100 {
        timeline.message(ms(5100 + round * 1000), Contestant, b"x");
    }
    // 104.1 s in a hundred parts: the fifth one goes from 4.164 s to 5.205 s. A column of the
    // account goes across that border, so the sixth one may have a little of it.
    let shares = timeline.shares(100);
    let of_interactor: Vec<usize> = (0..100).filter(|part| shares[*part][1] > 0.0).collect();
    assert_eq!(of_interactor, [4, 5]);
    assert!(shares[4][1] > 0.08 && shares[5][1] < 0.02, "{shares:?}");
}

#[test]
fn times_that_only_a_file_can_have_do_no_harm() {
    let mut timeline = Timeline::default();
    timeline.message(ms(10), Contestant, b"x");
    timeline.message(ms(5), Interactor, b"x");
    timeline.message(Duration::from_nanos(u64::MAX), Contestant, b"x");
    timeline.message(Duration::MAX, Contestant, b"x");
    timeline.message(Duration::MAX, Interactor, b"x");
    timeline.finish(Duration::ZERO);
    assert_eq!(timeline.held()[1], ms(0));
    assert_eq!(timeline.held()[0], timeline.total());
    assert_eq!(timeline.shares(3), [[1.0, 0.0]; 3]);
}
