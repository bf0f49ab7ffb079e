use super::*;
use crate::evidence::{LimitKind, Role};

fn limits() -> Limits {
    Limits {
        cpu: Duration::from_secs(1),
        wall: Duration::from_secs(5),
        idle: Duration::from_secs(2),
        memory: 1000,
        output: 100,
        ..Limits::default_for(Role::Contestant)
    }
}

fn exceeded(sample: &Sample) -> Vec<LimitKind> {
    all(&limits())
        .iter()
        .filter_map(|watch| watch.check(sample))
        .map(|e| e.limit)
        .collect()
}

#[test]
fn a_limit_is_exceeded_when_more_is_used_not_when_all_is() {
    let full = Sample {
        cpu: Duration::from_secs(1),
        turn: Duration::from_secs(5),
        rest: Duration::from_secs(2),
        memory: 1000,
        output: 100,
        ..Sample::default()
    };
    assert_eq!(exceeded(&full), []);
    let tick = Duration::from_nanos(1);
    let cases = [
        (
            Sample {
                cpu: full.cpu + tick,
                ..full
            },
            LimitKind::Cpu,
        ),
        (
            Sample {
                turn: full.turn + tick,
                ..full
            },
            LimitKind::Wall,
        ),
        (
            Sample {
                rest: full.rest + tick,
                ..full
            },
            LimitKind::Idle,
        ),
        (
            Sample {
                memory: 1001,
                ..full
            },
            LimitKind::Memory,
        ),
        (
            Sample {
                output: 101,
                ..full
            },
            LimitKind::Output,
        ),
    ];
    for (sample, limit) in cases {
        assert_eq!(exceeded(&sample), [limit]);
    }
}

fn next(sample: &Sample) -> Duration {
    all(&limits())
        .iter()
        .filter_map(|w| w.earliest(sample))
        .min()
        .expect("cpu always has one")
}

#[test]
fn the_next_check_is_at_the_earliest_moment_and_not_before() {
    let held = Sample {
        memory_is_held: true,
        parallel: 1,
        acting: true,
        ..Sample::default()
    };
    let after = |ms| Duration::from_millis(ms) + Duration::from_micros(200);
    assert_eq!(next(&held), after(1000));
    assert_eq!(
        next(&Sample {
            parallel: 4,
            ..held
        }),
        after(250)
    );
    assert_eq!(
        next(&Sample {
            cpu: Duration::from_millis(900),
            ..held
        }),
        after(100)
    );
    // Never so often that the questions keep the program from its CPU.
    assert_eq!(
        next(&Sample {
            cpu: Duration::from_micros(999_990),
            ..held
        }),
        Duration::from_millis(2)
    );
    assert_eq!(
        next(&Sample {
            turn: Duration::from_millis(4990),
            ..held
        }),
        after(10)
    );
    assert_eq!(
        next(&Sample {
            rest: Duration::from_millis(1990),
            ..held
        }),
        after(10)
    );
    assert_eq!(
        next(&Sample {
            memory_is_held: false,
            ..held
        }),
        Duration::from_millis(5)
    );
}
