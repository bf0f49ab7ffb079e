//! A program that is a folder: several sources of one language, or a `build` and a `run`.

use std::fs;
use std::path::{Path, PathBuf};

use super::{COMPILE_TIME, Job, SHOWN_LINES};
use crate::error::{Context, Error, Result, shown, unreadable};
use crate::spec::cache::Cache;
use crate::spec::command::Command;
use crate::spec::key::Key;
use crate::spec::language::{Imports, Language, Languages};
use crate::spec::lookup::is_executable;
use crate::spec::resolve::resolve_file;
use crate::spec::tool;

/// How deep a program's folder is looked into; links could lead in a circle.
const DEEPEST: usize = 16;
/// The names of the source with which an interpreted program begins, and by which a compiled one is
/// called, without their suffixes; compared in small letters.
const FIRST: [&str; 2] = ["__main__", "main"];

/// Makes a command of a program's folder.
///
/// With a `build`, the folder is copied and `build` is run in the copy; with a `run`, or where
/// `build` has made one, that is the program. Otherwise all sources in the folder are of one
/// language: compiled together, or begun with `__main__` or `main`.
///
/// # Errors
///
/// [`Error::Usage`] if it is no such folder, or what it holds does not compile.
pub(crate) fn build_folder(folder: &Path, languages: &Languages, cache: &Cache) -> Result<Command> {
    let real = folder
        .canonicalize()
        .map_err(|error| unreadable("folder", folder, &error))?;
    let mut files = Vec::new();
    walk(&real, DEEPEST, &mut files)?;
    if ["build", "run"]
        .iter()
        .any(|name| real.join(name).is_file())
    {
        return build_and_run(folder, &real, &files, languages, cache);
    }
    let (language, sources) = sources(folder, &real, languages)?;
    let main = first(folder, language, &sources)?;
    let others = match language.compile.is_empty() || language.imports == Some(Imports::Rust) {
        true => Vec::new(),
        false => sources.into_iter().filter(|other| *other != main).collect(),
    };
    let job = Job {
        written: folder,
        source: main,
        others,
        depends: files,
        language,
        cache,
    };
    let mut command = job.command()?;
    if language.compile.is_empty() {
        command.reads.push(real);
    }
    Ok(command)
}

/// The sources in the folder itself and their language.
fn sources<'a>(
    folder: &Path,
    real: &Path,
    languages: &'a Languages,
) -> Result<(&'a Language, Vec<PathBuf>)> {
    let mut found: Vec<(&Language, PathBuf)> = Vec::new();
    for path in entries(real)?.into_iter().filter(|path| path.is_file()) {
        if let Some(language) = languages.of_source(&path) {
            found.push((language, path));
        }
    }
    let Some((language, _)) = found.first() else {
        return Err(Error::usage(format!(
            "the folder {} holds neither a source of a known language nor a `build` or `run`: put the program's sources into it",
            shown(folder)
        )));
    };
    let language = *language;
    if let Some((other, path)) = found.iter().find(|(other, _)| *other != language) {
        return Err(Error::usage(format!(
            "the folder {} holds sources in {} and in {} ({}): leave one language, or add a `build` that makes a `run`",
            shown(folder),
            language.name,
            other.name,
            path.file_name().unwrap_or_default().display()
        )));
    }
    Ok((language, found.into_iter().map(|(_, path)| path).collect()))
}

/// The source with which the program begins.
fn first(folder: &Path, language: &Language, sources: &[PathBuf]) -> Result<PathBuf> {
    let called = |path: &&PathBuf, name: &str| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        stem.eq_ignore_ascii_case(name)
    };
    let named = |name: &&str| sources.iter().find(|path| called(path, name)).cloned();
    if let Some(main) = FIRST.iter().find_map(named) {
        return Ok(main);
    }
    let together = !language.compile.is_empty() && language.imports != Some(Imports::Rust);
    match sources {
        [only] => Ok(only.clone()),
        [first, ..] if together => Ok(first.clone()),
        _ => Err(Error::usage(format!(
            "the folder {} holds {} sources in {}, and none is called `main`: nobody knows with which to begin",
            shown(folder),
            sources.len(),
            language.name
        ))),
    }
}

