//! Row 8: both programs wait.

use super::*;

#[test]
fn row_8_deadlock() {
    use DeadlockPolicy::{Contestant, Interactor, WrongAnswer};
    for (unflushed, blamed, expected) in [
        (
            None,
            Contestant,
            "8 IL: deadlock: each program waits for the other to print something; nothing was found that either held back, and then the contestant answers for it",
        ),
        (
            None,
            Interactor,
            "8 JE: deadlock: each program waits for the other to print something; in this problem that is the interactor's fault",
        ),
        (
            None,
            WrongAnswer,
            "8 WA: deadlock: each program waits for the other to print something; in this problem that counts as a wrong answer",
        ),
        (
            Some(Role::Contestant),
            Contestant,
            "8 IL: deadlock: each program waits for the other to print something; the contestant holds 5 bytes in stdout that it never flushed, `? 50\\n`",
        ),
        (
            Some(Role::Contestant),
            Interactor,
            "8 IL: deadlock: each program waits for the other to print something; the contestant holds 5 bytes in stdout that it never flushed, `? 50\\n`",
        ),
        (
            Some(Role::Contestant),
            WrongAnswer,
            "8 IL: deadlock: each program waits for the other to print something; the contestant holds 5 bytes in stdout that it never flushed, `? 50\\n`",
        ),
        (
            Some(Role::Interactor),
            Contestant,
            "8 JE: deadlock: each program waits for the other to print something; the interactor holds 5 bytes in stdout that it never flushed, `? 50\\n`; that is the jury's fault",
        ),
        (
            Some(Role::Interactor),
            Interactor,
            "8 JE: deadlock: each program waits for the other to print something; the interactor holds 5 bytes in stdout that it never flushed, `? 50\\n`; that is the jury's fault",
        ),
        (
            Some(Role::Interactor),
            WrongAnswer,
            "8 JE: deadlock: each program waits for the other to print something; the interactor holds 5 bytes in stdout that it never flushed, `? 50\\n`; that is the jury's fault",
        ),
    ] {
        let policy = policy(blamed, ExtraOutput::Ignore);
        assert_eq!(
            told(&deadlock(unflushed), &policy),
            expected,
            "{unflushed:?}, {blamed:?}"
        );
    }
    let mut evidence = deadlock(None);
    evidence.unflushed = vec![unflushed(Role::Contestant, Found::AtTheEnd)];
    assert_eq!(
        told(&evidence, &policy(Contestant, ExtraOutput::Ignore)),
        "8 IL: deadlock: each program waits for the other to print something; nothing was found that either held back, and then the contestant answers for it; when it was then given end of input, the contestant wrote 5 bytes, `? 50\\n`, which it had held back or only wrote then"
    );
}
