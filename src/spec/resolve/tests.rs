//! Command lines as users write them, good and bad.

use super::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
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

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>, mode: u32) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        path
    }

    fn resolve<W: Into<OsString>>(&self, words: impl IntoIterator<Item = W>) -> Result<Command> {
        let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        resolve(&words, &self.languages, &self.cache)
    }

    /// The complaint about a command line, with the test's folder shown as `DIR`.
    fn complaint<W: Into<OsString>>(&self, words: impl IntoIterator<Item = W>) -> String {
        let text = self.resolve(words).unwrap_err().to_string();
        text.replace(&self.path("").display().to_string(), "DIR/")
    }
}

fn elf(machine: u16, class: u8) -> Vec<u8> {
    let mut bytes = vec![0; 64];
    bytes[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', class, 1]);
    bytes[16] = 2;
    bytes[18..20].copy_from_slice(&machine.to_le_bytes());
    bytes
}

fn real(path: &str) -> PathBuf {
    Path::new(path).canonicalize().unwrap()
}

#[test]
fn a_program_from_the_path_keeps_its_name() {
    let setting = Setting::new();
    let command = setting.resolve(["cat", "-n"]).unwrap();
    assert_eq!(command.program, real("/bin/cat"));
    assert_eq!(command.argv, ["cat", "-n"].map(OsString::from));
    assert_eq!(command.reads, [real("/bin/cat")]);
    assert_eq!(command.shown, "cat -n");
    assert_eq!(command.language, None);
    assert_eq!(command.profile, Profile::Native);
}

#[test]
fn a_link_is_followed_but_names_the_program() {
    let setting = Setting::new();
    let link = setting.path("link");
    symlink("/bin/cat", &link).unwrap();
    let command = setting.resolve([&link]).unwrap();
    assert_eq!(command.program, real("/bin/cat"));
    assert_eq!(command.argv, [link.as_os_str()]);
}

#[test]
fn files_among_the_arguments_can_be_read_and_folders_cannot() {
    let setting = Setting::new();
    let file = setting.file("data.txt", "", 0o644);
    let link = setting.path("link.txt");
    symlink("data.txt", &link).unwrap();
    let folder = setting.path("");
    let words = [
        Path::new("cat"),
        Path::new("--file"),
        &link,
        &folder,
        Path::new("."),
        Path::new("/nowhere/x"),
    ];
    let command = setting.resolve(words).unwrap();
    assert_eq!(command.reads, [real("/bin/cat"), file, link]);
    assert_eq!(command.argv.len(), 6);
}

#[test]
fn a_long_command_line_is_cut_where_it_is_shown() {
    let setting = Setting::new();
    let long = "x".repeat(100);
    let command = setting.resolve(["cat", &long]).unwrap();
    assert_eq!(command.shown, "cat ...");
    let command = setting.resolve(["cat", "a b"]).unwrap();
    assert_eq!(command.shown, "cat 'a b'");
}

#[test]
fn what_is_no_program_is_explained() {
    let setting = Setting::new();
    let mut complaints = Vec::new();
    let mut check = |word: &Path| complaints.push(setting.complaint([word]));
    check(&setting.path("gone"));
    check(&setting.path(""));
    check(&setting.file("empty", "", 0o755));
    check(&setting.file("plain", "hello\n", 0o755));
    check(&setting.file("data", "hello\n", 0o644));
    check(&setting.file("my prog", elf(62, 2), 0o644));
    check(&setting.file("script", "#!/bin/sh\n", 0o644));
    check(&setting.file("arm", elf(183, 2), 0o755));
    check(&setting.file("x86", elf(3, 1), 0o755));
    check(&setting.file("prog.exe", "MZ", 0o755));
    symlink("gone", setting.path("dangling")).unwrap();
    check(&setting.path("dangling"));
    check(&setting.path("data/below"));
    check(Path::new("/dev/null"));
    insta::assert_snapshot!(complaints.join("\n"), @r"
    there is no file `DIR/gone`
    `DIR/` is a folder, not a program: name a file in it
    `DIR/empty` is empty: compile or write it first
    `DIR/plain` is neither an ELF program, nor a script that begins with `#!`, nor a source of a known language: give it the suffix of its language (such as `.cpp` or `.py`), or begin it with `#!` and its interpreter
    `DIR/data` is neither an ELF program, nor a script that begins with `#!`, nor a source of a known language: give it the suffix of its language (such as `.cpp` or `.py`), or begin it with `#!` and its interpreter
    `DIR/my prog` is not executable: make it so with `chmod +x 'DIR/my prog'`
    `DIR/script` is not executable: make it so with `chmod +x DIR/script`
    `DIR/arm` is a 64-bit ARM program, and this machine runs 64-bit x86-64 programs
    `DIR/x86` is a 32-bit x86 program, and this machine runs 64-bit x86-64 programs
    `DIR/prog.exe` is a Windows program, which Linux cannot execute by itself: write the program that runs it before it
    `DIR/dangling` is a link to `gone`, which does not exist
    cannot read the program `DIR/data/below`: not a directory
    `/dev/null` is neither a file nor a folder, and cannot be executed
    ");
}

#[test]
fn what_is_not_there_is_explained() {
    let setting = Setting::new();
    let none: [&str; 0] = [];
    let complaints = [
        setting.complaint(none),
        setting.complaint([""]),
        setting.complaint(["no-such-program-here"]),
        setting.complaint(["no-such-source.cpp"]),
        setting.complaint(["./no-such-source.cpp"]),
    ];
    insta::assert_snapshot!(complaints.join("\n"), @r"
    there is no program to run: give a program or a source file
    the program's name is empty: give a program or a source file
    $PATH has no program `no-such-program-here`: check the name, or give a path to the program
    there is no file `no-such-source.cpp`
    there is no file `./no-such-source.cpp`
    ");
}

#[test]
fn a_script_becomes_a_command_of_its_interpreter() {
    let setting = Setting::new();
    let script = setting.file("run", "#!/bin/cat -u -n\n", 0o755);
    let command = setting
        .resolve([script.as_os_str(), OsStr::new("x")])
        .unwrap();
    assert_eq!(command.program, real("/bin/cat"));
    let argv = [
        OsStr::new("/bin/cat"),
        OsStr::new("-u -n"),
        script.as_os_str(),
        OsStr::new("x"),
    ];
    assert_eq!(command.argv, argv);
    assert_eq!(command.reads, [real("/bin/cat"), script]);
}

#[test]
fn a_script_of_env_is_looked_up() {
    let setting = Setting::new();
    let script = setting.file("run", "#!/usr/bin/env -S cat -u '-n x'\n", 0o755);
    let command = setting.resolve([&script]).unwrap();
    assert_eq!(command.program, real("/bin/cat"));
    assert_eq!(command.argv[1..3], ["-u", "-n x"].map(OsString::from));
    let script = setting.file("run", "#!/usr/bin/env X=1 cat\n", 0o755);
    let command = setting.resolve([&script]).unwrap();
    assert_eq!(command.program, real("/usr/bin/env"));
    assert_eq!(
        command.argv[1..],
        [OsStr::new("X=1 cat"), script.as_os_str()]
    );
}

#[test]
fn a_script_whose_interpreter_is_a_script_has_both() {
    let setting = Setting::new();
    let inner = setting.file("inner", "#!/bin/cat\n", 0o755);
    let outer = setting.file("outer", format!("#!{} -x\n", inner.display()), 0o755);
    let command = setting.resolve([&outer]).unwrap();
    assert_eq!(command.program, real("/bin/cat"));
    let argv = [
        OsStr::new("/bin/cat"),
        inner.as_os_str(),
        OsStr::new("-x"),
        outer.as_os_str(),
    ];
    assert_eq!(command.argv, argv);
    assert_eq!(command.reads, [real("/bin/cat"), inner, outer]);
}

#[test]
fn a_script_that_cannot_start_is_explained() {
    let setting = Setting::new();
    let mut complaints = Vec::new();
    let mut check = |text: &str| {
        let script = setting.file("run", text, 0o755);
        complaints.push(setting.complaint([script]));
    };
    check("#!/usr/bin/pythn3\n");
    check("#!/usr/bin/env pythn3\n");
    check("#!/usr/bin/env python3 -u\n");
    check("#!/bin/sh\r\necho\r\n");
    check("#!/usr/bin/env python3\r\n");
    check(&format!("#!{}\n", setting.path("run").display()));
    let arm = setting.file("arm", elf(183, 2), 0o755);
    check(&format!("#!{}\n", arm.display()));
    insta::assert_snapshot!(complaints.join("\n"), @r"
    the first line of `DIR/run` names the interpreter `/usr/bin/pythn3`, which does not exist: install it, or change the line
    the first line of `DIR/run` asks for `pythn3`, which $PATH does not have: install it, or change the line
    the first line of `DIR/run` gives `env` the one word `python3 -u`, which is no program: write `#!/usr/bin/env -S python3 -u`
    `DIR/run` has Windows line ends, so the interpreter in its first line is not found: convert it with `sed -i 's/\r$//' DIR/run`
    `DIR/run` has Windows line ends, so the interpreter in its first line is not found: convert it with `sed -i 's/\r$//' DIR/run`
    `DIR/run` cannot be started: its interpreter is a script, whose interpreter is a script, and so on
    `DIR/run` names an interpreter that cannot be used: `DIR/arm` is a 64-bit ARM program, and this machine runs 64-bit x86-64 programs
    ");
}

#[test]
fn a_source_is_built_even_if_the_file_system_calls_it_executable() {
    let setting = Setting::new();
    for mode in [0o644, 0o755] {
        let source = setting.file("talk.sh", "echo hello\n", mode);
        let command = setting
            .resolve([source.as_os_str(), OsStr::new("x")])
            .unwrap();
        assert_eq!(command.language.as_deref(), Some("shell"));
        assert_eq!(command.profile, Profile::Shell);
        assert_eq!(command.argv[1..], [source.as_os_str(), OsStr::new("x")]);
        assert!(command.reads.contains(&source));
    }
}

#[test]
fn an_executable_script_with_a_suffix_is_run_as_its_first_line_says() {
    let setting = Setting::new();
    let script = setting.file("talk.py", "#!/bin/cat\n", 0o755);
    let command = setting.resolve([&script]).unwrap();
    assert_eq!(command.program, real("/bin/cat"));
    assert_eq!(command.language.as_deref(), Some("Python"));
    // The suffix says one thing, the file another: what is executed decides.
    assert_eq!(command.profile, Profile::Native);
}

#[test]
fn a_script_and_a_bare_interpreter_have_the_interpreters_profile() {
    let setting = Setting::new();
    let script = setting.file("talk", "#!/bin/sh\necho\n", 0o755);
    assert_eq!(setting.resolve([&script]).unwrap().profile, Profile::Shell);
    assert_eq!(setting.resolve(["sh"]).unwrap().profile, Profile::Shell);
    let named_like_one = setting.file("java", elf(62, 2), 0o755);
    let command = setting.resolve([&named_like_one]).unwrap();
    assert_eq!(command.profile, Profile::Native);
}

#[test]
fn a_file_with_an_interpreters_name_is_not_asked_anything() {
    let setting = Setting::new();
    let trap = format!("#!/bin/sh\ntouch {}\n", setting.path("asked").display());
    let program = setting.file("python3", trap, 0o755);
    let command = setting.resolve([&program]).unwrap();
    assert!(!setting.path("asked").exists());
    assert_eq!(command.argv.last(), Some(&program.into_os_string()));
}

#[test]
fn python_from_the_path_is_the_real_one_with_its_library() {
    let setting = Setting::new();
    let source = setting.file("a.py", "print(1)\n", 0o644);
    let script = setting.file("b.py", "#!/usr/bin/env python3\nprint(1)\n", 0o755);
    let by_name = setting
        .resolve([OsStr::new("python3"), source.as_os_str()])
        .unwrap();
    let by_line = setting.resolve([&script]).unwrap();
    assert_eq!(by_name.language.as_deref(), Some("Python"));
    assert_eq!(by_name.program, by_line.program);
    assert_eq!(by_name.argv[0], by_line.argv[0]);
    assert_eq!(inspect(&by_name.program).unwrap(), Kind::Program);
    assert!(by_name.reads.contains(&source));
    assert!(by_line.reads.contains(&script));
    // What it says it needs is enough for it to start with nothing else set.
    let output = std::process::Command::new(&by_name.program)
        .arg("-c")
        .arg("import sys, os; print(os.path.realpath(os.__file__))")
        .env_clear()
        .output()
        .unwrap();
    let library = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim_end());
    let shown = |path: &Path| {
        path.starts_with("/usr") || by_name.reads.iter().any(|read| path.starts_with(read))
    };
    assert!(shown(&library), "{library:?} {:?}", by_name.reads);
}

#[test]
fn the_class_path_of_java_can_be_read() {
    let setting = Setting::new();
    let classes = setting.path("classes");
    fs::create_dir(&classes).unwrap();
    let jar = setting.file("lib.jar", "", 0o644);
    let java = setting.languages.named("Java");
    let list = format!("{}:{}:/nowhere", classes.display(), jar.display());
    let arguments = ["-cp".into(), OsString::from(list), "Main".into()];
    assert_eq!(named_files(&arguments, java), [classes, jar]);
    assert!(named_files(&arguments, None).is_empty());
}
