//! What an interpreter really is, and what it must be able to read.
//!
//! A sandboxed program sees little more than `/usr`. The `python3` of a version manager is a
//! script that searches a home folder for the real one; a virtual environment is a link and a
//! configuration file beside it; a distribution's Java reads files below `/etc`. The interpreter
//! itself knows all that, so the language table has a command that makes it say so. It costs
//! some 100 ms, so its answer is kept.
//!
//! Only interpreters that are [installed](crate::spec::lookup::is_installed) are asked, because
//! asking means to start them outside any sandbox.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{Context, Error, Result, shown};
use crate::spec::cache::Cache;
use crate::spec::executable::{Kind, inspect};
use crate::spec::key::Key;
use crate::spec::language::Language;
use crate::spec::template::fill;
use crate::spec::tool;

/// An interpreter, ready to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Runtime {
    /// The file to execute, without links.
    pub(crate) program: PathBuf,
    /// Its `argv[0]`: the path by which it finds its library (a virtual environment is found
    /// through the link, not through its target).
    pub(crate) name: OsString,
    /// The program and everything else that it must be able to read.
    pub(crate) reads: Vec<PathBuf>,
}

/// How long an interpreter may take for its answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// The entry's file in the cache.
const ANSWER: &str = "answer";

/// Files by which version managers (pyenv, asdf, mise, nvm and their like) choose a version for a
/// folder and everything below it.
const VERSION_FILES: &[&str] = &[
    ".python-version",
    ".node-version",
    ".nvmrc",
    ".java-version",
    ".tool-versions",
    "mise.toml",
    ".mise.toml",
];
/// Beginnings of the environment variables by which they choose.
const VERSION_VARIABLES: &[&str] = &["PYENV_", "NODENV_", "JENV_", "ASDF_", "MISE_", "VOLTA_"];

/// Asks the interpreter at `path` (absolute) what it is, or takes its earlier answer.
///
/// # Errors
///
/// [`Error::Usage`] if it gives no answer and is not a program that could be run without one.
pub(crate) fn discover(language: &Language, path: &Path, cache: &Cache) -> Result<Runtime> {
    if language.discover.is_empty() {
        return plain(path);
    }
    let mut key = Key::new("interpreter");
    key.add_words(&language.discover).add_file(path);
    if let Ok(Kind::Script(_)) = inspect(path) {
        add_choice_of_version(&mut key, path);
    }
    let complete = |entry: &Path| read_answer(entry).is_some();
    let made = cache.entry("interpreters", &key.name(), complete, |folder| {
        let answer = ask(language, path)?;
        std::fs::write(folder.join(ANSWER), answer)
            .context(|| format!("keep what was found out about {}", shown(path)))
    });
    match made {
        Ok(entry) => read_answer(&entry).map_or_else(|| plain(path), Ok),
        // One that does not answer as expected may still run: its version may be too old for
        // the question, or it may need nothing that is not visible anyway.
        Err(Error::Usage(_)) if matches!(inspect(path), Ok(Kind::Program)) => plain(path),
        Err(error) => Err(error),
    }
}

/// An interpreter that needs nothing but itself.
fn plain(path: &Path) -> Result<Runtime> {
    let program = path
        .canonicalize()
        .map_err(|error| crate::error::unreadable("interpreter", path, &error))?;
    Ok(Runtime {
        reads: vec![program.clone()],
        name: path.as_os_str().to_owned(),
        program,
    })
}

/// A version manager's script may start another interpreter tomorrow, or in another folder.
fn add_choice_of_version(key: &mut Key, path: &Path) {
    let mut variables: Vec<(OsString, OsString)> = std::env::vars_os()
        .filter(|(name, _)| {
            let name = name.as_bytes();
            VERSION_VARIABLES
                .iter()
                .any(|start| name.starts_with(start.as_bytes()))
        })
        .collect();
    variables.sort();
    for (name, value) in variables {
        key.add(name.as_bytes()).add(value.as_bytes());
    }
    let here = std::env::current_dir().unwrap_or_default();
    let home = std::env::var_os("HOME").map(PathBuf::from);
    for folder in here.ancestors().chain(home.as_deref()) {
        for name in VERSION_FILES {
            let file = folder.join(name);
            if file.exists() {
                key.add_file(&file);
            }
        }
    }
    // `~/.pyenv/shims/python3` goes by `~/.pyenv/version` where nothing else chooses.
    if let Some(root) = path.parent().and_then(Path::parent) {
        key.add_file(&root.join("version"));
    }
}

