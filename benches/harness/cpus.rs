//! On how many CPUs everything is that is measured.

use anyhow::{Context, Result};
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum Cpus {
    #[serde(rename = "one-cpu")]
    One,
    #[serde(rename = "two-cpus")]
    Two,
}

impl Cpus {
    pub(crate) const ALL: [Cpus; 2] = [Cpus::One, Cpus::Two];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Cpus::One => "one CPU",
            Cpus::Two => "two CPUs",
        }
    }

    /// The first of those that may be used.
    pub(crate) fn of(self, usable: &[usize]) -> Result<&[usize]> {
        let wanted = match self {
            Cpus::One => 1,
            Cpus::Two => 2,
        };
        let found = usable.get(..wanted);
        found.with_context(|| format!("there are fewer than {wanted} CPUs here"))
    }
}
