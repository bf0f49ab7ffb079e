//! The programs of `--test diagnose`: how they are built, what each prints and which lies it tells.

use super::harness::programs::Build;

pub(crate) const fn build(name: &'static str, compiler: &'static [&'static str]) -> Build {
    Build { name, compiler }
}

/// How C programs are linked.
pub(crate) const C: [Build; 5] = [
    build("dynamic", &["gcc", "-O2", "-o"]),
    build("stripped", &["gcc", "-O2", "-s", "-o"]),
    build("no-pie", &["gcc", "-no-pie", "-fno-pie", "-g", "-o"]),
    build("static", &["gcc", "-O2", "-static", "-o"]),
    build("static-pie", &["gcc", "-static-pie", "-fPIE", "-o"]),
];

/// How C programs are linked with musl.
pub(crate) const MUSL: [Build; 2] = [
    build("musl", &["musl-gcc", "-O2", "-o"]),
    build("musl-static", &["musl-gcc", "-O2", "-static", "-o"]),
];

/// How C++ programs are linked.
pub(crate) const CXX: [Build; 6] = [
    build("dynamic", &["g++", "-O2", "-o"]),
    build("stripped", &["g++", "-O2", "-s", "-o"]),
    build("no-pie", &["g++", "-no-pie", "-fno-pie", "-g", "-o"]),
    build("static", &["g++", "-O2", "-static", "-o"]),
    build("static-libstdc++", &["g++", "-static-libstdc++", "-o"]),
    build("clang", &["clang++", "-O2", "-o"]),
];

/// How Rust programs are compiled.
pub(crate) const RUST: [Build; 2] = [
    build("release", &["rustc", "--edition=2024", "-O", "-o"]),
    build("debug", &["rustc", "--edition=2024", "-g", "-o"]),
];

/// A way to print, and the streams that hold something then, with what they hold. `None` stands for
/// what was printed and has not come out.
pub(crate) type Way = (
    &'static str,
    &'static [(&'static str, Option<&'static [u8]>)],
);

pub(crate) const C_WAYS: [Way; 14] = [
    ("begun", &[("stdout", Some(b"? 50"))]),
    ("plain", &[("stdout", Some(b"? 50\n"))]),
    ("line", &[("stdout", Some(b"? 2"))]),
    ("none", &[]),
    ("flushed", &[]),
    ("nothing", &[]),
    ("full", &[("stdout", None)]),
    ("rest", &[("stdout", None)]),
    ("error", &[("stderr", Some(b"a remark"))]),
    ("bytes", &[("stdout", Some(b"\0\xff\n\0"))]),
    ("wide", &[("stdout", Some("? 5 żółw\n".as_bytes()))]),
    ("reopened", &[("stdout", Some(b"? 50\n"))]),
    ("memory", &[]),
    (
        "file",
        &[
            ("stdout", Some(b"? 8\n")),
            ("file descriptor 4", Some(b"? 7\n")),
            ("file descriptor 3", Some(b"a note")),
        ],
    ),
];

/// musl takes a standard output for a terminal up to the first line. The streams that a program
/// opens cannot be found.
pub(crate) const MUSL_WAYS: [Way; 10] = [
    ("begun", &[("stdout", Some(b"? 50"))]),
    ("line", &[("stdout", Some(b"? 2"))]),
    ("none", &[]),
    ("flushed", &[]),
    ("nothing", &[]),
    ("memory", &[]),
    ("full", &[("stdout", None)]),
    ("rest", &[("stdout", None)]),
    ("error", &[("stderr", Some(b"a remark"))]),
    ("bytes", &[("stdout", Some(b"\0"))]),
];

/// No symbol leads to the list of streams: only the standard ones are found.
pub(crate) const STRIPPED: [Build; 2] = [
    build("static-stripped", &["gcc", "-O2", "-static", "-s", "-o"]),
    build(
        "static-pie-stripped",
        &["gcc", "-static-pie", "-fPIE", "-s", "-o"],
    ),
];

pub(crate) const STRIPPED_CXX: [Build; 2] = [
    build("static-stripped", &["g++", "-O2", "-static", "-s", "-o"]),
    build(
        "static-pie-stripped",
        &["g++", "-static-pie", "-fPIE", "-s", "-o"],
    ),
];

pub(crate) const STRIPPED_CXX_WAYS: [Way; 8] = [
    ("synchronised", &[("stdout", Some(b"? 50\n"))]),
    ("nothing", &[]),
    ("fast-plain", &[("std::cout", Some(b"? 50\n"))]),
    ("fast-flushed", &[]),
    ("fast-rest", &[("std::cout", None)]),
    (
        "fast-both",
        &[("std::cout", Some(b"? 1\n")), ("stdout", Some(b"? 2\n"))],
    ),
    ("fast-log", &[("std::clog", Some(b"a remark"))]),
    ("fast-aside", &[]),
];

pub(crate) const CXX_WAYS: [Way; 11] = [
    ("synchronised", &[("stdout", Some(b"? 50\n"))]),
    ("nothing", &[]),
    ("fast-nothing", &[]),
    ("fast-plain", &[("std::cout", Some(b"? 50\n"))]),
    ("fast-flushed", &[]),
    ("fast-rest", &[("std::cout", None)]),
    (
        "fast-both",
        &[("std::cout", Some(b"? 1\n")), ("stdout", Some(b"? 2\n"))],
    ),
    ("fast-log", &[("std::clog", Some(b"a remark"))]),
    ("fast-wide", &[("std::wcout", Some(b"? 5\n"))]),
    ("fast-aside", &[]),
    ("fast-file", &[("std::cout", Some(b"a note"))]),
];

pub(crate) const RUST_WAYS: [Way; 1] = [("plain", &[("stdout", Some(b"? 2"))])];

/// The interpreters that are tried: whatever is installed under these names.
pub(crate) const PYTHONS: [&str; 9] = [
    "python3",
    "python3.7",
    "python3.8",
    "python3.9",
    "python3.10",
    "python3.11",
    "python3.12",
    "python3.13",
    "python3.14",
];

pub(crate) const PYTHON_WAYS: [Way; 14] = [
    ("plain", &[("sys.stdout", Some(b"? 50\n"))]),
    ("begun", &[("sys.stdout", Some(b"? 50"))]),
    ("pieces", &[("sys.stdout", Some(b"?50\nand more\n"))]),
    ("flushed", &[]),
    ("nothing", &[]),
    ("rest", &[("sys.stdout", None)]),
    ("letters", &[("sys.stdout", Some("? 5 żółw\n".as_bytes()))]),
    ("raw", &[("sys.stdout", Some(b"\0\xff\n\0"))]),
    ("both", &[("sys.stdout", Some(b"? 1\n? 2\n"))]),
    ("aside", &[("sys.__stdout__", Some(b"? 50\n"))]),
    (
        "copy",
        &[
            ("sys.__stdout__", Some(b"? 8\n")),
            ("sys.stdout", Some(b"? 7\n")),
        ],
    ),
    ("many_modules", &[("sys.stdout", Some(b"? 50\n"))]),
    ("in_a_thread", &[("sys.stdout", Some(b"? 50\n"))]),
    ("with_names", &[("sys.stdout", Some(b"? 50\n"))]),
];

/// Lies, and whether the program's message must be found nevertheless.
pub(crate) const C_LIES: [(&str, bool); 19] = [
    ("cycle", true),
    ("itself", true),
    ("long-list", true),
    ("no-list", true),
    ("nowhere", false),
    ("huge", false),
    ("wrap", false),
    ("backwards", false),
    ("beyond", false),
    ("wide-nowhere", true),
    ("remapped", false),
    ("headers", true),
    ("segments", true),
    ("counts", false),
    ("chains", false),
    ("mappings", false),
    ("modules", true),
    ("random", false),
    ("gone", false),
];

/// Lies of a program whose variables are searched.
pub(crate) const STRIPPED_LIES: [(&str, bool); 4] = [
    ("magic", false),
    ("streams", false),
    ("itself", true),
    ("huge", false),
];

pub(crate) const CXX_LIES: [(&str, bool); 8] = [
    ("no-table", false),
    ("base-far-away", false),
    ("no-type", false),
    ("endless-name", false),
    ("huge", false),
    ("backwards", false),
    ("no-file", true),
    ("random", false),
];

/// Lies of a program that claims to be a Python interpreter.
pub(crate) const PYTHON_LIES: [(&str, bool); 9] = [
    ("honest", true),
    ("huge-list", false),
    ("long-list", false),
    ("huge-text", false),
    ("wrap", false),
    ("list-of-itself", false),
    ("writer-of-everything", true),
    ("many-dictionaries", false),
    ("random", false),
];

pub(crate) const PYTHON_LIAR: Build = build(
    "exports",
    &["gcc", "-O1", "-Wall", "-Werror", "-rdynamic", "-o"],
);

pub(crate) const LIAR: Build = build(
    "dynamic",
    &[
        "gcc",
        "-O1",
        "-fPIE",
        "-pie",
        "-Wall",
        "-Werror",
        "-pthread",
        // Nothing is looked up in the damaged tables by the program itself.
        "-Wl,-z,now",
        "-o",
    ],
);

pub(crate) const STRIPPED_LIAR: Build = build(
    "static-pie-stripped",
    &["gcc", "-O1", "-fPIE", "-static-pie", "-s", "-pthread", "-o"],
);

pub(crate) const CXX_LIAR: Build = build("dynamic", &["g++", "-O1", "-pthread", "-o"]);
