//! Tests of the views: what `show` prints, to the byte.

use std::time::Duration;

use insta::assert_snapshot;

use super::*;
use crate::transcript::samples::{self, header};
use crate::transcript::writer::Writer;

const SHORT: Brevity = Brevity { rows: 2, lines: 3 };

fn transcript(pieces: &[(u64, Source, &[u8])]) -> Vec<u8> {
    let mut content = Vec::new();
    let mut writer = Writer::new(&mut content, &header());
    for (millis, source, bytes) in pieces {
        writer.bytes(Duration::from_millis(*millis), *source, bytes);
    }
    writer.finish().expect("a vector takes everything");
    content
}

fn plain(content: &[u8], width: usize, brevity: Brevity) -> String {
    let mut reader = Reader::new(content, "t").expect("a header");
    let mut out = Vec::new();
    dialogue(&mut reader, width, brevity, &mut out).expect("good lines");
    let text = String::from_utf8(out).expect("a view is UTF-8");
    let text = anstream::adapter::strip_str(&text).to_string();
    for line in text.lines() {
        assert!(escape::width(line) <= width, "{line:?} is too wide");
        assert!(!line.contains(char::is_control), "{line:?}");
    }
    text
}

#[test]
fn side_by_side() {
    assert_snapshot!(plain(&samples::dialogue(), 80, SHORT), @r"
    guess-number, test 02, solutions/binary_search.py

     seconds  contestant                          interactor
       0.000  · interactor started (pid 4711)
              · contestant started
       0.001                                      100 3
              ? 50
                                                  <
              stderr lo=1 hi=49
              stderr next
       0.004  ? 25
              ? \x1b[31mred\xff
                                                  >\r
                                                  >
              ! 3 (no newline)
              · end of input for the interactor
                                                  stderr wrong answer guessed 3, it
                                                         was 37
              · interactor exited with code 1
              · contestant was stopped, as the run was decided

      turns       ╷0 ms      ╷1          ╷2          ╷3          ╷4
      contestant                ▅██▆▆███████████████████████████████▁▆▇▁▂█    3.3 ms
      interactor  ██████████████▃  ▂▂                               ▇▂▁▇▆     1.5 ms
                  ╰──────2──────╯╰3╯╰───────────────1───────────────╯
                  1 the contestant for 2.7 ms, from 1.6 ms until `? 25…`
                  2 the interactor for 1.3 ms, from the beginning until `100 3`
                  3 the contestant for 0.3 ms, from 1.3 ms, in 2 messages, the
                    longest pause before `? 5`
    ");
}

#[test]
fn side_by_side_on_a_narrow_terminal() {
    assert_snapshot!(plain(&samples::dialogue(), 40, SHORT), @r"
    guess-number, test 02,
    solutions/binary_search.py

     seconds  contestant      interactor
       0.000  · interactor started (pid
                4711)
              · contestant started
       0.001                  100 3
              ? 50
                              <
              stderr lo=1
                     hi=49
              stderr next
       0.004  ? 25
              ? \x1b[31mred
              \xff
                              >\r
                              >
              ! 3
              (no newline)
              · end of input for the
                interactor
                              stderr wrong
                                     answer
                             … 20 more bytes
              · interactor exited with code
                1
              · contestant was stopped, as
                the run was decided

      turns       ╷0 ms ╷2     ╷4
      contestant      ▇▇████████▆▄    3.3 ms
      interactor  ████▁▁        ▂▄    1.5 ms
                  ╰─2─╯╰───1────╯
                  1 the contestant for 2.7
                    ms, from 1.6 ms until `?
                    25…`
                  2 the interactor for 1.3
                    ms, from the beginning
                    until `100 3`
                  3 the contestant for 0.3
                    ms, from 1.3 ms, in 2
                    messages, the longest
                    pause before `? 5`
    ");
}

#[test]
fn colours_follow_the_side_and_escapes_are_dimmed() {
    let content = transcript(&[
        (1, Source::Contestant, b"a\x1b\n"),
        (2, Source::Interactor, b"b\n"),
    ]);
    let mut out = Vec::new();
    let mut reader = Reader::new(&content[..], "t").expect("a header");
    dialogue(&mut reader, 40, SHORT, &mut out).expect("good lines");
    let text = String::from_utf8(out)
        .expect("a view is UTF-8")
        .replace('\x1b', "^");
    assert_snapshot!(text, @r"
    ^[1mguess-number, test 02,^[0m
    ^[1msolutions/binary_search.py^[0m

    ^[2m seconds^[0m  ^[1m^[36mcontestant^[0m      ^[1m^[35minteractor^[0m
    ^[2m   0.001^[0m  ^[36ma^[0m^[2m^[36m\x1b^[0m
    ^[2m   0.002^[0m                  ^[35mb^[0m

      ^[2mturns^[0m       ^[2m╷0 ms   ╷1^[0m
      ^[36mcontestant^[0m  ^[36m████████        ^[0m      1 ms
      ^[35minteractor^[0m  ^[35m        ████████^[0m      1 ms
                  ^[2m╰──1───╯╰──2───╯^[0m
                  ^[2m1^[0m the contestant for 1 ms,
                  ^[2m ^[0m from the beginning until
                  ^[2m ^[0m `a\x1b`
                  ^[2m2^[0m the interactor for 1 ms,
                  ^[2m ^[0m from 1 ms until `b`
    ");
}

#[test]
fn long_lines_and_long_stretches_are_shortened_with_a_count() {
    let many: String = (1..=1000)
        .map(|number| format!("line {number}\n"))
        .collect();
    let content = transcript(&[
        (1, Source::Contestant, &[b'x'; 5000]),
        (2, Source::Contestant, b"yz\n"),
        (3, Source::Interactor, many.as_bytes()),
        (4, Source::Contestant, b"1\n2\n3\n4\n"),
        (5, Source::Interactor, b"\xff\xfe\x00\x01"),
    ]);
    assert_snapshot!(plain(&content, 60, SHORT), @r"
    guess-number, test 02, solutions/binary_search.py

     seconds  contestant                interactor
       0.002  xxxxxxxxxxxxxxxxxxxxxxxx
              xxxxxxxxxxxxxxxxxxxxxxxx
              … 4,954 more bytes
       0.003                            line 1
                                        line 2
                                        line 3
                                        … 996 more lines
                                        line 1000
       0.004  1
              2
              3
              4
       0.005                            \xff\xfe\x00\x01
                                        (no newline)

      turns       ╷0 ms  ╷1     ╷2     ╷3     ╷4
      contestant  ██████████████▃      ▃██████▆             3 ms
      interactor                ▅██████▅      ▂███████      2 ms
                  ╰──────1──────╯╰──2──╯╰──3──╯
                  1 the contestant for 2 ms, from the beginning,
                    in 2 messages, the longest pause before `yz`
                  2 the interactor for 1 ms, from 2 ms until
                    `line 1…`
                  3 the contestant for 1 ms, from 3 ms until
                    `1…`
    ");
    let full = plain(&content, 60, Brevity::FULL);
    // Four of them are the escapes of the last message.
    assert_eq!(full.matches('x').count(), 5000 + 4);
    // One of them is quoted below the picture.
    assert_eq!(full.matches("line ").count(), 1000 + 1);
}

#[test]
fn a_transcript_that_breaks_off_is_shown_up_to_there() {
    let mut content = transcript(&[(1, Source::Contestant, b"? 5\n")]);
    content.extend_from_slice(b"[0.002, \"interac");
    let shown = plain(&content, 60, SHORT);
    assert!(shown.contains("· the transcript breaks off here\n\n  turns"));
}

#[test]
fn raw_bytes_of_one_direction() {
    let side = |side| {
        let content = samples::dialogue();
        let mut reader = Reader::new(&content[..], "t").expect("a header");
        let mut out = Vec::new();
        raw(&mut reader, side, &mut out).expect("good lines");
        out
    };
    assert_eq!(
        side(Role::Contestant),
        b"? 50\n? 25\n? \x1b[31mred\xff\n! 3"
    );
    assert_eq!(side(Role::Interactor), b"100 3\n<\n>\r\n>\n");
}

fn icpc(pieces: &[(u64, Source, &[u8])]) -> Vec<u8> {
    let content = transcript(pieces);
    let mut reader = Reader::new(&content[..], "t").expect("a header");
    let mut out = Vec::new();
    interaction(&mut reader, &mut out).expect("good lines");
    out
}

#[test]
fn interaction_of_whole_lines() {
    let out = icpc(&[
        (1, Source::Interactor, b"100\n"),
        (2, Source::Contestant, b"? 1\n? 2\n"),
        (3, Source::ContestantStderr, b"noise\n"),
        (4, Source::Interactor, b"\n"),
    ]);
    assert_eq!(out, b"<100\n>? 1\n>? 2\n<\n");
}

#[test]
fn interaction_joins_the_pieces_of_a_line() {
    let out = icpc(&[
        (1, Source::Contestant, b"? "),
        (2, Source::Interactor, b"wait"),
        (3, Source::Contestant, b"5\n!"),
        (4, Source::Interactor, b"\xff"),
    ]);
    assert_eq!(out, b">? 5\n<wait\xff\n>!\n");
    assert_eq!(icpc(&[]), b"");
}

#[test]
fn a_bad_line_ends_the_view_after_what_came_before() {
    let mut content = transcript(&[(1, Source::Contestant, b"? 5")]);
    content.extend_from_slice(b"nonsense\n[0.1, \"contestant\", \"\"]\n");
    let mut reader = Reader::new(&content[..], "t").expect("a header");
    let mut out = Vec::new();
    let error = dialogue(&mut reader, 60, SHORT, &mut out).expect_err("a bad line");
    assert!(
        error.to_string().starts_with("t:3: the line is not JSON"),
        "{error}"
    );
    assert!(String::from_utf8_lossy(&out).contains("? 5"));
}

#[test]
fn turns_alone() {
    let shown = |content: &[u8]| {
        let mut reader = Reader::new(content, "t").expect("a header");
        let mut out = Vec::new();
        turns(&mut reader, 60, &mut out).expect("good lines");
        anstream::adapter::strip_str(std::str::from_utf8(&out).expect("UTF-8")).to_string()
    };
    let whole = samples::dialogue();
    let full = plain(&whole, 60, SHORT);
    let (_, picture) = full.rsplit_once("\n\n").expect("a picture");
    let alone = shown(&whole);
    assert_eq!(alone.split_once("\n\n").expect("a picture").1, picture);
    assert!(shown(&transcript(&[])).ends_with("\n\nno message was seen\n"));
}
