//! From a source file to a command: compiles it, or finds its interpreter.
//!
//! What is compiled is kept under a name that is made of everything it depends on, so that the
//! same source is compiled once, and never taken for an older one.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{Context, Error, Result, shown, unreadable};
pub use crate::spec::cache::Cache;
use crate::spec::command::Command;
use crate::spec::discover::{Runtime, discover};
use crate::spec::imports::imported;
use crate::spec::java_class::main_class;
use crate::spec::key::Key;
use crate::spec::language::{Language, Languages};
use crate::spec::lookup::find;
use crate::spec::nearest::listed;
use crate::spec::template::{fill, fill_word, uses};
use crate::spec::tool::{self, Ran};

mod folder;

pub(crate) use folder::build_folder;

/// The longest time that a compiler may take.
const COMPILE_TIME: Duration = Duration::from_secs(60);
/// How many lines of a compiler's output are shown.
const SHOWN_LINES: usize = 60;

/// Makes a command of a source file: compiled, or with its interpreter and checked for mistakes.
///
/// The compiler runs as the invoking user, outside any sandbox.
///
/// # Errors
///
/// [`Error::Usage`] if the language is not known, the compiler or interpreter is not installed,
/// or the source does not compile; the compiler's own words are in the message.
pub fn build(source: &Path, languages: &Languages, cache: &Cache) -> Result<Command> {
    let Some(language) = languages.of_source(source) else {
        let known: Vec<&str> = languages
            .iter()
            .flat_map(|language| language.suffixes.iter().map(String::as_str))
            .collect();
        return Err(Error::usage(format!(
            "{} is not a source of a known language; known suffixes are {}; a language file can add more",
            shown(source),
            listed(known)
        )));
    };
    let real = source
        .canonicalize()
        .map_err(|error| unreadable("source", source, &error))?;
    if !real.is_file() {
        return Err(Error::usage(format!(
            "{} is not a file, but its name is that of a {} source",
            shown(source),
            language.name
        )));
    }
    let job = Job {
        written: source,
        source: real,
        others: Vec::new(),
        depends: Vec::new(),
        language,
        cache,
    };
    job.command()
}

/// One source on its way to a command.
struct Job<'a> {
    /// The source as the user wrote it.
    written: &'a Path,
    /// The same, absolute and without links.
    source: PathBuf,
    /// Sources that are compiled together with it.
    others: Vec<PathBuf>,
    /// Files that decide about a new compilation, besides those that the source includes.
    depends: Vec<PathBuf>,
    language: &'a Language,
    cache: &'a Cache,
}

