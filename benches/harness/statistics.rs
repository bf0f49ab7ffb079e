//! Quartiles. Medians and quartiles rather than means: one interrupted run must not move a figure.

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
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let quantile = |part: f64| {
            let place = part * last as f64;
            let below = place.floor() as usize;
            let above = (below + 1).min(last);
            sorted[below] + (sorted[above] - sorted[below]) * place.fract()
        };
        Some(Self {
            lower: quantile(0.25),
            median: quantile(0.5),
            upper: quantile(0.75),
        })
    }
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
