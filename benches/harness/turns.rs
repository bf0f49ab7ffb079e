//! In which order several subjects are measured, round by round.

use anyhow::Result;

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

/// A measurement of a row, and one of what it is compared with directly before or after it, by
/// turns, so that neither always has the warmer machine.
pub(crate) fn beside<T>(
    repetition: usize,
    row: impl FnOnce() -> Result<T>,
    reference: impl FnOnce() -> Result<T>,
) -> Result<(T, T)> {
    match repetition % 2 {
        0 => {
            let reference = reference()?;
            Ok((row()?, reference))
        }
        _ => Ok((row()?, reference()?)),
    }
}
