//! When a wait ends if nobody ends it.

use std::time::Duration;

/// When waits end by themselves, if nobody else ends them: the latest of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ends {
    /// At most this long after they began, of which nobody knows when that was.
    pub span: Duration,
    /// This long from now.
    pub from_now: Duration,
    /// At any time: it is in something that is not known here.
    pub unknown: bool,
}

/// What is over already is about to be noticed, and is not the same as never.
pub(super) const SOON: Duration = Duration::from_nanos(1);

impl Ends {
    /// Only another task, a signal or we can end it.
    pub const NEVER: Ends = Ends {
        span: Duration::ZERO,
        from_now: Duration::ZERO,
        unknown: false,
    };
    pub(super) const UNKNOWN: Ends = Ends {
        unknown: true,
        ..Ends::NEVER
    };

    pub(super) fn within(span: Duration) -> Ends {
        Ends {
            span: span.max(SOON),
            ..Ends::NEVER
        }
    }

    /// The same, of a wait that has lasted for `age` already.
    pub(super) fn after(self, age: Duration) -> Ends {
        match self.span {
            Duration::ZERO => self,
            span => Ends {
                span: Duration::ZERO,
                from_now: self.from_now.max(span.saturating_sub(age)).max(SOON),
                ..self
            },
        }
    }

    /// What comes only after this time counts as never. That is asked of each wait by itself: a
    /// long one must not stand for a short one beside it.
    pub(super) fn within_reach(self, reach: Duration) -> Ends {
        let reached = |time: Duration| Some(time).filter(|time| *time < reach).unwrap_or_default();
        Ends {
            span: reached(self.span),
            from_now: reached(self.from_now),
            unknown: self.unknown,
        }
    }

    pub(super) fn later(self, other: Ends) -> Ends {
        Ends {
            span: self.span.max(other.span),
            from_now: self.from_now.max(other.from_now),
            unknown: self.unknown || other.unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_waits_the_latest_within_reach_counts() {
        let (one, two) = (Duration::from_secs(1), Duration::from_secs(2));
        let now = Ends {
            from_now: SOON,
            ..Ends::NEVER
        };
        let both = Ends::within(two).later(now).later(Ends::within(one));
        assert_eq!((both.span, both.from_now), (two, SOON));
        assert_eq!(Ends::within(two).within_reach(two), Ends::NEVER);
        assert_eq!(both.within_reach(two + one), both);
    }

    #[test]
    fn a_long_wait_that_is_nearly_over_is_within_reach() {
        let (one, two) = (Duration::from_secs(1), Duration::from_secs(2));
        let nearly = Ends::within(two + one).after(two);
        assert_eq!((nearly.span, nearly.from_now), (Duration::ZERO, one));
        assert_eq!(nearly.within_reach(two), nearly);
        assert_eq!(Ends::within(one).after(two).from_now, SOON);
        assert_eq!(Ends::NEVER.after(two), Ends::NEVER);
    }
}
