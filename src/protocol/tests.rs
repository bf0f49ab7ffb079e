use super::*;

fn testlib_says(code: i32, stderr: impl AsRef<[u8]>) -> (Decision, String) {
    let said = Said {
        code,
        stderr: stderr.as_ref(),
        ..Said::default()
    };
    decide(Protocol::Testlib, &said)
}

fn icpc_says(
    code: i32,
    stderr: &str,
    judge_message: Option<&str>,
    score: Option<&str>,
) -> (Decision, String) {
    let said = Said {
        code,
        stderr: stderr.as_bytes(),
        judge_message: judge_message.map(Into::into),
        score: score.map(Into::into),
    };
    decide(Protocol::Icpc, &said)
}

fn undefined((decision, _): (Decision, String)) -> String {
    match decision {
        Decision::Undefined(sentence) => sentence,
        other => panic!("{other:?} where the protocol defines nothing"),
    }
}

#[test]
fn testlib_codes_and_their_words() {
    let pe = Decision::PresentationError;
    for (code, stderr, decision, message) in [
        (0, "ok 7 queries\n", Decision::Accepted, "7 queries"),
        (0, "ok\n", Decision::Accepted, ""),
        (0, "", Decision::Accepted, ""),
        (
            1,
            "wrong answer 3 is not 4\n",
            Decision::WrongAnswer,
            "3 is not 4",
        ),
        (
            1,
            "wrong answer: 3 is not 4",
            Decision::WrongAnswer,
            "3 is not 4",
        ),
        (2, "wrong output format no token", pe.clone(), "no token"),
        (2, "unexpected eof in line 1", pe.clone(), "in line 1"),
        (4, "wrong output format dirt", pe.clone(), "dirt"),
        (8, "unexpected eof", pe, ""),
        (
            3,
            "FAIL no such test\n",
            Decision::Fail("no such test".into()),
            "no such test",
        ),
        (3, "", Decision::Fail(String::new()), ""),
    ] {
        assert_eq!(
            testlib_says(code, stderr),
            (decision, message.to_owned()),
            "code {code}, stderr {stderr:?}"
        );
    }
}

#[test]
fn testlib_words_never_overrule_the_code() {
    // The words that contradict the code are kept whole.
    for (code, stderr, decision) in [
        (1, "ok 7 queries", Decision::WrongAnswer),
        (0, "wrong answer 3 is not 4", Decision::Accepted),
        (
            1,
            "partially correct (2) not its code",
            Decision::WrongAnswer,
        ),
        (2, "points 100 all", Decision::PresentationError),
    ] {
        assert_eq!(testlib_says(code, stderr), (decision, stderr.to_owned()));
    }
}

#[test]
fn testlib_partial_scores_are_told_from_fixed_codes_by_their_last_line() {
    for (code, score) in [(0, 0.0), (1, 1.0), (3, 3.0), (7, 7.0), (51, 1.0)] {
        let words = format!("log\npartially correct ({score}) so far\n");
        let (decision, message) = testlib_says(code, &words);
        assert_eq!(
            (decision, &*message),
            (Decision::Points(score), "so far"),
            "code {code}"
        );
    }
    // The words of another line may have come from the contestant.
    let (decision, _) = testlib_says(1, "partially correct (1)\nwrong answer no");
    assert_eq!(decision, Decision::WrongAnswer);
}

#[test]
fn testlib_an_uncaught_exception_of_the_interactor_is_no_rejection() {
    for (stderr, runtime) in [
        (
            "Traceback (most recent call last):\n  File \"x\"\nKeyError: 7\n",
            "Python",
        ),
        (
            "Exception in thread \"main\" java.lang.Error\n\tat X.main\n",
            "Java",
        ),
        ("x.js:3\nError: no\n\nNode.js v20.1.0\n", "Node.js"),
    ] {
        match testlib_says(1, stderr).0 {
            Decision::Undefined(why) => assert!(why.contains(runtime), "{why}"),
            other => panic!("{runtime}: {other:?}"),
        }
    }
    let python = "Traceback (most recent call last):\n  File \"/w/i.py\", line 4, in <module>\n    \
                  y = int(x)\nValueError: no number\n";
    let cause = "ValueError: no number, at i.py:4";
    for (decision, message) in [testlib_says(1, python), icpc_says(1, python, None, None)] {
        assert_eq!(message, cause);
        match decision {
            Decision::Undefined(why) if why.contains("icpc") => {}
            Decision::Undefined(why) => assert!(why.ends_with(cause), "{why}"),
            other => panic!("{other:?}"),
        }
    }
    let (decision, _) = testlib_says(1, "Traceback (most recent call last):\nwrong answer x");
    assert_eq!(decision, Decision::WrongAnswer);
}

