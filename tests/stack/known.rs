//! Known functions, exactly.

use super::programs::{Program, line, program};
use super::tracee::{Found, crashed, stopped};

/// Every way of compiling C under which all of it must be found.
const WAYS: [&[&str]; 8] = [
    &["-O0", "-g", "-pthread"],
    &["-O2", "-g", "-pthread"],
    &["-O2", "-g", "-pthread", "-fomit-frame-pointer", "-no-pie"],
    &["-O2", "-g", "-pthread", "-static"],
    &[
        "-O2",
        "-g",
        "-pthread",
        "-static-pie",
        "-fno-omit-frame-pointer",
    ],
    &["-O2", "-gdwarf-4", "-pthread"],
    &["-O3", "-g", "-pthread", "-march=x86-64-v3", "-flto"],
    &[
        "-O1",
        "-g",
        "-pthread",
        "-fno-asynchronous-unwind-tables",
        "-fno-unwind-tables",
    ],
];

/// The author's own frames: function, line, whether it is part of the next.
fn own(found: &Found) -> Vec<(&str, u32, bool)> {
    let frames = found.stack.frames.iter().filter(|frame| frame.own);
    frames
        .map(|f| {
            (
                f.function.as_deref().unwrap_or("?"),
                f.line.unwrap_or(0),
                f.inlined,
            )
        })
        .collect()
}

fn in_every_way(check: impl Fn(&Program)) {
    for flags in WAYS {
        if let Some(program) = program("ends.c", flags) {
            eprintln!("{flags:?}");
            check(&program);
        }
    }
}

#[test]
fn a_null_pointer() {
    in_every_way(|program| {
        let found = crashed(&program.path, &["null-write"]);
        let own = own(&found);
        assert_eq!(own[0], ("null_write", program.line("null-write"), false));
        assert_eq!(own[1], ("main", program.line("main-null-write"), false));
        assert_eq!(own.len(), 2);
        assert!(!found.stack.cut);
        let place = format!("in `null_write` at ends.c:{}", program.line("null-write"));
        assert_eq!(found.stack.place(), Some(place));
    });
}

#[test]
fn a_call_of_nothing() {
    in_every_way(|program| {
        let found = crashed(&program.path, &["null-call"]);
        assert_eq!(found.stack.frames[0].address, 0);
        let first = found.stack.first_own().unwrap();
        assert_eq!(first.function.as_deref(), Some("null_call"));
        assert_eq!(first.line, Some(program.line("null-call")));
    });
}

#[test]
fn functions_within_functions() {
    in_every_way(|program| {
        let found = crashed(&program.path, &["inlined"]);
        let expected = [
            ("deepest", program.line("inlined-deepest"), true),
            ("middle", program.line("inlined-middle"), true),
            ("around", program.line("inlined-around"), false),
            ("main", program.line("main-inlined"), false),
        ];
        assert_eq!(own(&found), expected);
    });
}

#[test]
fn a_signals_handler() {
    in_every_way(|program| {
        let found = crashed(&program.path, &["handler"]);
        let own = own(&found);
        assert_eq!(own[0], ("handler", program.line("handler"), false));
        assert_eq!(own[1], ("raises", program.line("raises"), false));
    });
}

#[test]
fn a_handler_on_a_stack_of_its_own() {
    let Some(program) = program("ends.c", WAYS[1]) else {
        return;
    };
    let found = crashed(&program.path, &["alternate"]);
    let own = own(&found);
    assert_eq!(own[0], ("handler", program.line("handler"), false));
    assert_eq!(own[1].0, "interrupted");
    assert_eq!(own[2], ("main", program.line("main-interrupted"), false));
}

#[test]
fn a_thread() {
    in_every_way(|program| {
        let found = crashed(&program.path, &["thread"]);
        let own = own(&found);
        assert_eq!(own[0].0, "null_write");
        assert_eq!(own[1], ("threads_own", program.line("thread"), false));
        assert_eq!(own.len(), 2);
        assert!(!found.stack.cut);
    });
}

#[test]
fn through_the_c_library() {
    in_every_way(|program| {
        let found = crashed(&program.path, &["sorts"]);
        let own = own(&found);
        assert_eq!(own[0], ("compare", program.line("compare"), false));
        assert_eq!(own[1], ("sorts", program.line("sorts"), false));
    });
}

#[test]
fn an_abort() {
    in_every_way(|program| {
        let found = crashed(&program.path, &["aborts"]);
        let own = own(&found);
        assert_eq!(
            own[0],
            ("aborts", program.line("aborts"), false),
            "{:#?}",
            found.stack
        );
        let place = found.stack.place().unwrap();
        assert!(
            place.contains("abort, called from `aborts` at ends.c:"),
            "{place}"
        );
    });
}

