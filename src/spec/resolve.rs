//! From a command line as a user gave it to a command that can be started in a sandbox.
//!
//! The first word may be a program, a script, an interpreter or a source. Each mistake that the
//! kernel would answer with a bare "no such file or directory" or "exec format error" is found
//! here and explained.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, shown, unreadable};
use crate::spec::build::{build, build_folder};
use crate::spec::cache::Cache;
use crate::spec::command::Command;
use crate::spec::discover::discover;
use crate::spec::executable::{Kind, Shebang, inspect};
use crate::spec::language::{Language, Languages};
use crate::spec::lookup::{find, is_executable, is_installed};
use crate::spec::profile::Profile;
use crate::spec::shell::{join, quote};

/// As many interpreters in a row as the kernel follows (`execve(2)`).
const MOST_INTERPRETERS: usize = 4;
/// The longest command line that is shown as a whole.
const LONGEST_SHOWN: usize = 60;

/// Makes a command of a command line: a program by its path or from `$PATH`, or a source, and its
/// arguments.
///
/// # Errors
///
/// [`Error::Usage`] with a sentence if the first word is nothing that can be started here, or a
/// source that does not compile.
pub fn resolve(words: &[OsString], languages: &Languages, cache: &Cache) -> Result<Command> {
    let Some((word, arguments)) = words.split_first() else {
        return Err(Error::usage(
            "there is no program to run: give a program or a source file",
        ));
    };
    let path = locate(word, languages)?;
    resolve_at(&path, word, arguments, languages, cache)
}

/// Makes a command of a file, never looked up in `$PATH`, and its arguments.
///
/// # Errors
///
/// As [`resolve`].
pub fn resolve_file(
    path: &Path,
    arguments: &[OsString],
    languages: &Languages,
    cache: &Cache,
) -> Result<Command> {
    resolve_at(path, path.as_os_str(), arguments, languages, cache)
}

/// Makes a command of a file of a problem: a source is built even if it is executable. A folder is
/// a program of several files.
///
/// # Errors
///
/// As [`resolve`].
pub fn source_or_program(path: &Path, languages: &Languages, cache: &Cache) -> Result<Command> {
    match languages.of_source(path) {
        _ if path.is_dir() => build_folder(path, languages, cache),
        Some(_) => build(path, languages, cache),
        None => resolve_file(path, &[], languages, cache),
    }
}

fn resolve_at(
    path: &Path,
    word: &OsStr,
    arguments: &[OsString],
    languages: &Languages,
    cache: &Cache,
) -> Result<Command> {
    let resolver = Resolver { languages, cache };
    let mut command = resolver.start(path, word)?;
    let language = command.language.as_deref();
    let language = language.and_then(|name| languages.named(name));
    for path in named_files(arguments, language) {
        if !command.reads.contains(&path) {
            command.reads.push(path);
        }
    }
    command.argv.extend_from_slice(arguments);
    command.shown = shown_line(word, arguments);
    Ok(command)
}

/// The file that the first word means.
fn locate(word: &OsStr, languages: &Languages) -> Result<PathBuf> {
    if word.is_empty() {
        return Err(Error::usage(
            "the program's name is empty: give a program or a source file",
        ));
    }
    if word.as_bytes().contains(&b'/') {
        return Ok(PathBuf::from(word));
    }
    if let Some(found) = find(word) {
        return Ok(found);
    }
    let here = Path::new(".").join(word);
    let name = Path::new(word);
    match (here.is_file(), languages.of_source(name).is_some()) {
        (true, true) => Ok(here),
        (true, false) => Err(Error::usage(format!(
            "$PATH has no program {}; for the file in this folder write {}",
            shown(name),
            shown(&here)
        ))),
        (false, true) => Err(Error::usage(format!("there is no file {}", shown(name)))),
        (false, false) => Err(Error::usage(format!(
            "$PATH has no program {}: check the name, or give a path to the program",
            shown(name)
        ))),
    }
}

struct Resolver<'a> {
    languages: &'a Languages,
    cache: &'a Cache,
}

