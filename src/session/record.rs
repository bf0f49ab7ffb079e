//! What is kept of a session while it runs: the transcript, and the last messages for the reports.

use std::time::{Duration, Instant, SystemTime};

use crate::error::{Error, Result, reason};
use crate::evidence::Role;
use crate::outcome::{Message, Recent};
use crate::spec::plan::Plan;
use crate::transcript::event::Event;
use crate::transcript::format::{Header, Source};
use crate::transcript::timeline::Timeline;
use crate::transcript::writer::Writer;

/// How many messages are kept for the reports.
const KEPT: usize = 64;
/// How much of a standard error goes into the transcript, in bytes.
const STDERR: u64 = 1 << 20;

/// The session's clock and log.
pub(super) struct Record {
    start: Instant,
    /// How long the passes before this one took, which the transcript counts on from.
    before: Duration,
    transcript: Option<Writer>,
    recent: Recent,
    timeline: Timeline,
}

/// What is left of a record for the reports.
pub(super) struct Kept {
    pub(super) recent: Recent,
    pub(super) timeline: Timeline,
    /// What went wrong with the transcript, in words.
    pub(super) failed: Option<String>,
}

impl Record {
    /// Opens the transcript, if one is wanted. The clock stands at zero until [`Record::start`].
    pub(super) fn new(plan: &Plan) -> Result<Record> {
        let transcript = match &plan.transcript {
            None => None,
            Some(path) => {
                let header = Header::of(plan, SystemTime::now());
                let writer = Writer::create(path, &header).map_err(|e| {
                    Error::usage(format!(
                        "cannot write the transcript {}: {}",
                        crate::error::shown(path),
                        reason(&e)
                    ))
                })?;
                Some(writer)
            }
        };
        Ok(Record {
            start: Instant::now(),
            before: Duration::ZERO,
            transcript,
            recent: Recent::default(),
            timeline: Timeline::default(),
        })
    }

    /// The programs begin now.
    pub(super) fn start(&mut self) {
        self.start = Instant::now();
    }

    /// Time since the start, in whole microseconds as in the transcript: what is worked out from
    /// it must be the same as what is worked out from the transcript.
    pub(super) fn now(&self) -> Duration {
        let elapsed = self.start.elapsed();
        Duration::new(elapsed.as_secs(), elapsed.subsec_micros() * 1000)
    }

    /// The last messages that were delivered.
    pub(super) fn recent(&self) -> &Recent {
        &self.recent
    }

    /// A moment of the session as the poll's clock shows it.
    pub(super) fn instant(&self, at: Duration) -> Instant {
        self.start + at
    }

    /// A piece of output was delivered.
    pub(super) fn message(&mut self, at: Duration, from: Role, bytes: &[u8]) {
        if let Some(transcript) = &mut self.transcript {
            transcript.bytes(self.before + at, Source::stdout_of(from), bytes);
        }
        self.timeline.message(at, from, bytes);
        let kept = &bytes[..bytes.len().min(Message::KEPT)];
        let length = bytes.len() as u64;
        let messages = &mut self.recent.messages;
        // The oldest message's memory serves for the newest: nothing is allocated in a long run.
        let mut storage = match messages.len() {
            KEPT => {
                self.recent.earlier += 1;
                messages.pop_front().map(|m| m.bytes).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        storage.clear();
        storage.extend_from_slice(kept);
        messages.push_back(Message {
            at,
            from,
            bytes: storage,
            length,
        });
    }

    /// A piece of standard error came, at this offset.
    pub(super) fn stderr(&mut self, at: Duration, from: Role, offset: u64, bytes: &[u8]) {
        let room = STDERR.saturating_sub(offset).min(bytes.len() as u64) as usize;
        if let Some(transcript) = self.transcript.as_mut().filter(|_| room > 0) {
            transcript.bytes(self.before + at, Source::stderr_of(from), &bytes[..room]);
        }
    }

    /// Says how much of a standard error is not in the transcript.
    pub(super) fn stderr_total(&mut self, at: Duration, role: Role, total: u64) {
        if total > STDERR {
            self.event(
                at,
                &Event::Dropped {
                    role,
                    bytes: total - STDERR,
                },
            );
        }
    }

    /// Something happened.
    pub(super) fn event(&mut self, at: Duration, event: &Event) {
        if let Event::End { role, .. } = event {
            self.timeline.ended(at, *role);
        }
        if let Some(transcript) = &mut self.transcript {
            transcript.event(self.before + at, event);
        }
    }

    /// Nothing moves: a good moment to let the disk have what is buffered.
    pub(super) fn quiet(&mut self) {
        if let Some(transcript) = &mut self.transcript {
            transcript.flush();
        }
    }

    /// The pass is over, and there will be another one in the same transcript.
    pub(super) fn go_on(mut self, at: Duration, number: u32) -> (Kept, Record) {
        self.timeline.finish(at);
        self.before += at;
        if let Some(transcript) = &mut self.transcript {
            transcript.event(self.before, &Event::Pass { number });
        }
        let kept = Kept {
            recent: std::mem::take(&mut self.recent),
            timeline: std::mem::take(&mut self.timeline),
            failed: None,
        };
        (kept, self)
    }

    /// The session is over: completes the transcript.
    pub(super) fn finish(mut self, at: Duration) -> Kept {
        self.timeline.finish(at);
        let failed = self.transcript.and_then(|writer| writer.finish().err());
        Kept {
            recent: self.recent,
            timeline: self.timeline,
            failed: failed.map(|e| format!("the transcript is incomplete: {}", reason(&e))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_shows_what_the_transcript_can_hold() {
        let record = Record {
            start: Instant::now(),
            before: Duration::ZERO,
            transcript: None,
            recent: Recent::default(),
            timeline: Timeline::default(),
        };
        let moments = (0..1000).map(|_| record.now());
        assert!(moments.into_iter().all(|at| at.subsec_nanos() % 1000 == 0));
    }
}
