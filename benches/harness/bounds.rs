//! Figures that must not be exceeded.

use std::fmt;

use serde::Serialize;

/// A figure and the most that it may be.
#[derive(Debug, Serialize)]
pub(crate) struct Bound {
    pub(crate) what: &'static str,
    pub(crate) unit: &'static str,
    /// `None` if it could not be measured, which is no success either.
    pub(crate) measured: Option<f64>,
    pub(crate) at_most: f64,
}

impl Bound {
    pub(crate) fn holds(&self) -> bool {
        self.measured.is_some_and(|value| value <= self.at_most)
    }
}

/// One line of a table.
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let measured = self
            .measured
            .map_or_else(|| "not measured".to_owned(), |value| format!("{value:.2}"));
        let judged = match self.measured {
            None => "MISSING",
            Some(_) if self.holds() => "ok",
            Some(_) => "TOO MUCH",
        };
        write!(
            f,
            "{:<32} {measured:>12} {:<10} at most {:>4.1}   {judged}",
            self.what, self.unit, self.at_most
        )
    }
}
