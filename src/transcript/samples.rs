//! Transcripts that the tests of this module share.

use std::time::Duration;

use crate::evidence::{End, Role};
use crate::spec::limits::Limits;
use crate::transcript::event::Event;
use crate::transcript::figure::Figure;
use crate::transcript::format::{Header, ParticipantRecord, Source, VERSION};
use crate::transcript::writer::Writer;

/// A header of two programs under the limits that hold by default.
pub(crate) fn header() -> Header {
    let participant = |role, program: &str| ParticipantRecord {
        program: program.to_owned(),
        command: vec![program.to_owned(), "data/02.in".to_owned()],
        limits: (&Limits::default_for(role)).into(),
    };
    Header {
        version: VERSION,
        title: "guess-number, test 02, solutions/binary_search.py".to_owned(),
        started: Figure::seconds(Duration::from_millis(1_796_000_000_250)),
        channel: "tmpfs".to_owned(),
        protocol: "testlib".to_owned(),
        contestant: participant(Role::Contestant, "solutions/binary_search.py"),
        interactor: participant(Role::Interactor, "interactor.cpp"),
    }
}

/// A whole dialogue as it lies in a file, with some of everything.
pub(crate) fn dialogue() -> Vec<u8> {
    let mut content = Vec::new();
    let mut writer = Writer::new(&mut content, &header());
    let at = |micros| Duration::from_micros(micros);
    let (contestant, interactor) = (Role::Contestant, Role::Interactor);
    let pid = Some(4711);
    writer.event(
        at(0),
        &Event::Start {
            role: interactor,
            pid,
        },
    );
    writer.event(
        at(310),
        &Event::Start {
            role: contestant,
            pid: None,
        },
    );
    writer.bytes(at(1204), Source::Interactor, b"100 3\n");
    writer.bytes(at(1460), Source::Contestant, b"? 5");
    writer.bytes(at(1490), Source::Contestant, b"0\n");
    writer.bytes(at(1530), Source::Interactor, b"<\n");
    writer.bytes(at(1600), Source::ContestantStderr, b"lo=1 hi=49\nnext");
    writer.bytes(at(4210), Source::Contestant, b"? 25\n? \x1b[31mred\xff\n");
    writer.bytes(at(4300), Source::Interactor, b">\r\n>\n");
    writer.bytes(at(4450), Source::Contestant, b"! 3");
    writer.event(at(4500), &Event::EndOfInput { role: interactor });
    writer.bytes(
        at(4520),
        Source::InteractorStderr,
        b"wrong answer guessed 3, it was 37\n",
    );
    writer.event(at(4600), &Event::end(interactor, &End::Exited(1)));
    writer.event(at(4700), &Event::end(contestant, &End::Stopped));
    writer.finish().expect("a vector takes everything");
    content
}