impl Resolver<'_> {
    /// The command for the first word alone; `word` is its `argv[0]`.
    fn start(&self, path: &Path, word: &OsStr) -> Result<Command> {
        self.check_file(path)?;
        let kind = inspect(path).map_err(|error| unreadable("program", path, &error))?;
        let source = self.languages.of_source(path);
        if source.is_some() && (!is_executable(path) || self.is_no_program(&kind)) {
            return build(path, self.languages, self.cache);
        }
        if let Some(complaint) = unusable(path, &kind) {
            return Err(Error::usage(complaint));
        }
        let mut command = self.execute(path, word, kind, 0)?;
        if let Some(language) = source {
            command.language = Some(language.name.clone());
        }
        Ok(command)
    }

    /// On some file systems every file is executable, so the bit alone does not tell.
    fn is_no_program(&self, kind: &Kind) -> bool {
        matches!(kind, Kind::Empty | Kind::Other(_))
    }

    fn check_file(&self, path: &Path) -> Result<()> {
        match std::fs::metadata(path) {
            Ok(found) if found.is_file() => Ok(()),
            Ok(found) if found.is_dir() => Err(Error::usage(format!(
                "{} is a folder, not a program: name a file in it",
                shown(path)
            ))),
            Ok(_) => Err(Error::usage(format!(
                "{} is neither a file nor a folder, and cannot be executed",
                shown(path)
            ))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(Error::usage(match std::fs::read_link(path) {
                    Ok(target) => format!(
                        "{} is a link to {}, which does not exist",
                        shown(path),
                        shown(&target)
                    ),
                    Err(_) => format!("there is no file {}", shown(path)),
                }))
            }
            Err(error) => Err(unreadable("program", path, &error)),
        }
    }

    /// The command for an executable file of a kind that can be executed.
    fn execute(&self, path: &Path, word: &OsStr, kind: Kind, depth: usize) -> Result<Command> {
        let real = path
            .canonicalize()
            .map_err(|error| unreadable("program", path, &error))?;
        let known = self.languages.of_interpreter(path);
        // A file that merely has an interpreter's name must not be asked: it would run unconfined.
        if let Some(language) = known.filter(|_| is_installed(path)) {
            let absolute = std::path::absolute(path);
            let absolute = absolute.map_err(|error| unreadable("program", path, &error))?;
            let runtime = discover(language, &absolute, self.cache)?;
            return Ok(Command {
                program: runtime.program,
                argv: vec![runtime.name],
                reads: runtime.reads,
                imports: Vec::new(),
                shown: String::new(),
                language: Some(language.name.clone()),
                profile: language.profile,
            });
        }
        match kind {
            Kind::Script(first_line) => self.script(path, &real, &first_line, depth),
            _ => Ok(Command {
                reads: vec![real.clone()],
                imports: Vec::new(),
                program: real,
                argv: vec![word.to_owned()],
                shown: String::new(),
                language: None,
                profile: Profile::Native,
            }),
        }
    }

    /// What the kernel makes of a script: the interpreter, its argument, the script.
    fn script(
        &self,
        path: &Path,
        real: &Path,
        first_line: &Shebang,
        depth: usize,
    ) -> Result<Command> {
        if depth >= MOST_INTERPRETERS {
            return Err(Error::usage(format!(
                "{} cannot be started: its interpreter is a script, whose interpreter is a script, and so on",
                shown(path)
            )));
        }
        let last = first_line
            .argument
            .as_ref()
            .unwrap_or(&first_line.interpreter);
        if last.as_bytes().ends_with(b"\r") {
            return Err(Error::usage(format!(
                "{0} has Windows line ends, so the interpreter in its first line is not found: convert it with `sed -i 's/\\r$//' {1}`",
                shown(path),
                quote(path)
            )));
        }
        let (interpreter, arguments) = self.interpreter(path, first_line)?;
        let kind = inspect(&interpreter)
            .map_err(|error| unreadable("interpreter", &interpreter, &error))?;
        if let Some(complaint) = unusable(&interpreter, &kind) {
            return Err(Error::usage(format!(
                "{} names an interpreter that cannot be used: {complaint}",
                shown(path)
            )));
        }
        let word = interpreter.clone().into_os_string();
        let mut command = self.execute(&interpreter, &word, kind, depth + 1)?;
        command.argv.extend(arguments);
        command.argv.push(path.as_os_str().to_owned());
        for read in with_link(path, real) {
            if !command.reads.contains(&read) {
                command.reads.push(read);
            }
        }
        Ok(command)
    }

    /// The interpreter of a first line, with `env` seen through, and the arguments before the
    /// script.
    fn interpreter(&self, path: &Path, line: &Shebang) -> Result<(PathBuf, Vec<OsString>)> {
        let interpreter = PathBuf::from(&line.interpreter);
        if interpreter.file_name() == Some(OsStr::new("env"))
            && let Some(argument) = &line.argument
            && let Some(words) = words_of_env(path, argument)?
        {
            let name = PathBuf::from(&words[0]);
            let found = match name.components().count() {
                1 => find(&name),
                _ => Some(name.clone()),
            };
            let Some(found) = found else {
                return Err(Error::usage(format!(
                    "the first line of {} asks for {}, which $PATH does not have: install it, or change the line",
                    shown(path),
                    shown(&name)
                )));
            };
            self.check_interpreter(path, &found)?;
            return Ok((found, words[1..].to_vec()));
        }
        self.check_interpreter(path, &interpreter)?;
        Ok((interpreter, line.argument.iter().cloned().collect()))
    }

    fn check_interpreter(&self, script: &Path, interpreter: &Path) -> Result<()> {
        if interpreter.is_file() {
            return Ok(());
        }
        Err(Error::usage(format!(
            "the first line of {} names the interpreter {}, which does not exist: install it, or change the line",
            shown(script),
            shown(interpreter)
        )))
    }
}

