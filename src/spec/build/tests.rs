//! Sources of each language, good and bad.
//!
//! The compilers and interpreters are those of the machine; a test for one that is not installed
//! passes after saying so, unless `REJOINDER_TEST_LANGUAGES` asks for all of them.

use super::*;
use tempfile::TempDir;

struct Setting {
    folder: TempDir,
    languages: Languages,
    cache: Cache,
}

impl Setting {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::in_folder(&folder.path().join("cache")).unwrap();
        Setting {
            folder,
            languages: Languages::builtin(),
            cache,
        }
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().canonicalize().unwrap().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn build(&self, source: &Path) -> Result<Command> {
        build(source, &self.languages, &self.cache)
    }

    /// The complaint about a source, with the test's folder shown as `DIR`.
    fn complaint(&self, source: &Path) -> String {
        let text = self.build(source).unwrap_err().to_string();
        let folder = self.folder.path().canonicalize().unwrap();
        text.replace(&format!("{}", folder.display()), "DIR")
    }

    fn programs(&self) -> usize {
        fs::read_dir(self.cache.folder().join("programs")).map_or(0, Iterator::count)
    }
}

/// True if the tools are there; a test without them has nothing to show.
fn has(tools: &[&str]) -> bool {
    let missing: Vec<&&str> = tools.iter().filter(|tool| find(tool).is_none()).collect();
    if missing.is_empty() {
        return true;
    }
    let wanted = std::env::var_os("REJOINDER_TEST_LANGUAGES").is_some();
    assert!(!wanted, "not installed: {missing:?}");
    eprintln!("passed without a look: not installed: {missing:?}");
    false
}

fn output(command: &Command) -> String {
    use std::os::unix::process::CommandExt;
    let mut process = std::process::Command::new(&command.program);
    process.arg0(&command.argv[0]).args(&command.argv[1..]);
    process.env_clear().current_dir("/");
    let output = process.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text + &String::from_utf8_lossy(&output.stderr)
}

/// Builds a source that prints `hello`, runs it, and builds it again without a compiler's work.
#[track_caller]
fn says_hello(name: &str, text: &str) -> Command {
    let setting = Setting::new();
    let source = setting.file(name, text);
    let command = setting.build(&source).unwrap();
    assert_eq!(output(&command), "hello\n");
    assert!(command.program.is_absolute());
    assert!(command.reads.contains(&command.program));
    assert!(
        command
            .reads
            .iter()
            .all(|read| read.is_absolute() && read.exists())
    );
    assert_eq!(command.shown, source.display().to_string());
    let beside = fs::read_dir(source.parent().unwrap()).unwrap().count();
    assert_eq!(beside, 2, "nothing is left beside the source but the cache");
    assert_eq!(setting.build(&source).unwrap(), command);
    assert!(setting.programs() <= 1);
    command
}

#[test]
fn c_is_compiled() {
    if has(&["gcc"]) {
        let text = "#include <stdio.h>\n#include <math.h>\nint main(int n, char **a) { return puts(sqrt(n) > 0 ? \"hello\" : a[0]) < 0; }\n";
        let command = says_hello("hello.c", text);
        assert_eq!(command.language.as_deref(), Some("C"));
        assert_eq!(command.reads, std::slice::from_ref(&command.program));
        assert_eq!(command.program.file_name(), Some(OsStr::new("hello")));
    }
}

#[test]
fn cpp_is_compiled() {
    if has(&["g++"]) {
        let text = "#include <cstdio>\n#include <bit>\nint main() { std::puts(std::popcount(3u) == 2 ? \"hello\" : \"\"); }\n";
        says_hello("-hello world.cpp", text);
    }
}

#[test]
fn rust_is_compiled() {
    if has(&["rustc"]) {
        says_hello("1.hello.rs", "fn main() { println!(\"hello\"); }\n");
    }
}

#[test]
fn go_is_compiled() {
    if has(&["go"]) {
        says_hello(
            "hello.go",
            "package main\nfunc main() { print(\"hello\\n\") }\n",
        );
    }
}

#[test]
fn python_is_checked_and_run() {
    if has(&["python3"]) {
        let command = says_hello("hello.py", "print('hello')\n");
        assert_eq!(command.argv.len(), 2);
    }
}

#[test]
fn javascript_is_checked_and_run() {
    if has(&["node"]) {
        says_hello("hello.js", "console.log('hello')\n");
    }
}

#[test]
fn shell_is_checked_and_run() {
    says_hello("hello.sh", "echo hello\n");
}

#[test]
fn java_is_compiled_and_its_class_is_found() {
    if has(&["javac", "java"]) {
        let text = "class Aid { static String word() { return \"hello\"; } }\nclass contestant { public static void main(String[] a) { System.out.println(Aid.word()); } }\n";
        let command = says_hello("contestant.java", text);
        assert_eq!(command.argv.last(), Some(&"contestant".into()));
    }
}

#[test]
fn java_with_a_public_class_of_another_name_is_compiled() {
    if has(&["javac", "java"]) {
        let text = "package my.own;\npublic class Main { public static void main(String[] a) { System.out.println(\"hello\"); } }\n";
        let command = says_hello("wrong_greedy.java", text);
        assert_eq!(command.argv.last(), Some(&"my.own.Main".into()));
    }
}

