//! Tests of the transcript's writer: every byte survives, and a full disk leaves a valid beginning.

use super::*;
use crate::evidence::Role;
use crate::transcript::format::{Data, Record};
use crate::transcript::reader::Reader;
use crate::transcript::samples::header;

/// A target that takes so many bytes, a few at a time, and then is full.
#[derive(Default)]
struct Disk {
    content: Vec<u8>,
    capacity: usize,
    most_at_once: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let free = self.capacity - self.content.len();
        if free == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let count = bytes.len().min(free).min(self.most_at_once);
        self.content.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Target for Disk {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.content.cut(length)
    }
}

fn written(fill: impl FnOnce(&mut Writer<&mut Vec<u8>>)) -> Vec<u8> {
    let mut content = Vec::new();
    let mut writer = Writer::new(&mut content, &header());
    fill(&mut writer);
    writer.finish().expect("a vector takes everything");
    content
}

fn body(content: &[u8]) -> String {
    let text = String::from_utf8(content.to_vec()).expect("a transcript is UTF-8");
    text.split_once('\n').expect("a header").1.to_owned()
}

fn read(content: &[u8]) -> Vec<Record> {
    let mut reader = Reader::new(content, "t").expect("the header is good");
    assert_eq!(*reader.header(), header());
    let records = reader
        .by_ref()
        .collect::<Result<_, _>>()
        .expect("good lines");
    assert!(!reader.truncated());
    records
}

#[test]
fn lines_look_as_documented() {
    let content = written(|writer| {
        writer.bytes(Duration::ZERO, Source::Contestant, b"? 50\n");
        writer.bytes(
            Duration::new(12, 34_567_899),
            Source::Interactor,
            b"\"<\\\"\r\t\x1b\x7f",
        );
        writer.bytes(
            Duration::from_micros(5),
            Source::InteractorStderr,
            "ü\u{9b}".as_bytes(),
        );
        writer.bytes(
            Duration::from_secs(10_000),
            Source::ContestantStderr,
            b"\xff\x00",
        );
        writer.bytes(Duration::from_secs(10_000), Source::Contestant, b"");
        let role = Role::Contestant;
        writer.event(Duration::from_millis(1), &Event::EndOfInput { role });
        let (verdict, reason) = ("accepted".to_owned(), "a\u{9b}\u{7f}b".to_owned());
        writer.event(
            Duration::from_millis(1),
            &Event::Verdict { verdict, reason },
        );
    });
    assert_eq!(
        body(&content),
        concat!(
            "[0.000000, \"contestant\", \"? 50\\n\"]\n",
            "[12.034567, \"interactor\", \"\\\"<\\\\\\\"\\r\\t\\u001b\\u007f\"]\n",
            "[0.000005, \"interactor-stderr\", \"ü\\u009b\"]\n",
            "[10000.000000, \"contestant-stderr\", {\"base64\": \"/wA=\"}]\n",
            "[10000.000000, \"contestant\", \"\"]\n",
            "[0.001000, \"event\", {\"kind\":\"end-of-input\",\"role\":\"contestant\"}]\n",
            "[0.001000, \"event\", {\"kind\":\"verdict\",\"verdict\":\"accepted\",",
            "\"reason\":\"a\\u009b\\u007fb\"}]\n",
        )
    );
}

#[test]
fn every_byte_comes_back() {
    let mut state = 7_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let mut pieces: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    pieces.extend((0..500).map(|_| {
        let length = random() % 40;
        (0..length).map(|_| random() as u8).collect()
    }));
    pieces.extend((0..500).map(|_| {
        let length = random() % 40;
        let text: String = (0..length)
            .filter_map(|_| char::from_u32(random() % 0x400))
            .collect();
        text.into_bytes()
    }));
    // Longer than the buffer, both forms, and with a character across the edge of every piece.
    pieces.push("€".repeat(BLOCK / 2).into_bytes());
    pieces.push(vec![0x1f; BLOCK + 1]);
    for surplus in 0..3 {
        pieces.push(vec![0xfe; BLOCK + surplus]);
    }
    let content = written(|writer| {
        for (number, piece) in pieces.iter().enumerate() {
            writer.bytes(
                Duration::from_micros(number as u64),
                Source::Interactor,
                piece,
            );
        }
    });
    let records = read(&content);
    assert_eq!(records.len(), pieces.len());
    for (number, (record, piece)) in records.iter().zip(&pieces).enumerate() {
        assert_eq!(record.at, Duration::from_micros(number as u64));
        assert_eq!(record.data, Data::Bytes(piece.clone()));
    }
    assert!(!content.iter().any(|byte| *byte < 0x20 && *byte != b'\n'));
}

#[test]
fn a_full_disk_leaves_whole_lines_and_is_reported_once() {
    let line = [b'x'; 1000];
    let full = written(|writer| {
        for _ in 0..1000 {
            writer.bytes(Duration::ZERO, Source::Contestant, &line);
        }
    });
    let first_line = body(&full).find('\n').expect("a line") + 1;
    let head = full.len() - 1000 * first_line;
    for capacity in [
        0,
        10,
        head,
        head + 1,
        BLOCK - 1,
        BLOCK,
        BLOCK + 700,
        full.len() - 1,
    ] {
        let mut disk = Disk {
            capacity,
            most_at_once: 4093,
            ..Disk::default()
        };
        let mut writer = Writer::new(&mut disk, &header());
        for _ in 0..1000 {
            writer.bytes(Duration::ZERO, Source::Contestant, &line);
        }
        let error = writer.finish().expect_err("the disk is full");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let whole = match capacity.checked_sub(head) {
            Some(rest) => head + rest / first_line * first_line,
            None => 0,
        };
        assert_eq!(disk.content.len(), whole, "capacity {capacity}");
        assert!(full.starts_with(&disk.content));
    }
}

#[test]
fn a_line_longer_than_the_buffer_is_cut_away_whole() {
    let mut disk = Disk {
        capacity: 3 * BLOCK,
        most_at_once: usize::MAX,
        ..Disk::default()
    };
    let mut writer = Writer::new(&mut disk, &header());
    writer.bytes(Duration::ZERO, Source::Contestant, b"first\n");
    writer.bytes(Duration::ZERO, Source::Contestant, &vec![b'x'; 4 * BLOCK]);
    writer.bytes(Duration::ZERO, Source::Contestant, b"never\n");
    writer.finish().expect_err("the disk is full");
    assert_eq!(
        body(&disk.content),
        "[0.000000, \"contestant\", \"first\\n\"]\n"
    );
}

#[test]
fn the_device_that_is_always_full_stops_nothing() {
    let mut writer = Writer::create(Path::new("/dev/full"), &header()).expect("it can be opened");
    for _ in 0..BLOCK {
        writer.bytes(Duration::ZERO, Source::Contestant, b"? 50\n");
    }
    let error = writer.finish().expect_err("no space");
    assert_eq!(error.raw_os_error(), Some(libc::ENOSPC));
}

#[test]
fn the_buffer_never_grows() {
    let mut content = Vec::new();
    let mut writer = Writer::new(&mut content, &header());
    for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, BLOCK, 5 * BLOCK] {
        writer.bytes(Duration::ZERO, Source::Contestant, &vec![0x01; length]);
        writer.bytes(Duration::ZERO, Source::Contestant, &vec![0xff; length]);
        assert_eq!(writer.buffer.capacity(), BLOCK);
    }
}