#[test]
fn through_a_shared_library() {
    let Some(program) = program("ends.c", &["-O2", "-g", "-pthread", "-DLIBRARY"]) else {
        return;
    };
    let found = crashed(&program.path, &["library"]);
    let names: Vec<_> = found.stack.frames[..3]
        .iter()
        .map(|frame| {
            (
                frame.function.as_deref().unwrap(),
                frame.line.unwrap(),
                frame.own,
            )
        })
        .collect();
    let expected = [
        ("called_back", program.line("called-back"), true),
        ("librarys", line("library.c", "librarys"), false),
        ("calls_library", program.line("calls-library"), true),
    ];
    assert_eq!(names, expected);
}

#[test]
fn interrupted_while_it_computes_and_waits() {
    in_every_way(|program| {
        let found = stopped(&program.path, &["burn"]);
        assert_eq!(found.stack.frames[0].function.as_deref(), Some("burn"));
        let lines = [program.line("burn"), program.line("burn") - 1];
        assert!(lines.contains(&own(&found)[0].1), "{lines:?}");
        let found = stopped(&program.path, &["waits"]);
        assert_eq!(own(&found)[0], ("waits", program.line("waits"), false));
    });
}

#[test]
fn the_depth_of_a_recursion_is_exact() {
    in_every_way(|program| {
        for depth in [0, 1, 50, 100, 1000, 30_000] {
            let found = crashed(&program.path, &["descend", &depth.to_string()]);
            let frames = &found.stack.frames;
            let shown = frames
                .iter()
                .filter(|f| f.function.as_deref() == Some("descend"));
            let omitted = found.stack.omitted.map_or(0, |omitted| omitted.count);
            assert_eq!(
                shown.count() as u64 + omitted,
                depth + 1,
                "{:#?}",
                found.stack
            );
            assert_eq!(omitted > 0, depth >= 100, "{depth}");
            assert!(!found.stack.cut);
            let own = own(&found);
            assert_eq!(own[0], ("descend", program.line("descend-end"), false));
            assert_eq!(own[own.len() - 1].1, program.line("main-descend"));
            assert!(frames.len() <= 128);
        }
    });
}

#[test]
fn stack_overflows() {
    in_every_way(|program| {
        let found = crashed(&program.path, &["overflow"]);
        let lines = found.stack.lines();
        let last = format!("`main` at ends.c:{}", program.line("main-overflow"));
        assert_eq!(lines.last(), Some(&last), "{lines:#?}");
        let again = format!("more of `descend` at ends.c:{}", program.line("descend"));
        assert!(lines.iter().any(|line| line.contains(&again)), "{lines:#?}");
        assert!(found.stack.omitted.unwrap().count > 50_000);

        let found = crashed(&program.path, &["two-overflow"]);
        let own = own(&found);
        let (even, odd) = (program.line("even"), program.line("odd"));
        assert!(own[2..6].contains(&("even", even, false)), "{own:?}");
        assert!(own[2..6].contains(&("odd", odd, false)), "{own:?}");
        assert_eq!(own[own.len() - 1].1, program.line("main-two"));
        assert_eq!(own[own.len() - 2].0, "even");
        assert!(found.stack.omitted.unwrap().count > 20_000);

        let found = crashed(&program.path, &["thread-overflow"]);
        let own = self::own(&found);
        assert_eq!(
            own[own.len() - 1],
            ("threads_descent", program.line("thread-descent"), false)
        );
    });
}

#[test]
fn without_debug_information() {
    for flags in [
        &["-O2", "-pthread"][..],
        &["-O2", "-pthread", "-static"],
        &["-O2", "-pthread", "-no-pie", "-fomit-frame-pointer"],
    ] {
        let Some(program) = program("ends.c", flags) else {
            return;
        };
        let found = crashed(&program.path, &["aborts"]);
        assert_eq!(
            found.stack.first_own().unwrap().function.as_deref(),
            Some("aborts")
        );
        assert_eq!(found.stack.first_own().unwrap().line, None);
        let found = crashed(&program.path, &["thread"]);
        let own = own(&found);
        assert_eq!(own, [("null_write", 0, false), ("threads_own", 0, false)]);
        assert!(!found.stack.cut);
    }
}

