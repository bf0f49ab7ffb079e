//! Names, letters and exit statuses.

use super::*;

#[test]
fn names_letters_and_exit_statuses() {
    let table: Vec<_> = Verdict::ALL
        .map(|verdict| (verdict.name(), verdict.letters(), verdict.exit_status()))
        .into();
    assert_eq!(
        table,
        [
            ("accepted", "AC", 0),
            ("wrong-answer", "WA", 1),
            ("presentation-error", "PE", 1),
            ("points", "PT", 0),
            ("time-limit", "TL", 1),
            ("wall-time-limit", "WL", 1),
            ("idleness-limit", "IL", 1),
            ("memory-limit", "ML", 1),
            ("output-limit", "OL", 1),
            ("runtime-error", "RE", 1),
            ("security-violation", "SV", 1),
            ("judge-error", "JE", 3),
            ("internal-error", "IE", 4),
        ]
    );
}

#[test]
fn both_forms_are_read_in_any_case() {
    for verdict in Verdict::ALL {
        let (name, letters) = (verdict.name(), verdict.letters());
        for text in [
            name.to_owned(),
            name.to_uppercase(),
            letters.to_owned(),
            letters.to_lowercase(),
        ] {
            assert_eq!(text.parse(), Ok(verdict), "{text}");
        }
        assert_eq!(verdict.to_string(), name);
        let json = serde_json::to_string(&verdict).unwrap();
        assert_eq!(json, format!("\"{name}\""));
    }
    assert_eq!(format!("{:>14}|", Verdict::WrongAnswer), "  wrong-answer|");
}

#[test]
fn other_words_are_no_verdict() {
    let all = "accepted (AC), wrong-answer (WA), presentation-error (PE), points (PT), time-limit \
               (TL), wall-time-limit (WL), idleness-limit (IL), memory-limit (ML), output-limit \
               (OL), runtime-error (RE), security-violation (SV), judge-error (JE), internal-error \
               (IE)";
    for (text, shown) in [
        ("wrong answer", "wrong answer"),
        ("OK", "OK"),
        ("", ""),
        (" AC", " AC"),
        ("A\u{1b}C\n", "A\\u{1b}C\\n"),
        (&"é".repeat(1000), &"é".repeat(40)),
    ] {
        let error = text.parse::<Verdict>().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("`{shown}` is not a verdict: write one of {all}")
        );
    }
}
