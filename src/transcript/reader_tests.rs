//! Tests of the transcript's reader: what it says of bad files, and that none makes it panic.

use super::*;
use crate::evidence::Role;
use crate::transcript::samples::{dialogue, header};

fn file(lines: &str) -> Vec<u8> {
    let header = serde_json::to_string(&header()).expect("a header can be written");
    format!("{header}\n{lines}").into_bytes()
}

/// All that the reader says of a file: the records' debug forms and its complaints.
fn read(content: &[u8]) -> (Vec<String>, bool) {
    let mut reader = match Reader::new(content, "game.jsonl") {
        Ok(reader) => reader,
        Err(error) => return (vec![error.to_string()], false),
    };
    let said = (reader.by_ref())
        .map(|record| match record {
            Ok(record) => format!("{} {:?}", record.source.name(), record.data),
            Err(error) => error.to_string(),
        })
        .collect();
    (said, reader.truncated())
}

#[test]
fn a_bad_line_gets_a_sentence_and_the_rest_is_read() {
    let (said, truncated) = read(&file(concat!(
        "[0.5, \"contestant\", \"a\"]\n",
        "[0.5, \"contestant\", \"a\"\n",
        "{\"at\": 3}\n",
        "[1, \"contestant\"]\n",
        "[-1, \"contestant\", \"a\"]\n",
        "[\"1\", \"contestant\", \"a\"]\n",
        "[1, \"con\\u001btestant\", \"a\"]\n",
        "[1, \"contestant\", 5]\n",
        "[1, \"contestant\", {\"base64\": \"?\"}]\n",
        "[1, \"event\", \"start\"]\n",
        "[1, \"event\", {\"kind\": 1}]\n",
        "\n",
        "[1e300, \"event\", {\"kind\": \"start\", \"role\": \"contestant\"}]\n",
        "[1, \"event\", {\"kind\": \"start\", \"role\": \"contestant\"}]\n",
        "[1, \"event\", {\"kind\": \"teleported\", \"to\": 5}]\n",
    )));
    assert_eq!(
        said,
        [
            "contestant Bytes([97])",
            "game.jsonl:3: the line is not JSON: EOF while parsing a list (column 23)",
            "game.jsonl:4: a record is an array [seconds, source, data], not `{\"at\":3}`",
            "game.jsonl:5: a record has three parts, [seconds, source, data]; this one has 2",
            "game.jsonl:6: the time is `-1`; it must be a number of seconds from 0",
            "game.jsonl:7: the time is `\"1\"`; it must be a number of seconds from 0",
            "game.jsonl:8: the source is `\"con\\u001btestant\"`; the sources are contestant, \
             interactor, contestant-stderr, interactor-stderr, event",
            "game.jsonl:9: the data is a string or {\"base64\": \"...\"}, not `5`",
            "game.jsonl:10: the data is not base64: Invalid symbol 63, offset 0.",
            "game.jsonl:11: the data of an event is an object with a kind, not `\"start\"`",
            "game.jsonl:12: the data of an event is an object with a kind, not `{\"kind\":1}`",
            "game.jsonl:14: the time is `1e+300`; it must be a number of seconds from 0",
            "event Event(Start { role: Contestant, pid: None })",
            "event Event(Other(Object {\"kind\": String(\"teleported\"), \"to\": Number(5)}))",
        ]
    );
    assert!(!truncated);
}