#[test]
fn stripped() {
    let Some(program) = program("ends.c", &["-O2", "-pthread", "-s"]) else {
        return;
    };
    let found = crashed(&program.path, &["aborts"]);
    let names: Vec<_> = found
        .stack
        .frames
        .iter()
        .map(|f| f.function.as_deref())
        .collect();
    assert!(names.contains(&Some("abort")), "{names:?}");
    assert!(!found.stack.cut);
}

#[test]
fn cpp() {
    for optimisation in ["-O0", "-O2"] {
        let Some(program) = program("ends.cpp", &[optimisation, "-g", "-std=gnu++20"]) else {
            return;
        };
        let found = crashed(&program.path, &["visit"]);
        let own: Vec<_> = own(&found).into_iter().filter(|f| f.0 != "?").collect();
        assert_eq!(own[0].0, "Graph::visit", "{:#?}", found.stack.lines());
        assert_eq!(own[1], ("Graph::visit", program.line("visit"), own[1].2));
        assert_eq!(own.last().unwrap().1, program.line("main-visit"));
        let place = found.stack.place().unwrap();
        let expected = format!(
            "called from `Graph::visit` at ends.cpp:{}",
            program.line("visit-at")
        );
        assert!(place.ends_with(&expected), "{place}");
        let found = crashed(&program.path, &["throws"]);
        let place = found.stack.place().unwrap();
        let expected = format!(
            "called from `contest::throws<long>` at ends.cpp:{}",
            program.line("throws")
        );
        assert!(place.ends_with(&expected), "{place}");
        let found = crashed(&program.path, &["lambda"]);
        assert_eq!(self::own(&found)[0].1, program.line("lambda"));
        let found = crashed(&program.path, &["double-free"]);
        assert_eq!(
            self::own(&found)[0],
            ("main", program.line("double-free"), false)
        );
        let found = crashed(&program.path, &["assert"]);
        assert_eq!(
            self::own(&found)[0],
            ("main", program.line("assert"), false)
        );
    }
}

#[test]
fn rust() {
    for flags in [
        &["-g"][..],
        &["-O", "-g"],
        &["-g", "-C", "panic=abort", "-O"],
    ] {
        let flags = [flags, &["--crate-name", "ends", "--edition", "2024"]].concat();
        let Some(program) = program("ends.rs", &flags) else {
            return;
        };
        let found = crashed(&program.path, &["abort"]);
        let own = own(&found);
        assert_eq!(
            own[0],
            ("ends::divide", program.line("abort"), false),
            "{:#?}",
            found.stack
        );
        assert_eq!(own[1], ("ends::divide", program.line("divide"), false));
        assert_eq!(own[3], ("ends::main", program.line("main-abort"), own[3].2));
        let found = crashed(&program.path, &["read"]);
        let first = found.stack.first_own().unwrap();
        assert_eq!(first.function.as_deref(), Some("ends::Tree::read"));
        assert_eq!(first.line, Some(program.line("read")));
    }
}

#[test]
fn causes() {
    let Some(program) = program("ends.c", WAYS[0]) else {
        return;
    };
    let sent = "killed from outside";
    for (way, expected) in [
        ("null-write", "null pointer: access of address 0x0"),
        ("null-call", "null pointer: call of address 0x0"),
        ("inlined", "null pointer: access of address 0x4"),
        ("divide", "division by zero, or of the least number by -1"),
        ("overflow", "stack overflow"),
        ("thread-overflow", "stack overflow"),
        ("large", "stack overflow"),
        (
            "read-only",
            "write to memory that can only be read, at address 0x",
        ),
        ("beyond", "access beyond the end of a mapped file"),
        ("impossible", "access of an address that cannot exist"),
        ("aborts", sent),
    ] {
        let found = crashed(&program.path, &[way]);
        let cause = found.cause.as_deref().unwrap_or(sent);
        assert!(
            cause.starts_with(expected),
            "{way}: {cause} {:?}",
            found.signal
        );
    }
}

#[test]
fn causes_that_were_said() {
    let Some(program) = program("ends.cpp", &["-O0", "-g", "-std=gnu++20"]) else {
        return;
    };
    let assertion = format!(
        "assertion `zero == 1` failed at ends.cpp:{}",
        program.line("assert")
    );
    for (way, expected) in [
        (
            "throws",
            "uncaught exception std::out_of_range: vector::_M_range_check: __n (which is 5)",
        ),
        ("assert", &assertion),
        ("double-free", "free(): double free detected"),
    ] {
        let found = crashed(&program.path, &[way]);
        let cause = found.cause.unwrap_or_default();
        assert!(cause.starts_with(expected), "{way}: {cause}");
    }
}
