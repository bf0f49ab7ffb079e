//! The outcome for a person at a terminal.
