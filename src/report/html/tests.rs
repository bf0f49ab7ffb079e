use serde_json::value::RawValue;

use super::dialogue::Extent;
use super::scene::{Scenes, draw};
use super::*;
use crate::matrix::record::FrameSolution;
use crate::matrix::record::NotRun;
use crate::report::{json, samples};
use crate::spec::expectation::Rule;
use crate::transcript::format::Source;
use crate::transcript::reader::Reader;
use crate::transcript::samples as transcripts;
use crate::transcript::writer::Writer;
use crate::verdict::Verdict;
use std::time::Duration;

/// What a program may print to break out of wherever its words stand.
const HOSTILE: &str = "</style></td></table></details><script>alert(1)</script><img src=x onerror=alert(2)>\
     \" onmouseover=\"alert(3) '&amp;<!-- \x1b[31m \u{202e}\u{9b} ]]>";

fn solution(name: &str, expected: Verdict) -> FrameSolution {
    FrameSolution {
        name: name.to_owned(),
        expected: vec![expected],
        rules: vec![Rule::of(&[expected])],
        not_run: None,
    }
}

fn frame(solutions: Vec<FrameSolution>, tests: &[&str]) -> Frame {
    Frame {
        version: 1,
        problem: "guess".to_owned(),
        solutions,
        tests: tests.iter().map(|test| (*test).to_owned()).collect(),
        repeats: 1,
    }
}

fn record(solution: &str, test: &str, expected: Verdict, verdict: Verdict) -> Record {
    Record {
        solution: solution.to_owned(),
        test: test.to_owned(),
        repeat: 1,
        expected: vec![expected],
        verdict,
        reason: "the interactor decided".to_owned(),
        message: "found it".to_owned(),
        cpu_ms: 21.35,
        cpu_limit_ms: 1000.0,
        memory_kib: 9216,
        messages: 7,
        elapsed_ms: 26.1,
        ..Record::default()
    }
}

/// The page, with its style left out, and a line for each element.
fn page(frame: &Frame, records: &[Record], scenes: &[Option<Scene>]) -> String {
    let summary = Summary::of(frame, records);
    let page = render(frame, records, scenes, &summary);
    page.replace(include_str!("style.css"), "...")
        .replace("><", ">\n<")
}

fn scene(transcript: &[u8], extent: Extent) -> String {
    let reader = Reader::new(transcript, "a transcript").expect("a header");
    draw(reader, extent).into_string()
}

/// A scene as it is made of a file.
fn scene_of_file(content: &[u8]) -> Scene {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), content).expect("write");
    Scenes::default().of(file.path(), true)
}

#[test]
fn a_small_page() {
    let accepted = Verdict::Accepted;
    let mut broken = solution("broken.cpp", accepted);
    broken.not_run = Some(NotRun {
        why: "it does not compile:\n1 | <b>".to_owned(),
        allowed: false,
    });
    let solutions = vec![
        solution("right.py", accepted),
        solution("wrong.py", Verdict::WrongAnswer),
        broken,
    ];
    let frame = frame(solutions, &["1", "2"]);
    let mut first = record("right.py", "1", accepted, accepted);
    let report = json::render(&samples::accepted());
    first.report = Some(RawValue::from_string(report.trim_end().to_owned()).expect("JSON"));
    let records = [
        record("wrong.py", "1", Verdict::WrongAnswer, Verdict::TimeLimit),
        first,
        record("right.py", "2", accepted, accepted),
    ];
    let scenes = [Some(scene_of_file(&transcripts::dialogue())), None, None];
    insta::assert_snapshot!(page(&frame, &records, &scenes));
}

#[test]
fn nothing_that_a_program_wrote_means_anything() {
    let mut frame = frame(vec![solution(HOSTILE, Verdict::Accepted)], &[HOSTILE]);
    frame.problem = HOSTILE.to_owned();
    let mut record = record(HOSTILE, HOSTILE, Verdict::Accepted, Verdict::WrongAnswer);
    record.reason = HOSTILE.to_owned();
    record.message = HOSTILE.to_owned();
    record.transcript = Some(HOSTILE.to_owned());
    let mut content = Vec::new();
    let mut header = transcripts::header();
    header.title = HOSTILE.to_owned();
    let mut writer = Writer::new(&mut content, &header);
    let bytes = [HOSTILE.as_bytes(), b"\0\x07\xff\xc3\xed\xa0\x80\n"].concat();
    for source in Source::ALL {
        if source != Source::Event {
            writer.bytes(Duration::from_millis(1), source, &bytes);
        }
    }
    drop(writer);
    let page = page(&frame, &[record], &[Some(scene_of_file(&content))]);
    for forbidden in [
        "<script",
        "<img",
        "onerror=alert(2)>",
        "<!-- ",
        "\" onmouseover",
    ] {
        assert!(!page.contains(forbidden), "{forbidden} in {page}");
    }
    let steers = |c: char| c != '\n' && c.is_control() || c == '\u{202e}';
    assert!(!page.contains(steers), "{page}");
    assert!(
        page.contains("\\x00\\x07\\xff\\xc3\\xed\\xa0\\x80"),
        "{page}"
    );
    assert!(page.contains("&lt;script&gt;alert(1)"), "{page}");
    // Nor does the page ask for anything.
    for asking in ["http:", "https:", "src=", "url(", "@import", "<link"] {
        let page = page.replace("<img src=x", "").replace("&lt;img src=x", "");
        assert!(!page.contains(asking), "{asking} in {page}");
    }
    assert!(!include_str!("style.css").contains("url("));
}

