//! Whose turn it is, for one participant: how long it computed, asked, was idle or stopped.
//!
//! Nobody looks at a participant while data flows, so what it did between two messages is worked
//! out afterwards. After it has written something it is *presumed* to ask: if the next thing that
//! happens to it is a delivery, it did; if it writes again first, or a look shows it busy, it did
//! not. Times are since the start of the session; this module knows no clock.
//!
//! At any moment it is in exactly one [`State`], so the times of all add up to its lifetime. Its
//! turn is whatever is not asking.

use std::time::Duration;

use crate::outcome::States;

/// What a participant does at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It runs, or could run.
    Computing,
    /// It asks for input that is not there: it waits for its peer.
    Asking,
    /// It neither runs nor asks: it sleeps, or waits for something else.
    Idle,
    /// It is in a group-stop (SIGSTOP and the like).
    Stopped,
}

/// The account of one participant.
#[derive(Debug, Clone)]
pub(crate) struct Turns {
    /// Time in each state that is over.
    past: States,
    /// The present state, and since when; `None` once it has ended. What it wrote is still
    /// delivered then, but nothing is its turn any more.
    present: Option<(State, Duration)>,
    /// When it last wrote, if nothing happened to it since.
    presumed: Option<Duration>,
    /// Since when it has been idle or stopped without interruption.
    resting: Option<Duration>,
    longest_rest: Duration,
}

impl Turns {
    /// It is started at this moment.
    pub(crate) fn starting(at: Duration) -> Self {
        Turns {
            past: States::default(),
            present: Some((State::Computing, at)),
            presumed: None,
            resting: None,
            longest_rest: Duration::ZERO,
        }
    }

    /// Something was delivered to it.
    pub(crate) fn received(&mut self, at: Duration) {
        if let Some(wrote) = self.presumed.take() {
            self.enter(State::Asking, wrote);
        }
        self.enter(State::Computing, at);
    }

    /// It wrote something.
    pub(crate) fn wrote(&mut self, at: Duration) {
        self.enter(State::Computing, at);
        self.presumed = Some(at);
    }

    /// A look at it.
    pub(crate) fn looked(&mut self, at: Duration, state: State) {
        let wrote = self.presumed.take();
        let since = match state {
            // It has asked since it wrote.
            State::Asking => wrote.unwrap_or(at),
            _ => at,
        };
        self.enter(state, since);
        self.longest_rest = self.longest_rest.max(self.rest(at));
    }

    /// It has ended.
    pub(crate) fn ended(&mut self, at: Duration) {
        self.presumed = None;
        self.longest_rest = self.longest_rest.max(self.rest(at));
        self.resting = None;
        self.past = self.states(at);
        self.present = None;
    }

    fn enter(&mut self, state: State, at: Duration) {
        let Some((before, since)) = self.present else {
            return;
        };
        let rests = matches!(state, State::Idle | State::Stopped);
        if rests {
            self.resting.get_or_insert(at);
        } else {
            self.longest_rest = self.longest_rest.max(self.rest(at));
            self.resting = None;
        }
        if state != before {
            *self.past.of(before) += at.saturating_sub(since);
            self.present = Some((state, at.max(since)));
        }
    }

    /// True if it is its turn, as far as is known.
    pub(crate) fn is_acting(&self) -> bool {
        self.present
            .is_some_and(|(state, _)| state != State::Asking)
    }

    /// True if it was asking when it was last looked at, and nothing has happened to it since.
    pub(crate) fn is_asking(&self) -> bool {
        self.present
            .is_some_and(|(state, _)| state == State::Asking)
    }

    /// The sum of its turns up to now.
    pub(crate) fn total(&self, at: Duration) -> Duration {
        let states = self.states(at);
        states.computing + states.idle + states.stopped
    }

    /// The time in each state up to now.
    pub(crate) fn states(&self, at: Duration) -> States {
        let mut states = self.past.clone();
        if let Some((state, since)) = self.present {
            let until = self.presumed.unwrap_or(at);
            *states.of(state) += until.saturating_sub(since);
            states.asking += at.saturating_sub(until);
        }
        states
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

impl States {
    fn of(&mut self, state: State) -> &mut Duration {
        match state {
            State::Computing => &mut self.computing,
            State::Asking => &mut self.asking,
            State::Idle => &mut self.idle,
            State::Stopped => &mut self.stopped,
        }
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
        turns.looked(ms(20), State::Computing);
        assert_eq!(turns.total(ms(100)), ms(100));
        turns.looked(ms(100), State::Asking);
        assert!(!turns.is_acting());
        assert_eq!(turns.total(ms(900)), ms(100));
    }

    #[test]
    fn asking_is_dated_back_to_the_last_output() {
        let mut turns = Turns::starting(ms(0));
        turns.wrote(ms(10));
        turns.looked(ms(12), State::Asking);
        assert_eq!(turns.total(ms(50)), ms(10));
        turns.received(ms(60));
        assert_eq!(turns.total(ms(75)), ms(25));
    }

    #[test]
    fn rest_is_counted_only_without_interruption() {
        let mut turns = Turns::starting(ms(0));
        turns.looked(ms(10), State::Idle);
        turns.looked(ms(110), State::Idle);
        assert_eq!(turns.rest(ms(110)), ms(100));
        turns.looked(ms(120), State::Computing);
        assert_eq!(turns.rest(ms(120)), ms(0));
        turns.looked(ms(130), State::Idle);
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
        turns.looked(ms(10), State::Idle);
        turns.looked(ms(20), State::Asking);
        assert_eq!(turns.rest(ms(900)), ms(0));
    }

    #[test]
    fn the_states_add_up_to_the_lifetime() {
        let mut turns = Turns::starting(ms(0));
        turns.wrote(ms(10));
        turns.received(ms(30));
        turns.looked(ms(35), State::Idle);
        turns.looked(ms(50), State::Stopped);
        turns.looked(ms(55), State::Idle);
        turns.wrote(ms(60));
        turns.looked(ms(70), State::Asking);
        assert_eq!(
            turns.states(ms(100)),
            States {
                computing: ms(15),
                asking: ms(60),
                idle: ms(20),
                stopped: ms(5),
            }
        );
        assert_eq!(turns.longest_rest(), ms(25));
        turns.ended(ms(100));
        let states = turns.states(ms(500));
        let sum = states.computing + states.asking + states.idle + states.stopped;
        assert_eq!(sum, ms(100));
    }
}