/// The program that `build` makes, or that `run` is.
fn build_and_run(
    folder: &Path,
    real: &Path,
    files: &[PathBuf],
    languages: &Languages,
    cache: &Cache,
) -> Result<Command> {
    let builds = real.join("build").is_file();
    let made_by = if builds {
        "its `build` did not make"
    } else {
        "it has"
    };
    for name in ["build", "run"] {
        let script = real.join(name);
        if script.is_file() && !is_executable(&script) {
            return Err(Error::usage(format!(
                "{} is not executable: make it so with `chmod +x`",
                shown(&folder.join(name))
            )));
        }
    }
    let mut key = Key::new("folder");
    for path in files {
        let name = path.strip_prefix(real).unwrap_or(path);
        key.add(name.as_os_str().as_encoded_bytes())
            .add([u8::from(is_executable(path))])
            .add(fs::read(path).map_err(|error| unreadable("file", path, &error))?);
    }
    let has_run = |entry: &Path| is_executable(&entry.join("run"));
    let entry = cache.entry("folders", &key.name(), has_run, |made| {
        copy(real, files, made)?;
        if builds {
            let words = [made.join("build").into_os_string()];
            let ran = tool::run(&words, made, &[], COMPILE_TIME)?;
            if !ran.succeeded() {
                return Err(Error::usage(format!(
                    "{} {}:\n{}",
                    shown(&folder.join("build")),
                    ran.ending(),
                    ran.words(SHOWN_LINES)
                )));
            }
        }
        match has_run(made) {
            true => Ok(()),
            false => Err(Error::usage(format!(
                "{} cannot be started: {made_by} an executable `run`",
                shown(folder)
            ))),
        }
    })?;
    let mut command = resolve_file(&entry.join("run"), &[], languages, cache)?;
    command.reads.push(entry);
    command.shown = folder.display().to_string();
    Ok(command)
}

fn copy(from: &Path, files: &[PathBuf], to: &Path) -> Result<()> {
    for file in files {
        let place = to.join(file.strip_prefix(from).unwrap_or(file));
        let action = || format!("copy {}", shown(file));
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).context(action)?;
        }
        fs::copy(file, &place).context(action)?;
    }
    Ok(())
}

/// Every file below the folder, in the order of their paths.
fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    for path in entries(folder)? {
        match path.is_dir() {
            true if depth > 0 => walk(&path, depth - 1, found)?,
            true => {
                return Err(Error::usage(format!(
                    "{} lies {DEEPEST} folders deep in a program: a link leads in a circle, or the folder is none of a program",
                    shown(&path)
                )));
            }
            false if path.is_file() => found.push(path),
            false => {}
        }
    }
    Ok(())
}

/// What lies in a folder, without hidden files and without what Python leaves, in order.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let list = || -> std::io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            if !name.as_encoded_bytes().starts_with(b".") && name != "__pycache__" {
                paths.push(entry.path());
            }
        }
        paths.sort();
        Ok(paths)
    };
    list().map_err(|error| unreadable("folder", folder, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::process;
    use tempfile::TempDir;

    /// A folder of these files; those that begin with `#!` are executable.
    fn folder(files: &[(&str, &str)]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join("p").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            if text.starts_with("#!") {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        folder
    }

    fn built(files: &[(&str, &str)]) -> Result<String> {
        let folder = folder(files);
        let cache = Cache::in_folder(&folder.path().join("cache")).unwrap();
        let command = build_folder(&folder.path().join("p"), &Languages::builtin(), &cache)?;
        let (name, arguments) = command.argv.split_first().unwrap();
        let mut process = process::Command::new(&command.program);
        std::os::unix::process::CommandExt::arg0(&mut process, name);
        let output = process.args(arguments).output().unwrap();
        Ok(String::from_utf8(output.stdout).unwrap())
    }

    fn complaint(files: &[(&str, &str)]) -> String {
        let text = built(files).unwrap_err().to_string();
        let words = text.split(' ').map(|word| match word.starts_with("`/") {
            true => &word[word.rfind("/p").unwrap_or(0)..],
            false => word,
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn sources_are_compiled_together() {
        let files = [
            (
                "a.c",
                "#include \"b.h\"\nint main(void) { return puts(text()) < 0; }",
            ),
            ("b.h", "#include <stdio.h>\nconst char *text(void);"),
            (
                "b.c",
                "#include \"b.h\"\nconst char *text(void) { return \"both\"; }",
            ),
        ];
        assert_eq!(built(&files).unwrap(), "both\n");
    }

    #[test]
    fn an_interpreted_program_begins_with_main() {
        let files = [
            ("__main__.py", "import other\nprint(other.text)"),
            ("__init__.py", ""),
            ("other.py", "text = 'other'"),
        ];
        assert_eq!(built(&files).unwrap(), "other\n");
    }

    #[test]
    fn a_build_makes_the_program() {
        let build = "#!/bin/sh\nprintf '#!/bin/sh\\ncat \"$(dirname \"$0\")/data/text\"\\n' > run\nchmod +x run\n";
        let files = [("build", build), ("data/text", "built\n")];
        assert_eq!(built(&files).unwrap(), "built\n");
        let run = "#!/bin/sh\necho ran\n";
        assert_eq!(built(&[("run", run)]).unwrap(), "ran\n");
    }

    #[test]
    fn what_is_no_program_is_told() {
        let told = [
            complaint(&[("notes.txt", "")]),
            complaint(&[("a.c", ""), ("b.py", "")]),
            complaint(&[("a.py", ""), ("b.py", "")]),
            complaint(&[("build", "")]),
            complaint(&[("build", "#!/bin/sh\n")]),
            complaint(&[("build", "#!/bin/sh\necho no >&2\nexit 3\n")]),
        ];
        insta::assert_snapshot!(told.join("\n"));
    }
}