/// A dialogue of so many rounds.
fn rounds(count: usize) -> Vec<u8> {
    let mut content = Vec::new();
    let mut writer = Writer::new(&mut content, &transcripts::header());
    for number in 0..count {
        let at = Duration::from_micros(number as u64 * 10);
        writer.bytes(at, Source::Contestant, format!("? {number}\n").as_bytes());
        writer.bytes(at, Source::Interactor, b"no\n");
    }
    drop(writer);
    content
}

#[test]
fn long_dialogues_are_cut_and_it_is_said() {
    let extent = Extent {
        lines: 3,
        bytes: 10,
    };
    let whole = scene(&rounds(3), extent);
    assert!(!whole.contains("not shown"), "{whole}");
    let cut = scene(&rounds(100), extent);
    assert!(cut.contains("194 more lines (768 B) not shown"), "{cut}");
    for kept in ["? 0<", "? 1<", "? 99<"] {
        assert!(cut.contains(kept), "{kept} in {cut}");
    }
    for left_out in ["? 2<", "? 98<"] {
        assert!(!cut.contains(left_out), "{left_out} in {cut}");
    }
    let huge = scene(&rounds(100_000), Extent::SURPRISE);
    assert!(huge.len() < 100_000, "{}", huge.len());

    let mut content = Vec::new();
    let mut writer = Writer::new(&mut content, &transcripts::header());
    for _ in 0..1000 {
        writer.bytes(Duration::ZERO, Source::Contestant, b"0123456789");
    }
    drop(writer);
    let line = scene(&content, extent);
    assert!(line.contains("0123456789<"), "{line}");
    assert!(line.contains("9,990 more bytes"), "{line}");
}

#[test]
fn all_transcripts_together_have_a_bound() {
    let mut content = Vec::new();
    let mut writer = Writer::new(&mut content, &transcripts::header());
    // A control character takes many times its own length.
    for _ in 0..400 {
        let line = [b"\x01a".repeat(200), b"\n".to_vec()].concat();
        writer.bytes(Duration::ZERO, Source::Contestant, &line);
    }
    drop(writer);
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), content).expect("write");
    let mut scenes = Scenes::default();
    let all: usize = (0..40)
        .map(|_| scenes.of(file.path(), true).markup().into_string().len())
        .sum();
    assert!((16 << 20..24 << 20).contains(&all), "{all}");
    let left_out = scenes.of(file.path(), false).markup().into_string();
    assert!(left_out.contains("The dialogue is left out"), "{left_out}");
}

#[test]
fn what_cannot_be_read_is_said() {
    let none = Scenes::default().of("/no/such".as_ref(), true);
    assert!(
        none.markup()
            .into_string()
            .contains("cannot read the transcript")
    );
    let mut cut = rounds(5);
    cut.truncate(cut.len() - 4);
    let cut = scene(&cut, Extent::SURPRISE);
    assert!(
        cut.contains("? 4<") && cut.contains("breaks off here"),
        "{cut}"
    );
    let bad = [rounds(1), b"[1, 2]\n".to_vec(), rounds(1)].concat();
    let bad = scene(&bad, Extent::SURPRISE);
    assert!(
        bad.contains("? 0<") && bad.contains("a record has three parts"),
        "{bad}"
    );
}

#[test]
fn many_sessions_are_counted_and_surprises_come_first() {
    let accepted = Verdict::Accepted;
    let frame = frame(vec![solution("a", accepted)], &["1"]);
    let records: Vec<Record> = (1..=3000)
        .map(|repeat| Record {
            repeat,
            ..record(
                "a",
                "1",
                accepted,
                if repeat > 2990 {
                    Verdict::TimeLimit
                } else {
                    accepted
                },
            )
        })
        .collect();
    let scenes: Vec<_> = records.iter().map(|_| None).collect();
    let page = page(&frame, &records, &scenes);
    assert_eq!(page.matches("<article").count(), 10);
    assert_eq!(page.matches("<details").count(), MOST_SESSIONS);
    assert!(page.contains("1,990 more are not shown here"));
    assert!(page.contains("and 2,997 more sessions"));
}
