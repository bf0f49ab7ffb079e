//! Whose turn it is, for one participant: how long it acted and how long it waited for its peer.
//!
//! Nobody looks at a participant while data flows, so what it did between two messages is worked
//! out afterwards. After it has written something it is *presumed* to wait: if the next thing that
//! happens to it is a delivery, it did; if it writes again first, or a look shows it busy, it did
//! not. Times are since the start of the session; this module knows no clock.

use std::time::Duration;

/// What a look showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It asks for input that is not there: it waits for its peer.
    Asking,
    /// It runs.
    Running,
    /// It neither runs nor asks.
    Resting,
}

/// The account of one participant.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turns {
    /// The sum of its completed turns.
    past: Duration,
    /// When the present turn began; `None` while it waits.
    since: Option<Duration>,
    /// When it last wrote, if nothing happened to it since.
    presumed: Option<Duration>,
    /// Since when it has been resting on its own turn.
    resting: Option<Duration>,
    longest_rest: Duration,
    /// It has ended. What it wrote is still delivered then, but nothing is its turn any more.
    over: bool,
}

impl Turns {
    /// It is started at this moment.
    pub(crate) fn starting(at: Duration) -> Self {
        Turns {
            since: Some(at),
            ..Turns::default()
        }
    }

    /// Something was delivered to it.
    pub(crate) fn received(&mut self, at: Duration) {
        if self.over {
            return;
        }
        if let Some(wrote) = self.presumed.take() {
            self.close(wrote);
        }
        self.since.get_or_insert(at);
        self.rest_ends(at);
    }

    /// It wrote something.
    pub(crate) fn wrote(&mut self, at: Duration) {
        if self.over {
            return;
        }
        self.since.get_or_insert(at);
        self.presumed = Some(at);
        self.rest_ends(at);
    }

    /// A look at it.
    pub(crate) fn looked(&mut self, at: Duration, seen: Seen) {
        if self.over {
            return;
        }
        let wrote = self.presumed.take();
        match seen {
            Seen::Asking => {
                self.close(wrote.unwrap_or(at));
                self.rest_ends(at);
            }
            Seen::Running => {
                self.since.get_or_insert(at);
                self.rest_ends(at);
            }
            Seen::Resting => {
                self.since.get_or_insert(at);
                self.resting.get_or_insert(at);
                self.longest_rest = self.longest_rest.max(self.rest(at));
            }
        }
    }

    /// It has ended.
    pub(crate) fn ended(&mut self, at: Duration) {
        self.presumed = None;
        self.close(at);
        self.rest_ends(at);
        self.over = true;
    }

    fn close(&mut self, at: Duration) {
        if let Some(since) = self.since.take() {
            self.past += at.saturating_sub(since);
        }
    }

    fn rest_ends(&mut self, at: Duration) {
        self.longest_rest = self.longest_rest.max(self.rest(at));
        self.resting = None;
    }

    /// True if it is its turn, as far as is known.
    pub(crate) fn is_acting(&self) -> bool {
        self.since.is_some()
    }

    /// The sum of its turns up to now.
    pub(crate) fn total(&self, at: Duration) -> Duration {
        let until = self.presumed.unwrap_or(at);
        let present = self
            .since
            .map_or(Duration::ZERO, |since| until.saturating_sub(since));
        self.past + present
    }

    /// For how long it has been resting without interruption.
    pub(crate) fn rest(&self, at: Duration) -> Duration {
        self.resting
            .map_or(Duration::ZERO, |since| at.saturating_sub(since))
    }

    /// The longest rest so far.
    pub(crate) fn longest_rest(&self) -> Duration {
        self.longest_rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn waiting_for_a_reply_is_not_its_turn() {
        let mut turns = Turns::starting(ms(0));
        turns.wrote(ms(10));
        turns.received(ms(500));
        turns.wrote(ms(520));
        assert_eq!(turns.total(ms(900)), ms(30));
    }

    #[test]
    fn what_was_presumed_is_corrected_by_the_next_output() {
        let mut turns = Turns::starting(ms(0));
        turns.wrote(ms(10));
        turns.wrote(ms(400));
        assert_eq!(turns.total(ms(400)), ms(400));
    }

    #[test]
    fn what_was_presumed_is_corrected_by_a_look() {
        let mut turns = Turns::starting(ms(0));
        turns.wrote(ms(10));
        turns.looked(ms(20), Seen::Running);
        assert_eq!(turns.total(ms(100)), ms(100));
        turns.looked(ms(100), Seen::Asking);
        assert!(!turns.is_acting());
        assert_eq!(turns.total(ms(900)), ms(100));
    }

    #[test]
    fn asking_is_dated_back_to_the_last_output() {
        let mut turns = Turns::starting(ms(0));
        turns.wrote(ms(10));
        turns.looked(ms(12), Seen::Asking);
        assert_eq!(turns.total(ms(50)), ms(10));
        turns.received(ms(60));
        assert_eq!(turns.total(ms(75)), ms(25));
    }

    #[test]
    fn rest_is_counted_only_without_interruption() {
        let mut turns = Turns::starting(ms(0));
        turns.looked(ms(10), Seen::Resting);
        turns.looked(ms(110), Seen::Resting);
        assert_eq!(turns.rest(ms(110)), ms(100));
        turns.looked(ms(120), Seen::Running);
        assert_eq!(turns.rest(ms(120)), ms(0));
        turns.looked(ms(130), Seen::Resting);
        assert_eq!(turns.rest(ms(150)), ms(20));
        assert_eq!(turns.longest_rest(), ms(110));
    }

    #[test]
    fn output_that_is_delivered_after_the_end_is_not_its_turn() {
        let mut turns = Turns::starting(ms(0));
        turns.wrote(ms(5));
        turns.ended(ms(10));
        turns.wrote(ms(20));
        turns.received(ms(30));
        turns.wrote(ms(500));
        assert_eq!(turns.total(ms(500)), ms(10));
        assert!(!turns.is_acting());
    }

    #[test]
    fn asking_is_no_rest() {
        let mut turns = Turns::starting(ms(0));
        turns.looked(ms(10), Seen::Resting);
        turns.looked(ms(20), Seen::Asking);
        assert_eq!(turns.rest(ms(900)), ms(0));
    }
}