#[test]
fn testlib_opening_is_a_whole_word_on_the_last_line_that_has_one() {
    let (_, message) = testlib_says(0, "okay then");
    assert_eq!(message, "okay then");
    let (_, message) = testlib_says(0, "\n \r\nlog: round 1\nok 7 queries\r\nSee file\n");
    assert_eq!(message, "7 queries");
    let (decision, message) = testlib_says(7, "points so far: 3\npoints 4 good");
    assert_eq!((decision, &*message), (Decision::Points(4.0), "good"));
    let (_, message) = testlib_says(1, "\n\nlog: round 1\nlog: round 2\n");
    assert_eq!(message, "log: round 1");
}

#[test]
fn testlib_points() {
    for (stderr, score, message) in [
        ("points 12.5 half of it", 12.5, "half of it"),
        ("points 0", 0.0, ""),
        ("points -3 a penalty", -3.0, "a penalty"),
        ("points 1e2\t all", 100.0, "all"),
    ] {
        assert_eq!(
            testlib_says(7, stderr),
            (Decision::Points(score), message.to_owned())
        );
    }
}

#[test]
fn testlib_points_without_a_readable_number() {
    assert_eq!(
        undefined(testlib_says(7, "half of it")),
        "exit code 7 means points in the testlib protocol, but no line of standard error begins \
         with `points` and a number"
    );
    assert_eq!(
        undefined(testlib_says(7, "points 3,5 half")),
        "exit code 7 means points in the testlib protocol, but `points` on standard error is \
         followed by `3,5` where a finite number must stand"
    );
    assert_eq!(
        undefined(testlib_says(7, "points")),
        "exit code 7 means points in the testlib protocol, but `points` on standard error is \
         followed by nothing where a finite number must stand"
    );
    for number in ["nan", "NaN", "inf", "-inf", "infinity", "1e999", "0x10"] {
        let sentence = undefined(testlib_says(7, format!("points {number} x")));
        assert!(sentence.contains(&format!("`{number}`")), "{sentence}");
    }
    let (_, message) = testlib_says(7, "points lots of them");
    assert_eq!(message, "points lots of them");
}

#[test]
fn testlib_partially_correct() {
    for (code, stderr, score, message) in [
        (
            30,
            "partially correct (30) three of ten",
            30.0,
            "three of ten",
        ),
        (
            80,
            "partially correct (30) three of ten",
            30.0,
            "three of ten",
        ),
        (50, "partially correct (0)", 0.0, ""),
        (57, "partially correct (57) base 0", 57.0, "base 0"),
        (57, "partially correct (7) base 50", 7.0, "base 50"),
        (42, "partially correct (42)", 42.0, ""),
    ] {
        assert_eq!(
            testlib_says(code, stderr),
            (Decision::Points(score), message.to_owned()),
            "code {code}, stderr {stderr:?}"
        );
    }
    assert_eq!(
        undefined(testlib_says(57, "partially correct (8) base?")),
        "exit code 57 does not agree with the words `partially correct (8)`: testlib exits with \
         that number, or with 50 more"
    );
    for unreadable in ["", " 8", " (8", " (-8)", " (x)", " ()", " (99999999999)"] {
        assert_eq!(
            undefined(testlib_says(58, format!("partially correct{unreadable}"))),
            "exit code 58 comes with the words `partially correct`, which must be followed by a \
             whole number in parentheses, as in `partially correct (30)`"
        );
    }
}

#[test]
fn testlib_codes_without_a_meaning() {
    for (code, hint) in [
        (42, " (42 is `accepted` for icpc: use --protocol icpc?)"),
        (43, " (43 is `wrong answer` for icpc: use --protocol icpc?)"),
        (
            5,
            " (5 comes from an interactor that was built with -DEJUDGE: build it without)",
        ),
        (
            57,
            " (57 is a partial score only with the words `partially correct (7)` or `partially \
             correct (57)` on standard error)",
        ),
        (9, ""),
        (
            137,
            " (137 is a partial score only with the words `partially correct (87)` or `partially \
               correct (137)` on standard error)",
        ),
        (255, ""),
        (-1, ""),
        (i32::MAX, ""),
    ] {
        assert_eq!(
            undefined(testlib_says(code, "ok I hope")),
            format!("exit code {code} means nothing in the testlib protocol{hint}")
        );
    }
}