/// The words that `env` would start, or `None` if it is used for more than finding a program.
fn words_of_env(script: &Path, argument: &OsStr) -> Result<Option<Vec<OsString>>> {
    let Some(text) = argument.to_str() else {
        return Ok(None);
    };
    let words = match text.strip_prefix("-S") {
        Some(rest) => shell_words::split(rest).unwrap_or_default(),
        None if text.starts_with('-') || text.contains('=') => return Ok(None),
        None if text.contains([' ', '\t']) => {
            return Err(Error::usage(format!(
                "the first line of {} gives `env` the one word `{text}`, which is no program: write `#!/usr/bin/env -S {text}`",
                shown(script)
            )));
        }
        None => vec![text.to_owned()],
    };
    let plain = |word: &String| !word.starts_with('-') && !word.contains('=');
    let usable = words.first().is_some_and(plain);
    Ok(usable.then(|| words.into_iter().map(OsString::from).collect()))
}

/// Why a file cannot be executed, if it cannot.
fn unusable(path: &Path, kind: &Kind) -> Option<String> {
    let name = shown(path);
    let quoted = quote(path);
    let executable = is_executable(path);
    match kind {
        Kind::Empty => Some(format!("{name} is empty: compile or write it first")),
        Kind::Foreign(what) => Some(format!(
            "{name} is {what}, and this machine runs 64-bit x86-64 programs"
        )),
        Kind::Program if !executable => Some(format!(
            "{name} is not executable: make it so with `chmod +x {quoted}`"
        )),
        Kind::Script(_) if !executable => Some(format!(
            "{name} is not executable: make it so with `chmod +x {quoted}`"
        )),
        Kind::Program | Kind::Script(_) => None,
        Kind::Other(Some(what)) => Some(format!(
            "{name} is {what}, which Linux cannot execute by itself: write the program that runs it before it"
        )),
        Kind::Other(None) => Some(format!(
            "{name} is neither an ELF program, nor a script that begins with `#!`, nor a source of a known language: give it the suffix of its language (such as `.cpp` or `.py`), or begin it with `#!` and its interpreter"
        )),
    }
}

/// The files among the arguments, which the program may want to read.
///
/// Folders are left out: a `.` among the arguments must not show a contestant the tests. Only
/// what an interpreter takes as its path of classes or modules is shown as a whole.
fn named_files(arguments: &[OsString], language: Option<&Language>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut is_path_list = false;
    for argument in arguments {
        if is_path_list {
            let entries = std::env::split_paths(argument).filter(|entry| entry.exists());
            files.extend(entries.flat_map(|entry| both(&entry)));
        } else if Path::new(argument).is_file() && !is_stream(Path::new(argument)) {
            files.extend(both(Path::new(argument)));
        }
        is_path_list = language.is_some_and(|language| {
            let options = &language.path_options;
            options.iter().any(|option| argument == option.as_str())
        });
    }
    files
}

/// True for the names of a process's own files, such as `/dev/stdout`: in the program they mean its
/// own, and not ours.
fn is_stream(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

fn both(path: &Path) -> Vec<PathBuf> {
    match path.canonicalize() {
        Ok(real) => with_link(path, &real),
        Err(_) => Vec::new(),
    }
}

/// A file's real path, and the absolute path by which it is named where that differs.
fn with_link(path: &Path, real: &Path) -> Vec<PathBuf> {
    let mut paths = vec![real.to_owned()];
    // Without `.` and `..`, which are no names; a folder's link is followed for that.
    let named = std::path::absolute(path).ok().and_then(|path| {
        let folder = path.parent()?.canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    });
    paths.extend(named.filter(|named| named != real));
    paths
}

/// The command line as a message shows it.
fn shown_line(word: &OsStr, arguments: &[OsString]) -> String {
    let words = std::iter::once(word).chain(arguments.iter().map(OsString::as_os_str));
    let whole = join(words);
    match whole.chars().count() <= LONGEST_SHOWN {
        true => whole,
        false => format!("{} ...", quote(word)),
    }
}

#[cfg(test)]
mod tests;
