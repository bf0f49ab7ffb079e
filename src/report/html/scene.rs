//! A transcript as a page shows it: the turns, and the dialogue with times, within bounds.
//!
//! It is read when its session has ended, because most transcripts are not kept; so what is kept of
//! all of them together is bounded, too.

use std::io::BufRead;
use std::path::Path;

use maud::{Markup, PreEscaped, html};

use super::dialogue::{Dialogue, Extent};
use super::{plain, turns};
use crate::error::Result;
use crate::transcript::amount;
use crate::transcript::format::Data;
use crate::transcript::reader::Reader;
use crate::transcript::views::Turns;

/// How much is kept of all transcripts, in bytes of the page. Surprises may use all of it, the
/// others half, so that those many leave room for these few.
const MOST: usize = 16 << 20;

/// What a page shows of a transcript.
pub(crate) struct Scene(String);

impl Scene {
    pub(super) fn markup(&self) -> Markup {
        PreEscaped(self.0.clone())
    }
}

/// Makes scenes, as long as there is room for them.
#[derive(Default)]
pub(crate) struct Scenes {
    /// Bytes of those that were made.
    used: usize,
}

impl Scenes {
    /// The scene of a transcript.
    pub(crate) fn of(&mut self, transcript: &Path, is_surprise: bool) -> Scene {
        let (extent, room) = match is_surprise {
            true => (Extent::SURPRISE, MOST),
            false => (Extent::EXPECTED, MOST / 2),
        };
        if self.used >= room {
            let most = amount::size(room as u64);
            return Scene(
                html! { p.soft { "The dialogue is left out: those before it take up " (most) "." } }
                    .into_string(),
            );
        }
        let scene = match Reader::open(transcript) {
            Ok(reader) => draw(reader, extent),
            Err(error) => html! { p.open { (plain(&error.to_string())) } },
        };
        let scene = scene.into_string();
        self.used += scene.len();
        Scene(scene)
    }
}

/// The turns and the dialogue of a transcript.
pub(super) fn draw<R: BufRead>(mut reader: Reader<R>, extent: Extent) -> Markup {
    let mut turns = Turns::default();
    let mut dialogue = Dialogue::new(extent);
    let read: Result<()> = reader.by_ref().try_for_each(|record| {
        let record = record?;
        turns.hold(&record);
        match &record.data {
            Data::Bytes(bytes) => dialogue.bytes(record.at, record.source, bytes),
            Data::Event(event) => dialogue.event(record.at, event),
        }
        Ok(())
    });
    let heading = match turns.are_of_a_later_pass() {
        true => "Turns of the last pass",
        false => "Turns",
    };
    let broken = match read {
        Err(error) => Some(plain(&error.to_string())),
        Ok(()) if reader.truncated() => Some("the transcript breaks off here".to_owned()),
        Ok(()) => None,
    };
    html! {
        (turns::draw(heading, &turns.finish()))
        h4 { "Dialogue" }
        (dialogue.finish())
        @if let Some(broken) = broken { p.open { (broken) } }
    }
}