#[test]
fn java_without_a_main_is_explained() {
    if has(&["javac", "java"]) {
        let setting = Setting::new();
        let source = setting.file("A.java", "class A {}\n");
        assert_eq!(
            setting.complaint(&source),
            "`DIR/A.java` has no class with a `public static void main(String[])`: nothing can be started"
        );
    }
}

#[test]
fn a_header_beside_the_source_is_found_and_decides_about_a_new_compilation() {
    if has(&["gcc"]) {
        let setting = Setting::new();
        let text = "#include <stdio.h>\n#include \"lib/word.h\"\nint main() { puts(WORD); }\n";
        let source = setting.file("a.c", text);
        setting.file("lib/word.h", "#include \"deep.h\"\n#define WORD DEEP\n");
        setting.file("lib/deep.h", "#define DEEP \"one\"\n");
        assert_eq!(output(&setting.build(&source).unwrap()), "one\n");
        setting.file("lib/deep.h", "#define DEEP \"two\"\n");
        assert_eq!(output(&setting.build(&source).unwrap()), "two\n");
        assert_eq!(setting.programs(), 2);
        setting.file("lib/deep.h", "#define DEEP \"one\"\n");
        assert_eq!(output(&setting.build(&source).unwrap()), "one\n");
        assert_eq!(setting.programs(), 2);
    }
}

#[test]
fn only_a_trusted_program_may_read_what_it_imports() {
    if has(&["python3"]) {
        let setting = Setting::new();
        let text = "import os, sys\n\
                    sys.path.insert(0, os.path.join(os.path.dirname(__file__), \"../shared\"))\n\
                    import strict\nprint(strict.WORD)\n";
        let source = setting.file("problem/a.py", text);
        let module = setting.file("shared/strict.py", "WORD = \"hello\"\n");
        let stray = setting.file("shared/stray.py", "");
        let command = setting.build(&source).unwrap();
        assert_eq!(output(&command), "hello\n");
        let shown = |command: &Command, file: &Path| {
            command.reads.iter().any(|read| file.starts_with(read))
        };
        assert!(!shown(&command, &module));
        let command = command.with_imports();
        assert!(shown(&command, &module) && !shown(&command, &stray));
    }
}

#[test]
fn a_program_that_was_deleted_from_the_cache_is_compiled_again() {
    if has(&["gcc"]) {
        let setting = Setting::new();
        let source = setting.file("a.c", "int main() { return 0; }\n");
        let command = setting.build(&source).unwrap();
        fs::remove_file(&command.program).unwrap();
        assert_eq!(setting.build(&source).unwrap(), command);
        assert!(command.program.exists());
    }
}

#[test]
fn a_compile_error_has_the_command_and_the_compilers_words() {
    if has(&["gcc"]) {
        let setting = Setting::new();
        let source = setting.file("my a.c", "int main() { return x; }\n");
        let complaint = setting.complaint(&source);
        let (first, rest) = complaint.split_once('\n').unwrap();
        assert_eq!(
            first,
            "`DIR/my a.c` does not compile with `gcc -O2 -std=gnu17 -pthread -g -I . -o 'my a' 'my a.c' -lm`:"
        );
        assert!(rest.starts_with("my a.c: In function"), "{rest}");
        assert!(rest.contains("my a.c:1:21: error: "), "{rest}");
        assert_eq!(setting.programs(), 0);
    }
}

#[test]
fn a_compiler_that_does_not_end_is_explained() {
    let setting = Setting::new();
    let source = setting.file("a.c", "");
    let job = Job {
        written: Path::new("x/a.c"),
        source,
        others: Vec::new(),
        depends: Vec::new(),
        language: setting.languages.named("C").unwrap(),
        cache: &setting.cache,
    };
    let ran = Ran {
        status: None,
        stdout: Vec::new(),
        stderr: b"still at it".to_vec(),
    };
    assert_eq!(
        job.refused(Some(Path::new("/usr/bin/gcc")), &ran)
            .to_string(),
        "`x/a.c` does not compile with `gcc -O2 -std=gnu17 -pthread -g -I . -o a a.c -lm` within 60 s; compile it yourself and give the program instead"
    );
}

#[test]
fn a_long_compile_error_is_cut() {
    if has(&["gcc"]) {
        let setting = Setting::new();
        let source = setting.file("a.c", &"#error no\n".repeat(100));
        let complaint = setting.complaint(&source);
        assert_eq!(complaint.lines().count(), 1 + SHOWN_LINES + 1);
        assert!(complaint.ends_with("more lines"), "{complaint}");
    }
}

#[test]
fn a_mistake_in_python_is_shown_without_running_it() {
    if has(&["python3"]) {
        let setting = Setting::new();
        let source = setting.file("a.py", "print('run')\nif\n");
        let complaint = setting.complaint(&source);
        let start = "`DIR/a.py` is not valid Python for `python3`:\n  File \"DIR/a.py\", line 2\n";
        assert!(complaint.starts_with(start), "{complaint}");
        assert!(complaint.contains("SyntaxError"), "{complaint}");
        assert!(!complaint.contains("run"), "{complaint}");
        // Modules of the standard library are not taken from beside the source.
        setting.file("traceback.py", "raise SystemExit('wrong module')\n");
        assert!(setting.complaint(&source).contains("SyntaxError"));
    }
}