impl Job<'_> {
    fn command(&self) -> Result<Command> {
        let language = self.language;
        let run = &language.run;
        let runtime = match language.interpreters.is_empty() {
            true => None,
            false => Some(self.interpreter()?),
        };
        let folder = match (language.compile.is_empty(), &runtime) {
            (false, _) => Some(self.compiled()?),
            (true, Some(runtime)) => self.check(runtime).map(|()| None)?,
            (true, None) => None,
        };

        let (mut reads, mut imports) = (Vec::new(), Vec::new());
        let mut values: Vec<(&str, &OsStr)> = vec![("source", self.source.as_os_str())];
        let output = folder.as_ref().map(|folder| folder.join(self.stem()));
        let class = folder
            .as_ref()
            .filter(|_| uses(run, "class"))
            .and_then(|folder| main_class(folder, &self.stem().to_string_lossy()));
        if let Some(output) = &output {
            values.push(("output", output.as_os_str()));
        }
        if let Some(folder) = &folder {
            values.push(("folder", folder.as_os_str()));
            // What is compiled into more than one file is shown as a whole.
            let whole = uses(run, "folder") || uses(run, "class");
            reads.extend(whole.then(|| folder.clone()).or(output.clone()));
        }
        if let Some(class) = &class {
            values.push(("class", OsStr::new(class)));
        }
        if uses(run, "source") {
            reads.push(self.source.clone());
            // What cannot be found any more is the interpreter's to complain about.
            imports.extend(self.imported().filter_map(|path| path.canonicalize().ok()));
        }
        if let Some(runtime) = &runtime {
            values.push(("interpreter", &runtime.name));
            reads.extend(runtime.reads.iter().cloned());
        }

        let argv = fill(run, &values);
        let program = match (run[0].as_str(), runtime) {
            ("{interpreter}", Some(runtime)) => runtime.program,
            _ => self.program(&argv[0])?,
        };
        if !reads.contains(&program) {
            reads.push(program.clone());
        }
        Ok(Command {
            program,
            argv,
            reads,
            imports,
            shown: self.written.display().to_string(),
            language: Some(language.name.clone()),
            profile: language.profile,
        })
    }

    /// The executable of a `run` command that does not begin with `{interpreter}`.
    fn program(&self, word: &OsStr) -> Result<PathBuf> {
        let found = match word.as_bytes().contains(&b'/') {
            true => Some(PathBuf::from(word)),
            false => find(word),
        };
        let wanted = [word.to_string_lossy().into_owned()];
        found
            .and_then(|path| path.canonicalize().ok())
            .ok_or_else(|| self.language.missing(&wanted, &shown(self.written)))
    }

    fn interpreter(&self) -> Result<Runtime> {
        let wanted = &self.language.interpreters;
        let path = wanted
            .iter()
            .find_map(find)
            .ok_or_else(|| self.language.missing(wanted, &shown(self.written)))?;
        discover(self.language, &path, self.cache)
    }

    /// The source's name without its suffix; the name of the program.
    fn stem(&self) -> &OsStr {
        self.source.file_stem().unwrap_or(OsStr::new("program"))
    }

    /// The folder with the compiled program.
    fn compiled(&self) -> Result<PathBuf> {
        let language = self.language;
        let compiler =
            match language.compilers.is_empty() {
                true => None,
                false => {
                    Some(language.compilers.iter().find_map(find).ok_or_else(|| {
                        language.missing(&language.compilers, &shown(self.written))
                    })?)
                }
            };
        let mut key = self.key("program")?;
        key.add_words(&language.compile)
            .add_words(language.environment.keys())
            .add_words(language.environment.values());
        if let Some(compiler) = &compiler {
            key.add_file(compiler);
        }
        let complete = |folder: &Path| self.is_complete(folder);
        self.cache
            .entry("programs", &key.name(), complete, |folder| {
                self.compile(compiler.as_deref(), folder)
            })
    }

    fn is_complete(&self, folder: &Path) -> bool {
        if uses(&self.language.run, "class") {
            main_class(folder, &self.stem().to_string_lossy()).is_some()
        } else if uses(&self.language.compile, "output") {
            folder.join(self.stem()).exists()
        } else {
            fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
        }
    }

    /// A key with the source and what it includes.
    fn key(&self, purpose: &str) -> Result<Key> {
        let mut key = Key::new(purpose);
        let read = |path: &Path| fs::read(path).map_err(|error| unreadable("source", path, &error));
        key.add(&self.language.name)
            .add(self.source.file_name().unwrap_or_default().as_bytes())
            .add(read(&self.source)?);
        for path in self.imported().chain(self.depends.iter().cloned()) {
            let name = path.strip_prefix(self.folder()).unwrap_or(&path);
            key.add(name.as_os_str().as_bytes()).add(read(&path)?);
        }
        Ok(key)
    }

    /// The files that the source includes.
    fn imported(&self) -> impl Iterator<Item = PathBuf> {
        let imports = self.language.imports.into_iter();
        imports.flat_map(|imports| imported(imports, &self.source))
    }

    /// The source's folder.
    fn folder(&self) -> &Path {
        self.source.parent().unwrap_or(Path::new("/"))
    }

    fn compile(&self, compiler: Option<&Path>, folder: &Path) -> Result<()> {
        let source = self.source.file_name().unwrap_or_default();
        let mut ran = self.run_compiler(compiler, folder, self.folder(), source)?;
        if !ran.succeeded()
            && let Some(name) = self.wanted_name(&ran)
        {
            let copy = || format!("copy {} for its compiler", shown(self.written));
            let other = tempfile::tempdir().context(copy)?;
            fs::copy(&self.source, other.path().join(&name)).context(copy)?;
            ran = self.run_compiler(compiler, folder, other.path(), OsStr::new(&name))?;
        }
        if !ran.succeeded() {
            return Err(self.refused(compiler, &ran));
        }
        if self.is_complete(folder) {
            return Ok(());
        }
        Err(Error::usage(match uses(&self.language.run, "class") {
            true => format!(
                "{} has no class with a `public static void main(String[])`: nothing can be started",
                shown(self.written)
            ),
            false => format!(
                "`{}` ended well but made no program of {}: check the language's `compile` command",
                self.shown_command(compiler),
                shown(self.written)
            ),
        }))
    }

    fn run_compiler(
        &self,
        compiler: Option<&Path>,
        folder: &Path,
        source_folder: &Path,
        source: &OsStr,
    ) -> Result<Ran> {
        let output = folder.join(self.stem());
        // The name alone makes short messages; a name like an option must not be one.
        let source = match source.as_bytes().first() {
            Some(b'-') => Path::new(".").join(source).into_os_string(),
            _ => source.to_owned(),
        };
        let mut values: Vec<(&str, &OsStr)> = vec![
            ("source", &source),
            ("output", output.as_os_str()),
            ("folder", folder.as_os_str()),
            ("include", self.folder().as_os_str()),
            ("cache", self.cache.folder().as_os_str()),
        ];
        if let Some(compiler) = compiler {
            values.push(("compiler", compiler.as_os_str()));
        }
        let mut words = fill(&self.language.compile, &values);
        if let Some(at) = words.iter().position(|word| *word == source) {
            let others = self.others.iter().map(|path| path.as_os_str().to_owned());
            words.splice(at + 1..at + 1, others);
        }
        // Without `{compiler}`, the first word is looked up here so that its absence is explained.
        self.program(&words[0])?;
        let environment: Vec<(OsString, OsString)> = self
            .language
            .environment
            .iter()
            .map(|(name, value)| (name.into(), fill_word(value, &values)))
            .collect();
        tool::run(&words, source_folder, &environment, COMPILE_TIME)
    }

    /// The file name under which the compiler wants the source, if that is what it says.
    fn wanted_name(&self, ran: &Ran) -> Option<String> {
        let phrase = self.language.renamed_after.as_deref()?;
        let words = ran.words(SHOWN_LINES);
        let (_, rest) = words.split_once(phrase)?;
        let name = rest.split_whitespace().next()?;
        (!name.contains('/') && !name.starts_with('.')).then(|| name.to_owned())
    }

    /// The compiler's command as a person would have written it.
    fn shown_command(&self, compiler: Option<&Path>) -> String {
        let here = OsStr::new(".");
        let name = compiler.and_then(Path::file_name).unwrap_or_default();
        let values = [
            ("source", self.source.file_name().unwrap_or_default()),
            ("output", self.stem()),
            ("folder", here),
            ("include", here),
            ("cache", here),
            ("compiler", name),
        ];
        let words = fill(&self.language.compile, &values);
        crate::spec::shell::join(words)
    }

    fn refused(&self, compiler: Option<&Path>, ran: &Ran) -> Error {
        let command = self.shown_command(compiler);
        let source = shown(self.written);
        if ran.status.is_none() {
            return Error::usage(format!(
                "{source} does not compile with `{command}` within {} s; compile it yourself and give the program instead",
                COMPILE_TIME.as_secs()
            ));
        }
        let words = match ran.words(SHOWN_LINES) {
            words if words.trim().is_empty() => format!("(it {} and said nothing)", ran.ending()),
            words => words,
        };
        Error::usage(format!(
            "{source} does not compile with `{command}`:\n{words}"
        ))
    }

    /// Checks an interpreted source for mistakes, once for each content.
    fn check(&self, runtime: &Runtime) -> Result<()> {
        if self.language.check.is_empty() {
            return Ok(());
        }
        let mut key = self.key("check")?;
        key.add_words(&self.language.check)
            .add_file(&runtime.program);
        let checked = |_: &Path| true;
        self.cache.entry("checked", &key.name(), checked, |_| {
            let values = [
                ("interpreter", runtime.name.as_os_str()),
                ("source", self.source.as_os_str()),
            ];
            let words = fill(&self.language.check, &values);
            let ran = tool::run(&words, self.folder(), &[], COMPILE_TIME)?;
            if ran.succeeded() {
                return Ok(());
            }
            let name = Path::new(&runtime.name).file_name().unwrap_or_default();
            let words = match ran.words(SHOWN_LINES) {
                words if words.trim().is_empty() => format!("(the check {})", ran.ending()),
                words => words,
            };
            Err(Error::usage(format!(
                "{} is not valid {} for `{}`:\n{words}",
                shown(self.written),
                self.language.name,
                name.display(),
            )))
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