/// Runs the language's command; its output, if it begins with an executable.
fn ask(language: &Language, path: &Path) -> Result<Vec<u8>> {
    let words = fill(&language.discover, &[("interpreter", path.as_os_str())]);
    let here = std::env::current_dir().context(|| "find the working folder".to_owned())?;
    let ran = tool::run(&words, &here, &[], PATIENCE)?;
    if ran.succeeded() && parse(&ran.stdout).is_some() {
        return Ok(ran.stdout);
    }
    let ending = match ran.succeeded() {
        true => "its answer names no program".to_owned(),
        false => format!("it {}", ran.ending()),
    };
    Err(Error::usage(format!(
        "{} does not say where its {} is: {ending}\n{}",
        shown(path),
        language.name,
        ran.words(20)
    )))
}

fn read_answer(entry: &Path) -> Option<Runtime> {
    parse(&std::fs::read(entry.join(ANSWER)).ok()?)
}

/// Reads an answer: an executable, then files and folders, one a line.
fn parse(answer: &[u8]) -> Option<Runtime> {
    let mut lines = answer
        .split(|byte| *byte == b'\n')
        .map(|line| PathBuf::from(OsString::from_vec(line.to_vec())));
    let name = lines.next()?;
    if !name.is_absolute() || !crate::spec::lookup::is_executable(&name) {
        return None;
    }
    let program = name.canonicalize().ok()?;
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let mut reads = vec![program.clone()];
    // The link itself, for an interpreter that looks around itself.
    let wanted = std::iter::once(name.clone()).chain(lines);
    let mut others: Vec<PathBuf> = wanted
        .flat_map(|path| allowed(&path, home.as_deref()))
        .filter(|path| *path != program)
        .collect();
    others.sort();
    // A folder comes before what is in it, which then need not be named.
    for path in others {
        if !reads.iter().any(|read| path.starts_with(read)) {
            reads.push(path);
        }
    }
    Some(Runtime {
        program,
        name: name.into_os_string(),
        reads,
    })
}

/// A path, as it is named and without links, as far as it may be shown to a program and is not
/// visible anyway. The link counts too: a virtual environment's python is one.
fn allowed(path: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    if !path.is_absolute() {
        return Vec::new();
    }
    let Ok(real) = path.canonicalize() else {
        return Vec::new();
    };
    // The whole disk or a whole home folder is never what an interpreter needs.
    if real == Path::new("/") || home.is_some_and(|home| home.starts_with(&real)) {
        return Vec::new();
    }
    [named(path), real]
        .into_iter()
        .filter(|path| !path.starts_with("/usr"))
        .collect()
}

