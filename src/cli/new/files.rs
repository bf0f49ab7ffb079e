//! Which files a new problem has. They are real files in `template`, and the libraries in
//! `interactors`; only the name, the protocol and the language are filled in.

use super::Tongue;
use crate::spec::protocol::Protocol;

/// A file of the new problem.
pub(super) struct File {
    /// Where it lies in the folder.
    pub(super) path: String,
    /// What it is for, in a few words.
    pub(super) about: &'static str,
    pub(super) text: String,
}

/// The sources of one language.
struct Sources {
    suffix: &'static str,
    /// The library that interactors read with.
    library: (&'static str, &'static str),
    interactor: &'static str,
    /// How the interactor names its protocol.
    protocols: [(Protocol, &'static str); 2],
    right: &'static str,
    guesses_wrong: &'static str,
    forgets_to_flush: &'static str,
}

/// The sources in a language, all from its folder of the template.
macro_rules! sources {
    ($folder:literal, $suffix:literal, $library:literal, $testlib:literal, $icpc:literal) => {
        Sources {
            suffix: $suffix,
            library: (
                $library,
                include_str!(concat!("../../../interactors/", $library)),
            ),
            interactor: include_str!(concat!("template/", $folder, "/interactor.", $suffix)),
            protocols: [(Protocol::Testlib, $testlib), (Protocol::Icpc, $icpc)],
            right: include_str!(concat!("template/", $folder, "/right.", $suffix)),
            guesses_wrong: include_str!(concat!("template/", $folder, "/guesses_wrong.", $suffix)),
            forgets_to_flush: include_str!(concat!(
                "template/",
                $folder,
                "/forgets_to_flush.",
                $suffix
            )),
        }
    };
}

const CPP: Sources = sources!(
    "cpp",
    "cpp",
    "strict.hpp",
    "strict::Protocol::kTestlib",
    "strict::Protocol::kIcpc"
);
const RUST: Sources = sources!(
    "rust",
    "rs",
    "strict.rs",
    "Protocol::Testlib",
    "Protocol::Icpc"
);
const PYTHON: Sources = sources!("python", "py", "strict.py", "strict.TESTLIB", "strict.ICPC");

/// The tests. The first is the example of the statement.
const TESTS: [(&str, &str, &str); 5] = [
    (
        "01-sample",
        include_str!("template/tests/01-sample.in"),
        "the example of the statement",
    ),
    (
        "02-smallest",
        include_str!("template/tests/02-smallest.in"),
        "one number to choose from",
    ),
    (
        "03-last",
        include_str!("template/tests/03-last.in"),
        "the last number",
    ),
    (
        "04-first",
        include_str!("template/tests/04-first.in"),
        "the first number",
    ),
    (
        "05-within",
        include_str!("template/tests/05-within.in"),
        "a number in between",
    ),
];

/// The files of a problem of this name, in the order in which a person meets them.
pub(super) fn of(name: &str, tongue: Tongue, protocol: Protocol) -> Vec<File> {
    let sources = match tongue {
        Tongue::Cpp => CPP,
        Tongue::Rust => RUST,
        Tongue::Python => PYTHON,
    };
    let suffix = sources.suffix;
    let named = |protocol| {
        let spoken = sources.protocols.iter().find(|(of, _)| *of == protocol);
        spoken.map_or("", |(_, words)| words)
    };
    let interactor = (sources.interactor).replace(named(Protocol::Testlib), named(protocol));
    let settings = include_str!("template/problem.toml")
        .replace("@SUFFIX@", suffix)
        .replace(
            "@PROTOCOL@",
            match protocol {
                Protocol::Testlib => "testlib",
                Protocol::Icpc => "icpc",
            },
        )
        // The last, because a name may look like any of the others.
        .replace("@NAME@", &toml::Value::from(name).to_string());
    let statement = include_str!("template/statement.md").replace("@TITLE@", name);
    let file = |path: String, about, text: &str| File {
        path,
        about,
        text: text.to_owned(),
    };
    let mut files = vec![
        file(
            "problem.toml".into(),
            "tests, limits, solutions, and what is expected of each",
            &settings,
        ),
        file(
            "statement.md".into(),
            "what contestants are told",
            &statement,
        ),
        file(
            format!("interactor.{suffix}"),
            "the jury's program, which decides",
            &interactor,
        ),
        file(
            sources.library.0.into(),
            "what it reads with",
            sources.library.1,
        ),
    ];
    let solutions = [
        ("right", "is accepted", sources.right),
        ("guesses_wrong", "gets wrong-answer", sources.guesses_wrong),
        (
            "forgets_to_flush",
            "gets idleness-limit",
            sources.forgets_to_flush,
        ),
    ];
    for (name, about, text) in solutions {
        files.push(file(format!("solutions/{name}.{suffix}"), about, text));
    }
    for (name, text, about) in TESTS {
        files.push(file(format!("tests/{name}.in"), about, text));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Tongue; 3] = [Tongue::Cpp, Tongue::Rust, Tongue::Python];

    fn text(files: &[File], path: &str) -> String {
        let found = files.iter().find(|file| file.path == path);
        found.expect("a file").text.clone()
    }

    #[test]
    fn the_interactor_speaks_the_protocol_that_the_problem_names() {
        for tongue in ALL {
            let [testlib, icpc] = [Protocol::Testlib, Protocol::Icpc].map(|p| of("x", tongue, p));
            assert!(text(&testlib, "problem.toml").contains("protocol = \"testlib\""));
            assert!(text(&icpc, "problem.toml").contains("protocol = \"icpc\""));
            let differ = |(a, b): &(&File, &File)| a.text != b.text;
            let differing = testlib.iter().zip(&icpc).filter(differ).count();
            assert_eq!(differing, 2, "problem.toml and the interactor");
        }
    }

    #[test]
    fn no_name_breaks_the_files() {
        for name in ["a \"b\" \\", "@SUFFIX@", "it's @NAME@"] {
            for tongue in ALL {
                let files = of(name, tongue, Protocol::Testlib);
                let settings = text(&files, "problem.toml");
                let settings: toml::Table = settings.parse().expect("TOML");
                assert_eq!(settings["name"].as_str(), Some(name));
                assert!(text(&files, "statement.md").starts_with(&format!("# {name}\n")));
            }
        }
    }
}
