//! The conventions by which an interactor is started and says what it decided.

/// How an interactor is started and how its ending is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// `interactor INPUT OUTPUT [ANSWER]`; exit codes and first words of stderr as in testlib.h.
    #[default]
    Testlib,
    /// `interactor INPUT ANSWER FEEDBACK_DIR [args]`; 42 accepted, 43 wrong answer.
    Icpc,
}
