//! What is no contestant and no interactor; sources that do not compile.

use crate::program::{Run, contestant, has_or_skip, is_root_or_skip, run};

/// The beginning of an ELF file of this class (1: 32 bits, 2: 64 bits) and machine.
fn elf(class: u8, machine: u8) -> Vec<u8> {
    let mut bytes = vec![0x7f, b'E', b'L', b'F', class, 1, 1, 0];
    bytes.resize(16, 0);
    bytes.extend([2, 0, machine, 0]);
    bytes.resize(64, 0);
    bytes
}

/// A run of an executable file with this content.
fn executable(name: &str, content: impl AsRef<[u8]>) -> Run {
    contestant(&[name]).script(name, content)
}

#[test]
fn programs_that_cannot_be_started() {
    contestant(&["./missing"]).refused("there is no file `./missing`");
    contestant(&["missing.cpp"]).refused("there is no file `missing.cpp`");
    contestant(&["no-such-program"]).refused(
        "$PATH has no program `no-such-program`: check the name, or give a path to the program",
    );
    contestant(&["accepts"])
        .refused("$PATH has no program `accepts`; for the file in this folder write `./accepts`");
    contestant(&[""]).refused("the program's name is empty: give a program or a source file");
    contestant(&["/etc"]).refused("`/etc` is a folder, not a program: name a file in it");
    contestant(&["./pipe"])
        .fifo("pipe")
        .refused("`./pipe` is neither a file nor a folder, and cannot be executed");
    contestant(&["./link"])
        .link("link", "gone")
        .refused("`./link` is a link to `gone`, which does not exist");
    contestant(&["./loop"])
        .link("loop", "loop")
        .refused("cannot read the program `./loop`: too many symbolic links encountered");
    contestant(&["./accepts/x"]).refused("cannot read the program `./accepts/x`: not a directory");
    executable("./empty", "").refused("`./empty` is empty: compile or write it first");
    executable("./text", "hello\n").refused(
        "`./text` is neither an ELF program, nor a script that begins with `#!`, nor a source of \
         a known language: give it the suffix of its language (such as `.cpp` or `.py`), or begin it \
         with `#!` and its interpreter",
    );
    contestant(&["./plain"])
        .file("plain", "#!/bin/sh\n")
        .refused("`./plain` is not executable: make it so with `chmod +x ./plain`");
    executable("./arm", elf(2, 183))
        .refused("`./arm` is a 64-bit ARM program, and this machine runs 64-bit x86-64 programs");
    executable("./old", elf(1, 3))
        .refused("`./old` is a 32-bit x86 program, and this machine runs 64-bit x86-64 programs");
    executable("./bang", "#!/no/such/shell\n").refused(
        "the first line of `./bang` names the interpreter `/no/such/shell`, which does not exist: \
         install it, or change the line",
    );
    executable("./env", "#!/usr/bin/env no-such-shell\n").refused(
        "the first line of `./env` asks for `no-such-shell`, which $PATH does not have: install \
         it, or change the line",
    );
    executable("./dos", "#!/bin/sh\r\n").refused(
        "`./dos` has Windows line ends, so the interpreter in its first line is not found: convert \
         it with `sed -i 's/\\r$//' ./dos`",
    );
}

#[test]
fn a_program_that_only_the_kernel_refuses_is_judged_not_crashed() {
    // A 64-bit header with nothing behind it.
    let ended = executable("./broken", elf(2, 62)).ends();
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stdout.contains("could not be started"), "{ended:?}");
    let words = [
        "run",
        "--interactor",
        "./broken",
        "--input",
        "input",
        "--",
        "./accepts",
    ];
    let ended = run(&words).script("broken", elf(2, 62)).ends();
    assert_eq!(ended.status, 3, "{ended:?}");
}

#[test]
fn programs_that_the_user_may_not_read() {
    if is_root_or_skip("programs_that_the_user_may_not_read") {
        contestant(&["./secret"])
            .file_with_mode("secret", "#!/bin/sh\n", 0o700)
            .by_nobody()
            .refused("cannot read the program `./secret`: permission denied");
        contestant(&["./secret"])
            .file_with_mode("secret", "#!/bin/sh\n", 0o700)
            .refused(
                "programs run as a user of their own, who cannot read `FOLDER/secret`: allow it \
                 with `chmod o+r FOLDER/secret`",
            );
    }
}

#[test]
fn sources_that_do_not_compile_show_the_compilers_words() {
    if has_or_skip(
        "gcc",
        "sources_that_do_not_compile_show_the_compilers_words",
    ) {
        contestant(&["./wrong.c"])
            .file("wrong.c", "int main(void) { return x; }\n")
            .refused_with(&["`./wrong.c` does not compile with `gcc", "undeclared"]);
    }
    if has_or_skip(
        "python3",
        "sources_that_do_not_compile_show_the_compilers_words",
    ) {
        contestant(&["./wrong.py"])
            .file("wrong.py", "def f(:\n")
            .refused_with(&["`./wrong.py` is not valid Python", "line 1", "SyntaxError"]);
    }
    if has_or_skip(
        "javac",
        "sources_that_do_not_compile_show_the_compilers_words",
    ) {
        contestant(&["./Nothing.java"])
            .file("Nothing.java", "class Nothing {}\n")
            .refused(
                "`./Nothing.java` has no class with a `public static void main(String[])`: nothing \
                 can be started",
            );
    }
    if has_or_skip(
        "node",
        "sources_that_do_not_compile_show_the_compilers_words",
    ) {
        contestant(&["./wrong.js"])
            .file("wrong.js", "let x = ;\n")
            .refused_with(&["`./wrong.js` is not valid JavaScript", "SyntaxError"]);
    }
}

#[test]
fn compilers_that_are_not_installed() {
    for (source, words) in [
        (
            "a.c",
            "`./a.c` is C and needs `gcc`, `cc` or `clang`, which $PATH does not have",
        ),
        ("a.cpp", "`./a.cpp` is C++ and needs"),
        ("a.py", "`./a.py` is Python and needs"),
        ("a.java", "`./a.java` is Java and needs `java`"),
        ("a.js", "`./a.js` is JavaScript and needs"),
        ("a.rs", "`./a.rs` is Rust and needs `rustc`"),
        ("a.go", "`./a.go` is Go and needs `go`"),
    ] {
        for path in ["", "/nonexistent"] {
            contestant(&[format!("./{source}")])
                .file(source, "x\n")
                .env("PATH", path)
                .refused_with(&[words, "install it"]);
        }
    }
}

#[test]
fn only_an_interactor_is_shown_what_it_imports() {
    if !has_or_skip("python3", "what Python imports") {
        return;
    }
    let with_files = |made: Run| {
        let line = "sys.path.insert(0, os.path.join(os.path.dirname(__file__), \"lib\"))";
        made.file(
            "imports.py",
            format!("import os, sys\n{line}\nimport secret\n"),
        )
        .file("lib/secret.py", "")
    };
    let words = ["run", "--interactor", "./imports.py", "--input", "input"];
    with_files(run(&[&words[..], &["--", "./accepts"]].concat())).accepted_with(&[]);
    let ended = with_files(contestant(&["./imports.py"])).ends();
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stdout.contains("ModuleNotFoundError"), "{ended:?}");
}
