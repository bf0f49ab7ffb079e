//! Who held the turn, and for how long, over a whole session in a fixed amount of memory.
//!
//! The turn is held by the side that owes the next message. Which side that was is certain once the
//! message has come: the time before a message belongs to whoever said it. After the last message
//! it belongs to the side that was given it, until that side ends; then to the other one. So all
//! the time of a session in which anything was said is held by exactly one side.
//!
//! Time is kept in [`COLUMNS`] columns of equal width. When a session outgrows them, each pair
//! becomes one and the columns are twice as wide. A message costs a few comparisons and additions;
//! this module knows no clock and allocates nothing after the beginning.

use std::time::Duration;

use crate::evidence::Role;

/// How many columns there are. At least half of them are in use in all but the shortest sessions,
/// so a picture of a hundred columns has two or more for each of its own.
pub const COLUMNS: usize = 512;

/// How wide a column is at first, in nanoseconds.
const FIRST_WIDTH: u64 = 1000;

/// The longest session that is counted right, in nanoseconds: a century, which only a file claims.
const LONGEST: u64 = 1 << 61;

/// How many of the longest turns are remembered.
const REMEMBERED: usize = 3;

/// An account of turns, which grows with each message.
#[derive(Debug, Clone)]
pub struct Timeline {
    /// Nanoseconds for which the contestant and the interactor held the turn in each column.
    columns: Box<[[u64; 2]; COLUMNS]>,
    /// Nanoseconds that a column stands for.
    width: u64,
    /// The column that holds `since`, and where it ends.
    column: usize,
    column_end: u64,
    /// Up to this moment it is known who held the turn.
    since: u64,
    /// The side that owes the next message; `None` before the first one.
    owes: Option<Role>,
    /// Which sides have ended.
    ended: [bool; 2],
    /// The turn that `since` belongs to.
    turn: Option<Turn>,
    /// The longest turns that are over, longest first, and the length of the last of them in
    /// nanoseconds; 0 while there is room.
    shortest: u64,
    longest: [Option<Turn>; REMEMBERED],
}

/// A stretch of time in which one side held the turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The side that held it.
    pub side: Role,
    /// When it began and when it was over, in nanoseconds.
    from: u64,
    until: u64,
    /// How many messages the side said in it; with none, the turn is one that led to nothing.
    pub messages: u64,
    /// What was said after the longest silence in it.
    pub said: Excerpt,
    /// Nobody was there any more to hold it longer.
    pub ended: bool,
    /// The longest silence in it, in nanoseconds.
    silence: u64,
}

impl Turn {
    fn begin(side: Role, at: u64) -> Turn {
        Turn {
            side,
            from: at,
            until: at,
            messages: 0,
            said: Excerpt::default(),
            ended: false,
            silence: 0,
        }
    }

    /// When it began.
    pub fn from(&self) -> Duration {
        Duration::from_nanos(self.from)
    }

    /// When it was over.
    pub fn until(&self) -> Duration {
        Duration::from_nanos(self.until)
    }

    /// How long it was.
    pub fn length(&self) -> Duration {
        self.until() - self.from()
    }

    fn nanos(&self) -> u64 {
        self.until - self.from
    }
}

/// The beginning of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excerpt {
    bytes: [u8; Excerpt::MOST],
    kept: u8,
    /// True if the message goes on.
    pub cut: bool,
}

impl Excerpt {
    /// How many bytes are kept.
    pub const MOST: usize = 24;

    fn of(message: &[u8]) -> Excerpt {
        let kept = message.len().min(Excerpt::MOST);
        let mut bytes = [0; Excerpt::MOST];
        bytes[..kept].copy_from_slice(&message[..kept]);
        Excerpt {
            bytes,
            kept: kept as u8,
            cut: message.len() > kept,
        }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.kept)]
    }
}

impl Default for Timeline {
    fn default() -> Self {
        Timeline {
            columns: Box::new([[0; 2]; COLUMNS]),
            width: FIRST_WIDTH,
            column: 0,
            column_end: FIRST_WIDTH,
            since: 0,
            owes: None,
            ended: [false; 2],
            turn: None,
            shortest: 0,
            longest: [const { None }; REMEMBERED],
        }
    }
}

impl Timeline {
    /// A message was delivered. Times are since the start of the session and never decrease; one
    /// that does counts as no time at all.
    pub fn message(&mut self, at: Duration, from: Role, bytes: &[u8]) {
        let at = nanos(at).max(self.since);
        let silence = at - self.since;
        // Only the longest turns are told in words, and the longest silence in one of them is
        // more than a small part of it, unless it is a long recital.
        let quoted = silence >= self.shortest / 16;
        let turn = self.hold(from, at);
        turn.messages += 1;
        if quoted && silence >= turn.silence {
            turn.silence = silence;
            turn.said = Excerpt::of(bytes);
        }
        let peer = from.peer();
        self.owes = Some(if self.ended[index(peer)] { from } else { peer });
    }