#[test]
fn icpc_codes() {
    assert_eq!(
        icpc_says(42, "", None, None),
        (Decision::Accepted, String::new())
    );
    assert_eq!(
        icpc_says(42, "log", Some("fine\nmore\n"), Some(" 12.5\n")),
        (Decision::Points(12.5), "fine".to_owned())
    );
    assert_eq!(
        icpc_says(43, "log", None, Some("100")),
        (Decision::WrongAnswer, "log".to_owned())
    );
    assert_eq!(
        icpc_says(43, "log", Some(" \n"), Some("nan")),
        (Decision::WrongAnswer, "log".to_owned())
    );
    // Words have no meaning here, so none is removed.
    assert_eq!(icpc_says(42, "ok 7", None, None).1, "ok 7");
}

#[test]
fn icpc_scores_that_cannot_be_read() {
    for (score, shown) in [
        ("", "nothing"),
        (" \n", "nothing"),
        ("nan", "`nan`"),
        ("inf", "`inf`"),
        ("1 2", "`1 2`"),
        ("50%", "`50%`"),
        ("1\n2\n", "`1 2`"),
    ] {
        assert_eq!(
            undefined(icpc_says(42, "", None, Some(score))),
            format!("score.txt must hold one finite number and nothing else, but holds {shown}")
        );
    }
    let long = "7".repeat(500);
    assert_eq!(
        undefined(icpc_says(42, "", None, Some(&long))),
        format!(
            "score.txt must hold one finite number and nothing else, but holds `{}…`",
            "7".repeat(39)
        )
    );
}

#[test]
fn icpc_codes_without_a_meaning() {
    for (code, hint) in [
        (0, " (0 is `ok` for testlib: use --protocol testlib?)"),
        (
            1,
            " (1 is `wrong answer` for testlib: use --protocol testlib?)",
        ),
        (3, " (3 is `FAIL` for testlib: use --protocol testlib?)"),
        (41, ""),
        (44, ""),
        (255, ""),
    ] {
        assert_eq!(
            undefined(icpc_says(code, "", None, Some("100"))),
            format!(
                "exit code {code} means nothing in the icpc protocol, where 42 is accepted and 43 \
                 is wrong answer{hint}"
            )
        );
    }
}

#[test]
fn messages_are_one_harmless_line() {
    let (_, message) = testlib_says(1, b"wrong answer \x1b[31mred\x07\x00 a\tb\rc \x9b\xff\n");
    assert_eq!(
        message,
        "\u{fffd}[31mred\u{fffd}\u{fffd} a b c \u{fffd}\u{fffd}"
    );
    // A C1 control character that is valid UTF-8.
    let (_, message) = testlib_says(1, "wrong answer \u{9b}31m");
    assert_eq!(message, "\u{fffd}31m");
    let (_, message) = testlib_says(1, b"\xff\xfe\x00");
    assert_eq!(message, "\u{fffd}\u{fffd}\u{fffd}");
}

#[test]
fn messages_are_cut_at_a_character() {
    for character in ["x", "é", "€", "🦀"] {
        let (_, message) = testlib_says(0, format!("ok {}", character.repeat(1000)));
        assert_eq!(message, character.repeat(1000));
        let (_, message) = testlib_says(0, format!("ok {}", character.repeat(1001)));
        assert_eq!(message, format!("{}…", character.repeat(999)));
        let (_, message) = testlib_says(0, format!("ok {}", character.repeat(300_000)));
        assert_eq!(message, format!("{}…", character.repeat(999)));
        // One byte of the last character is missing, as where standard error itself was cut.
        let whole = format!("ok {}{character}", "x".repeat(500));
        let (_, message) = testlib_says(0, &whole.as_bytes()[..whole.len() - 1]);
        let tail = if character.len() == 1 { "" } else { "\u{fffd}" };
        assert_eq!(message, format!("{}{tail}", "x".repeat(500)));
    }
    let (_, message) = testlib_says(0, vec![0xff; 1 << 20]);
    assert_eq!(message, format!("{}…", "\u{fffd}".repeat(999)));
}

#[test]
fn every_code_and_any_bytes_lead_to_a_decision() {
    let odd: [&[u8]; 9] = [
        b"",
        b"\n\n\n",
        b"points",
        b"points \xff",
        b"partially correct (",
        b"partially correct (\xff)",
        b"FAIL",
        b"\x00",
        b"ok\r",
    ];
    for protocol in [Protocol::Testlib, Protocol::Icpc] {
        for code in -1..=256 {
            for bytes in odd {
                let said = Said {
                    code,
                    stderr: bytes,
                    judge_message: Some(bytes.to_vec()),
                    score: Some(bytes.to_vec()),
                };
                let (decision, message) = decide(protocol, &said);
                assert!(!message.chars().any(char::is_control), "{message:?}");
                if let Decision::Undefined(sentence) = decision {
                    assert!(!sentence.is_empty() && !sentence.contains('\n'));
                }
            }
        }
    }
}
