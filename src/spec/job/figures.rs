//! Limits as numbers, with the names that they have in reports.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::evidence::Role;
use crate::spec::limits::Limits;
use crate::transcript::figure::Figure;

/// The limits of one participant; what is left out has its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with limits")]
pub(super) struct LimitsOrder {
    #[serde(default)]
    cpu_ms: Option<Figure>,
    #[serde(default)]
    wall_ms: Option<Figure>,
    #[serde(default)]
    idle_ms: Option<Figure>,
    #[serde(default)]
    memory_kib: Option<Figure>,
    #[serde(default)]
    address_space_kib: Option<Figure>,
    #[serde(default)]
    output_bytes: Option<u64>,
    #[serde(default)]
    tasks: Option<u32>,
    #[serde(default)]
    stack_kib: Option<Figure>,
}

impl LimitsOrder {
    pub(super) fn of(limits: &Limits) -> Self {
        LimitsOrder {
            cpu_ms: Some(milliseconds(limits.cpu)),
            wall_ms: Some(milliseconds(limits.wall)),
            idle_ms: Some(milliseconds(limits.idle)),
            memory_kib: Some(Figure::kibibytes(limits.memory)),
            address_space_kib: limits.address_space.map(Figure::kibibytes),
            output_bytes: Some(limits.output),
            tasks: Some(limits.tasks),
            stack_kib: limits.stack.map(Figure::kibibytes),
        }
    }

    /// These limits, the rest as a role has them by default.
    pub(super) fn over(&self, role: Role) -> Result<Limits> {
        let default = Limits::default_for(role);
        let span = |name, figure: Option<Figure>, default| {
            figure.map_or(Ok(default), |figure| time(name, figure))
        };
        let size = |name, figure: Option<Figure>| figure.map(|figure| bytes(name, figure));
        let memory = size("memory_kib", self.memory_kib).transpose()?;
        let whole = |name, number: Option<u64>, default| match number {
            Some(0) => Err(Error::usage(format!("{name} is 0: write at least 1"))),
            number => Ok(number.unwrap_or(default)),
        };
        let tasks = whole("tasks", self.tasks.map(u64::from), default.tasks.into())?;
        Ok(Limits {
            cpu: span("cpu_ms", self.cpu_ms, default.cpu)?,
            wall: span("wall_ms", self.wall_ms, default.wall)?,
            idle: span("idle_ms", self.idle_ms, default.idle)?,
            memory: memory.unwrap_or(default.memory),
            address_space: size("address_space_kib", self.address_space_kib).transpose()?,
            output: whole("output_bytes", self.output_bytes, default.output)?,
            tasks: u32::try_from(tasks).unwrap_or(u32::MAX),
            stack: size("stack_kib", self.stack_kib).transpose()?,
        })
    }
}

/// A time as a figure that [`time`] reads back.
pub(super) fn milliseconds(time: Duration) -> Figure {
    Figure::milliseconds(time)
}

/// A time of so many milliseconds.
pub(super) fn time(name: &str, figure: Figure) -> Result<Duration> {
    /// A year, far from any overflow of a deadline.
    const LONGEST: f64 = 365.0 * 24.0 * 3600.0 * 1000.0;
    let milliseconds = figure.value();
    if !(0.001..=LONGEST).contains(&milliseconds) {
        return Err(Error::usage(format!(
            "{name} is {}: write milliseconds above 0, and not more than a year",
            shown(milliseconds)
        )));
    }
    Ok(Duration::from_nanos((milliseconds * 1e6).round() as u64))
}

/// A size of so many KiB.
fn bytes(name: &str, figure: Figure) -> Result<u64> {
    /// 1 EiB, which every kernel interface can still hold.
    const LARGEST: f64 = (1_u64 << 50) as f64;
    let kibibytes = figure.value();
    if !(0.001..=LARGEST).contains(&kibibytes) {
        return Err(Error::usage(format!(
            "{name} is {}: write KiB above 0, and not more than 1 EiB",
            shown(kibibytes)
        )));
    }
    Ok((kibibytes * 1024.0).round() as u64)
}

/// A number as it may have been written.
fn shown(number: f64) -> String {
    format!("{number:?}").trim_end_matches(".0").to_owned()
}