    /// A side has ended, and everything that it said was delivered.
    pub fn ended(&mut self, at: Duration, side: Role) {
        let was_last = self.ended[index(side.peer())];
        if !std::mem::replace(&mut self.ended[index(side)], true) && self.owes == Some(side) {
            // Whatever it said was before.
            self.close();
            self.hold(side, nanos(at).max(self.since)).ended = true;
            if !was_last {
                self.owes = Some(side.peer());
            }
        }
    }

    /// The session is over: the rest is held by whoever owes the next message.
    pub fn finish(&mut self, at: Duration) {
        if let Some(side) = self.owes {
            self.close();
            self.hold(side, nanos(at).max(self.since));
            self.close();
        }
    }

    /// How long each side held the turn: the contestant, the interactor.
    pub fn held(&self) -> [Duration; 2] {
        [0, 1].map(|side| Duration::from_nanos(self.columns.iter().map(|held| held[side]).sum()))
    }

    /// The time that is accounted for: [`held`](Timeline::held) by the one or the other.
    pub fn total(&self) -> Duration {
        Duration::from_nanos(self.since)
    }

    /// The longest turns, longest first; complete after [`finish`](Timeline::finish).
    pub fn longest(&self) -> impl Iterator<Item = &Turn> {
        self.longest.iter().flatten()
    }

    /// The shares of each of `count` equal parts of the time that the contestant and the interactor
    /// held, from 0 to 1. A share is 0 only if there was none at all.
    pub fn shares(&self, count: usize) -> Vec<[f64; 2]> {
        let total = u128::from(self.since);
        // In units of which a part has as many as the session has nanoseconds.
        let parts = count as u128;
        let width = u128::from(self.width) * parts;
        let share = |part: u128, side: usize| {
            let (from, until) = (part * total, (part + 1) * total);
            let first = (from / width.max(1)) as usize;
            let columns = self.columns.iter().enumerate().skip(first);
            let mut held = 0.0;
            for (number, column) in columns {
                let begins = number as u128 * width;
                if begins >= until {
                    break;
                }
                // The last column goes no further than the session.
                let ends = (begins + width).min(total * parts);
                let common = ends.min(until).saturating_sub(begins.max(from));
                if common > 0 && column[side] > 0 {
                    held += column[side] as f64 * (common as f64 / (ends - begins) as f64);
                }
            }
            (held * parts as f64 / total as f64).min(1.0)
        };
        match total {
            0 => vec![[0.0; 2]; count],
            _ => (0..parts)
                .map(|part| [0, 1].map(|side| share(part, side)))
                .collect(),
        }
    }

    /// The side held the turn up to this moment; returns that turn.
    fn hold(&mut self, side: Role, at: u64) -> &mut Turn {
        let since = self.since;
        match at <= self.column_end {
            true => self.columns[self.column][index(side)] += at - since,
            false => self.spread(index(side), at),
        }
        self.since = at;
        if self.turn.as_ref().is_some_and(|turn| turn.side != side) {
            self.close();
        }
        let turn = (self.turn).get_or_insert_with(|| Turn::begin(side, since));
        turn.until = at;
        turn
    }

    /// The time up to this moment, over as many columns as it takes.
    fn spread(&mut self, side: usize, at: u64) {
        while at > self.width * COLUMNS as u64 {
            self.coarsen();
        }
        let mut from = self.since;
        let last = ((at - 1) / self.width) as usize;
        for column in (from / self.width) as usize..=last {
            let until = at.min((column as u64 + 1) * self.width);
            self.columns[column][side] += until - from;
            from = until;
        }
        self.column = last;
        self.column_end = (last as u64 + 1) * self.width;
    }

    fn coarsen(&mut self) {
        for column in 0..COLUMNS / 2 {
            let [a, b] = [self.columns[2 * column], self.columns[2 * column + 1]];
            self.columns[column] = [a[0] + b[0], a[1] + b[1]];
        }
        self.columns[COLUMNS / 2..].fill([0; 2]);
        self.width *= 2;
    }

    /// The turn that goes on is over.
    fn close(&mut self) {
        if let Some(turn) = &self.turn
            && turn.nanos() > self.shortest
        {
            let turn = Some(turn.clone());
            self.remember(turn);
        }
        self.turn = None;
    }

    /// Keeps a turn that is longer than the shortest of the longest.
    #[cold]
    fn remember(&mut self, turn: Option<Turn>) {
        let length = |turn: &Option<Turn>| turn.as_ref().map_or(0, Turn::nanos);
        let mut place = REMEMBERED - 1;
        self.longest[place] = turn;
        while place > 0 && length(&self.longest[place]) > length(&self.longest[place - 1]) {
            self.longest.swap(place, place - 1);
            place -= 1;
        }
        self.shortest = length(&self.longest[REMEMBERED - 1]);
    }
}

fn nanos(at: Duration) -> u64 {
    u64::try_from(at.as_nanos()).map_or(LONGEST, |at| at.min(LONGEST))
}

fn index(side: Role) -> usize {
    match side {
        Role::Contestant => 0,
        Role::Interactor => 1,
    }
}

#[cfg(test)]
#[path = "timeline_tests.rs"]
mod tests;