#[test]
fn a_file_that_is_no_transcript_is_told_so() {
    let whole = serde_json::to_string(&header()).expect("a header can be written");
    let said = |content: &str| read(content.as_bytes()).0.remove(0);
    assert_eq!(
        said(""),
        "game.jsonl:1: the file is empty; a transcript begins with a header"
    );
    assert_eq!(
        said("#!/bin/sh\n"),
        "game.jsonl:1: this is no transcript: it does not begin with a header"
    );
    assert_eq!(
        said("{\"width\": 80}\n"),
        "game.jsonl:1: this is no transcript: it does not begin with a header"
    );
    assert_eq!(
        said("{\"version\": 2, \"width\": 80}\n"),
        "game.jsonl:1: the transcript has version `2`; this program reads version 1"
    );
    assert_eq!(
        said("{\"version\": 1}\n"),
        "game.jsonl:1: the header is incomplete: missing field `title`"
    );
    assert_eq!(
        said(&whole[..50]),
        "game.jsonl:1: the file breaks off within its header"
    );
    assert_eq!(read(whole.as_bytes()), (vec![], false));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let error = Reader::open(Path::new("/nowhere/t.jsonl"))
        .err()
        .expect("there is none");
    assert!(
        error
            .to_string()
            .starts_with("cannot read the transcript `/nowhere/t.jsonl`: no such file")
    );
    let error = Reader::open(Path::new("/")).err().expect("a folder");
    assert!(
        error
            .to_string()
            .starts_with("cannot read the transcript `/`: is a directory"),
        "{error}"
    );
}

#[test]
fn a_transcript_that_breaks_off_anywhere_is_read_up_to_there() {
    let content = dialogue();
    let all: Vec<Record> = (Reader::new(&content[..], "t").expect("a header"))
        .collect::<Result<_>>()
        .expect("good lines");
    let first = content
        .iter()
        .position(|byte| *byte == b'\n')
        .expect("a header")
        + 1;
    for length in first..content.len() {
        let part = &content[..length];
        let mut reader = Reader::new(part, "t").expect("a header");
        let records: Vec<Record> = reader.by_ref().collect::<Result<_>>().expect("good lines");
        let newlines = part.iter().filter(|byte| **byte == b'\n').count() - 1;
        // Without its line end alone, the last line is whole.
        let last_is_whole = part.ends_with(b"]") && content[length] == b'\n';
        assert_eq!(records, all[..newlines + usize::from(last_is_whole)]);
        assert_eq!(reader.truncated(), !part.ends_with(b"\n") && !last_is_whole);
    }
}

#[test]
fn nothing_makes_it_panic() {
    let content = dialogue();
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let splices: [&[u8]; 9] = [
        b"[", b"{", b"\"", b"\n", b"\\u", b"1e999", b"\xff", b"null", b"]",
    ];
    for _ in 0..3000 {
        let mut mutated = content.clone();
        for _ in 0..=random(4) {
            let place = random(mutated.len());
            match random(3) {
                0 => mutated[place] = random(256) as u8,
                1 => drop(mutated.drain(place..(place + random(9)).min(mutated.len()))),
                _ => {
                    let splice = splices[random(splices.len())];
                    mutated.splice(place..place, splice.iter().copied());
                }
            }
        }
        let (said, _) = read(&mutated);
        for text in said {
            assert!(!text.contains(char::is_control), "{text:?}");
        }
    }
    let deep = "[".repeat(1 << 20);
    assert!(read(&file(&format!("{deep}\n"))).0[0].contains("recursion limit"));
}

#[test]
fn a_huge_line_is_read() {
    let text = "x".repeat(20 << 20);
    let content = file(&format!("[1, \"contestant\", \"{text}\"]\n"));
    let mut reader = Reader::new(&content[..], "t").expect("a header");
    let record = reader.next().expect("a record").expect("a good line");
    assert_eq!(record.data, Data::Bytes(text.into_bytes()));
    assert!(reader.next().is_none());
}

#[test]
fn every_event_comes_back() {
    let records: Vec<Record> = (Reader::new(&dialogue()[..], "t").expect("a header"))
        .collect::<Result<_>>()
        .expect("good lines");
    let role = Role::Interactor;
    assert_eq!(
        records[0].data,
        Data::Event(Event::Start {
            role,
            pid: Some(4711)
        })
    );
    let known = |record: &Record| !matches!(record.data, Data::Event(Event::Other(_)));
    assert!(records.iter().all(known));
}
