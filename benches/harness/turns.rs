//! In which order several subjects are measured, round by round.

/// The order of one round. Each round begins with another subject, and every other one goes
/// backwards, so that whatever drifts meanwhile falls on all of them alike.
pub(crate) fn order(round: usize, subjects: usize) -> impl Iterator<Item = usize> {
    (0..subjects).map(move |turn| {
        let turn = match round % 2 {
            0 => turn,
            _ => subjects - 1 - turn,
        };
        (turn + round) % subjects
    })
}