/// A path whose folder has no links, but whose last part may be one.
fn named(path: &Path) -> PathBuf {
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    let name = path.file_name().unwrap_or(OsStr::new(""));
    folder.map_or_else(|| path.to_owned(), |folder| folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::language::Languages;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use tempfile::TempDir;

    /// A folder with an interpreter of the test's own, and a cache.
    struct Setting {
        folder: TempDir,
        cache: Cache,
        language: Language,
    }

    impl Setting {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let cache = Cache::in_folder(&folder.path().join("cache")).unwrap();
            let mut language = Languages::builtin().named("Python").unwrap().clone();
            language.discover = vec!["{interpreter}".into(), "where".into()];
            Setting {
                folder,
                cache,
                language,
            }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().canonicalize().unwrap().join(name)
        }

        fn program(&self, name: &str, text: &str) -> PathBuf {
            let path = self.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
            path
        }

        fn discover(&self, path: &Path) -> Result<Runtime> {
            discover(&self.language, path, &self.cache)
        }
    }

    #[test]
    fn a_shim_leads_to_the_real_interpreter_and_its_folders() {
        let setting = Setting::new();
        let real = setting.program("real/bin/python9", "#!/bin/sh\n");
        let link = setting.path("real/bin/python");
        symlink("python9", &link).unwrap();
        fs::create_dir_all(setting.path("real/lib/inner")).unwrap();
        let shim = setting.program(
            "shims/python",
            &format!(
                "#!/bin/sh\necho x >> {count}\ncat <<END\n{link}\n{lib}/inner\n{lib}\n{lib}/gone\nrelative\n/usr/lib\n/\nEND\n",
                count = setting.path("count").display(),
                link = link.display(),
                lib = setting.path("real/lib").display(),
            ),
        );
        let expected = Runtime {
            program: real.clone(),
            name: link.clone().into_os_string(),
            reads: vec![real, link, setting.path("real/lib")],
        };
        assert_eq!(setting.discover(&shim).unwrap(), expected);
        assert_eq!(setting.discover(&shim).unwrap(), expected);
        let asked = fs::read_to_string(setting.path("count")).unwrap();
        assert_eq!(asked, "x\n", "the second answer comes from the cache");

        // The global choice of a version manager changes: it is asked again.
        fs::write(setting.path("version"), "9.9\n").unwrap();
        setting.discover(&shim).unwrap();
        assert_eq!(fs::read_to_string(setting.path("count")).unwrap(), "x\nx\n");
    }

    #[test]
    fn a_shim_that_fails_is_quoted() {
        let setting = Setting::new();
        let shim = setting.program("shim", "#!/bin/sh\necho no such version >&2; exit 127\n");
        assert_eq!(
            setting.discover(&shim).unwrap_err().to_string(),
            format!(
                "`{}` does not say where its Python is: it exited with code 127\nno such version",
                shim.display()
            )
        );
        let shim = setting.program("shim", "#!/bin/sh\necho hello\n");
        assert_eq!(
            setting.discover(&shim).unwrap_err().to_string(),
            format!(
                "`{}` does not say where its Python is: its answer names no program\nhello",
                shim.display()
            )
        );
    }

    #[test]
    fn a_program_that_does_not_answer_is_taken_as_it_is() {
        let setting = Setting::new();
        let real = Path::new("/bin/false").canonicalize().unwrap();
        let link = setting.path("python3");
        symlink("/bin/false", &link).unwrap();
        let runtime = setting.discover(&link).unwrap();
        assert_eq!(runtime.program, real);
        assert_eq!(runtime.name, link.into_os_string());
        assert_eq!(runtime.reads, [real]);
    }

    #[test]
    fn a_home_folder_is_never_shown_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        let local = home.join("local");
        fs::create_dir(&local).unwrap();
        let none: [PathBuf; 0] = [];
        assert_eq!(allowed(&home, Some(&home)), none);
        assert_eq!(allowed(home.parent().unwrap(), Some(&home)), none);
        assert!(allowed(&local, Some(&home)).contains(&local));
    }

    #[test]
    fn a_virtual_environment_keeps_its_link_and_its_configuration() {
        let setting = Setting::new();
        let link = setting.path("venv/bin/python3");
        fs::create_dir_all(setting.path("venv/bin")).unwrap();
        symlink("/usr/bin/env", &link).unwrap();
        let settings = setting.path("venv/pyvenv.cfg");
        fs::write(&settings, "").unwrap();
        let answer = format!("{}\n{}\n", link.display(), settings.display());
        let runtime = parse(answer.as_bytes()).unwrap();
        assert_eq!(runtime.program, Path::new("/usr/bin/env"));
        assert_eq!(runtime.name, link.clone().into_os_string());
        assert_eq!(runtime.reads, [runtime.program.clone(), link, settings]);
    }

    #[test]
    fn the_installed_interpreters_answer() {
        for language in Languages::builtin().iter() {
            let path = language
                .interpreters
                .iter()
                .find_map(crate::spec::lookup::find);
            if let Some(path) = path.filter(|_| !language.discover.is_empty()) {
                let answer = ask(language, &path).unwrap();
                let runtime = parse(&answer).unwrap();
                let kind = inspect(&runtime.program).unwrap();
                assert_eq!(kind, Kind::Program, "{}", language.name);
            }
        }
    }
}