#[test]
fn a_mistake_in_javascript_is_shown() {
    if has(&["node"]) {
        let setting = Setting::new();
        let source = setting.file("a.js", "let x = ;\n");
        let complaint = setting.complaint(&source);
        assert!(
            complaint.starts_with("`DIR/a.js` is not valid JavaScript for `node`:\nDIR/a.js:1\n"),
            "{complaint}"
        );
    }
}

#[test]
fn a_mistake_in_a_shell_script_is_shown() {
    let setting = Setting::new();
    let source = setting.file("a.sh", "if\n");
    let complaint = setting.complaint(&source);
    assert!(
        complaint.contains("a.sh` is not valid shell for `"),
        "{complaint}"
    );
}

/// A language of the test's own.
fn invented(setting: &mut Setting, keys: &str) -> PathBuf {
    let text = format!("[[language]]\nname = \"Xyz\"\nsuffixes = [\"xyz\"]\n{keys}\n");
    let file = setting.file("xyz.toml", &text);
    setting.languages = Languages::with_file(&file).unwrap();
    setting.file("a.xyz", "text\n")
}

#[test]
fn a_compiler_that_is_not_installed_is_named_with_its_package() {
    let mut setting = Setting::new();
    let source = invented(
        &mut setting,
        "compilers = [\"xyzc\", \"xyz-compiler\"]\ncompile = [\"{compiler}\"]\nrun = [\"{output}\"]\npackage = \"xyz-tools\"",
    );
    insta::assert_snapshot!(setting.complaint(&source), @r"`DIR/a.xyz` is Xyz and needs `xyzc` or `xyz-compiler`, which $PATH does not have: install it, on Debian or Ubuntu with `apt install xyz-tools`");
    let source = invented(
        &mut setting,
        "interpreters = [\"xyz\"]\nrun = [\"{interpreter}\", \"{source}\"]",
    );
    insta::assert_snapshot!(setting.complaint(&source), @r"`DIR/a.xyz` is Xyz and needs `xyz`, which $PATH does not have: install it, or put its folder into $PATH");
    let source = invented(
        &mut setting,
        "compile = [\"xyzc\", \"{output}\"]\nrun = [\"{output}\"]",
    );
    insta::assert_snapshot!(setting.complaint(&source), @r"`DIR/a.xyz` is Xyz and needs `xyzc`, which $PATH does not have: install it, or put its folder into $PATH");
}

#[test]
fn a_compiler_that_makes_nothing_is_explained() {
    let mut setting = Setting::new();
    let source = invented(
        &mut setting,
        "compile = [\"true\", \"{output}\"]\nrun = [\"{output}\"]",
    );
    insta::assert_snapshot!(setting.complaint(&source), @r"`true a` ended well but made no program of `DIR/a.xyz`: check the language's `compile` command");
    let source = invented(
        &mut setting,
        "compile = [\"false\", \"{output}\"]\nrun = [\"{output}\"]",
    );
    insta::assert_snapshot!(setting.complaint(&source), @r"
    `DIR/a.xyz` does not compile with `false a`:
    (it exited with code 1 and said nothing)
    ");
}

#[test]
fn environment_and_folders_reach_the_compiler() {
    let mut setting = Setting::new();
    let source = invented(
        &mut setting,
        "compile = [\"sh\", \"-c\", 'printf \"#!/bin/sh\\necho $WHERE $1\\n\" > \"$0\"; chmod +x \"$0\"', \"{output}\", \"{source}\"]\nrun = [\"sh\", \"{output}\"]\nenvironment = { WHERE = \"{cache}/x\" }",
    );
    let command = setting.build(&source).unwrap();
    let where_to = setting.cache.folder().join("x");
    assert_eq!(output(&command), format!("{} a.xyz\n", where_to.display()));
    assert_eq!(
        command.program,
        Path::new("/bin/sh").canonicalize().unwrap()
    );
    assert_eq!(command.language.as_deref(), Some("Xyz"));
}

#[test]
fn what_is_no_source_is_explained() {
    let setting = Setting::new();
    let text = setting.file("a.txt", "");
    insta::assert_snapshot!(setting.complaint(&text), @r"`DIR/a.txt` is not a source of a known language; known suffixes are `c`, `cpp`, `cc`, `cxx`, `c++`, `rs`, `py`, `java`, `js`, `mjs`, `cjs`, `go`, `sh` and `bash`; a language file can add more");
    let folder = setting.file("b.c/inner", "");
    insta::assert_snapshot!(setting.complaint(folder.parent().unwrap()), @r"`DIR/b.c` is not a file, but its name is that of a C source");
    let gone = folder.with_file_name("gone.py");
    insta::assert_snapshot!(setting.complaint(&gone), @r"cannot read the source `DIR/b.c/gone.py`: no such file or directory");
}
