//! Quartiles and percentiles. Medians and quartiles rather than means: one interrupted run must not move a figure.

use serde::Serialize;

/// The middle half of a sample.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Spread {
    pub(crate) lower: f64,
    pub(crate) median: f64,
    pub(crate) upper: f64,
}

impl Spread {
    /// `None` for an empty sample. Between two values the quantile is interpolated.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let sorted = sorted(values)?;
        Some(Self {
            lower: quantile(&sorted, 0.25),
            median: quantile(&sorted, 0.5),
            upper: quantile(&sorted, 0.75),
        })
    }
}

/// The upper half of a sample, for what must not be slow even once in a while.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Tail {
    pub(crate) p50: f64,
    pub(crate) p90: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) most: f64,
}

impl Tail {
    /// `None` for an empty sample.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let sorted = sorted(values)?;
        Some(Self {
            p50: quantile(&sorted, 0.5),
            p90: quantile(&sorted, 0.9),
            p95: quantile(&sorted, 0.95),
            p99: quantile(&sorted, 0.99),
            most: quantile(&sorted, 1.0),
        })
    }
}

/// The values in order; `None` if there are none.
fn sorted(values: impl IntoIterator<Item = f64>) -> Option<Vec<f64>> {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    (!sorted.is_empty()).then_some(sorted)
}

/// Of values in order. Between two of them it is interpolated.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = part * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * place.fract()
}

/// Median, then lower and upper quartile.
impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Spread {
            lower,
            median,
            upper,
        } = self;
        f.pad(&format!("{median:.2} ({lower:.2} to {upper:.2})"))
    }
}

/// A spread in a table, where there may be none.
pub(crate) fn shown(spread: Option<Spread>) -> String {
    spread.map_or_else(|| "-".to_owned(), |spread| spread.to_string())
}
