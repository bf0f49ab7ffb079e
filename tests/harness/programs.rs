//! Sources to programs: what is compiled is compiled once, into cargo's folder for tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::identity::Identity;

/// The languages in which test programs are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    C,
    Cpp,
    Java,
    Python,
    Node,
    Rust,
}

impl Language {
    const ALL: [(&'static str, Language); 6] = [
        ("c", Language::C),
        ("cpp", Language::Cpp),
        ("java", Language::Java),
        ("py", Language::Python),
        ("js", Language::Node),
        ("rs", Language::Rust),
    ];

    /// The commands that compile and start it.
    fn tools(self) -> (Option<&'static str>, Option<&'static str>) {
        match self {
            Language::C => (Some("gcc"), None),
            Language::Cpp => (Some("g++"), None),
            Language::Java => (Some("javac"), Some("java")),
            Language::Python => (None, Some("python3")),
            Language::Node => (None, Some("node")),
            Language::Rust => (Some("rustc"), None),
        }
    }

    fn compiler(self) -> Option<&'static [&'static str]> {
        match self {
            Language::C => Some(&[
                "gcc",
                "-std=gnu11",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-pthread",
                "-o",
            ]),
            Language::Cpp => Some(&["g++", "-std=gnu++17", "-O1", "-o"]),
            Language::Java => Some(&["javac", "-d"]),
            Language::Rust => Some(&["rustc", "--edition=2024", "-O", "-o"]),
            Language::Python | Language::Node => None,
        }
    }
}

/// One source file.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    path: PathBuf,
    stem: String,
    language: Language,
    include: Option<PathBuf>,
    build: Option<Build>,
}

/// Another way to compile a source than its language's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Build {
    /// What the way is called.
    pub(crate) name: &'static str,
    /// The compiler and its arguments, of which the last one announces the program's path.
    pub(crate) compiler: &'static [&'static str],
}

/// A program as a command line.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) argv: Vec<String>,
}

impl Program {
    /// The same program with more arguments.
    pub(crate) fn with_args(&self, args: &[&str]) -> Program {
        let mut argv = self.argv.clone();
        argv.extend(args.iter().map(|arg| (*arg).to_owned()));
        Program { argv }
    }
}

impl Source {
    /// The source of this name in the folder, whatever its language.
    pub(crate) fn find(folder: &Path, stem: &str) -> Result<Source, String> {
        Language::ALL
            .iter()
            .map(|(ending, language)| (folder.join(format!("{stem}.{ending}")), *language))
            .find(|(path, _)| path.is_file())
            .map(|(path, language)| Source {
                path,
                stem: stem.to_owned(),
                language,
                include: None,
                build: None,
            })
            .ok_or_else(|| format!("{} has no {stem} in a known language", folder.display()))
    }

    /// The source in this file; its ending tells the language.
    pub(crate) fn at(path: &Path) -> Result<Source, String> {
        let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_owned();
        let (stem, ending) = (part(path.file_stem()), part(path.extension()));
        let language = Language::ALL.iter().find(|(known, _)| ending == **known);
        let (_, language) = language.ok_or("its language is not known")?;
        Ok(Source {
            path: path.to_owned(),
            stem: stem.to_string_lossy().into_owned(),
            language: *language,
            include: None,
            build: None,
        })
    }

    /// Where its header files lie.
    pub(crate) fn with_include(mut self, folder: &Path) -> Source {
        self.include = Some(folder.to_owned());
        self
    }

    /// The way in which it is compiled.
    pub(crate) fn built_by(mut self, build: Build) -> Source {
        self.build = Some(build);
        self
    }

    /// The command without which it cannot run here, if there is one.
    pub(crate) fn missing_tool(&self, identity: Identity) -> Option<&'static str> {
        let (mut compiler, runtime) = self.language.tools();
        if let Some(build) = self.build {
            compiler = build.compiler.first().copied();
        }
        let no_compiler = compiler.filter(|tool| Identity::Own.find(tool).is_none());
        no_compiler.or(runtime.filter(|tool| identity.find(tool).is_none()))
    }

    /// Compiles it if need be and says how to start it where it was built: a program of C, C++ or
    /// Rust.
    pub(crate) fn built(&self) -> Result<Program, String> {
        let program = self.compiled()?.join(&self.stem);
        let argv = vec![program.to_string_lossy().into_owned()];
        Ok(Program { argv })
    }

    /// Compiles it if need be, puts it into `folder` and says how to start it there.
    pub(crate) fn install(&self, folder: &Path) -> Result<Program, String> {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let command = |words: Vec<String>| Ok(Program { argv: words });
        match self.language {
            Language::C | Language::Cpp | Language::Rust => {
                let program = folder.join(&self.stem);
                copy(&self.compiled()?.join(&self.stem), &program)?;
                command(vec![text(program)])
            }
            Language::Java => {
                let built = self.compiled()?;
                let entries = fs::read_dir(&built).map_err(|error| failed(&built, &error))?;
                for entry in entries.flatten() {
                    if entry
                        .path()
                        .extension()
                        .is_some_and(|ending| ending == "class")
                    {
                        copy(&entry.path(), &folder.join(entry.file_name()))?;
                    }
                }
                let folder = text(folder.to_owned());
                command(
                    ["java", "-cp", &folder, &self.stem]
                        .map(str::to_owned)
                        .into(),
                )
            }
            Language::Python | Language::Node => {
                let name = self.path.file_name().unwrap_or_default();
                let script = folder.join(name);
                copy(&self.path, &script)?;
                let runtime = self.language.tools().1.unwrap_or_default();
                command(vec![runtime.to_owned(), text(script)])
            }
        }
    }

    /// The folder with the compiled program. It is compiled again only if the source or the
    /// compiler's command has changed.
    fn compiled(&self) -> Result<PathBuf, String> {
        let group = self
            .path
            .parent()
            .and_then(Path::file_name)
            .unwrap_or_default();
        let mut folder = cache_folder("programs")?.join(group);
        if let Some(build) = self.build {
            folder.push(format!("{:?}-{}", self.language, build.name));
        }
        let kept = folder.join(format!("{}.built-from", self.stem));
        fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        let words = match self.build {
            Some(build) => build.compiler,
            None => self.language.compiler().unwrap_or_default(),
        };
        let source = fs::read_to_string(&self.path).map_err(|error| failed(&self.path, &error))?;
        let recipe = format!("{words:?} {:?}\n{source}", self.include);
        if fs::read_to_string(&kept).is_ok_and(|before| before == recipe) {
            return Ok(folder);
        }
        // Another test process may be at the same source: each builds aside and moves it in.
        let aside = tempfile::tempdir_in(&folder).map_err(|error| failed(&folder, &error))?;
        let target = match self.language {
            Language::Java => aside.path().to_owned(),
            _ => aside.path().join(&self.stem),
        };
        let mut compiler = Command::new(words.first().copied().unwrap_or_default());
        compiler
            .args(words.get(1..).unwrap_or_default())
            .arg(target)
            .arg(&self.path);
        if let Some(include) = &self.include {
            compiler.arg("-I").arg(include);
        }
        let output = compiler
            .output()
            .map_err(|error| format!("{words:?}: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{} does not compile: {said}", self.path.display()));
        }
        let built = fs::read_dir(aside.path()).map_err(|error| failed(&folder, &error))?;
        for file in built.flatten() {
            fs::rename(file.path(), folder.join(file.file_name()))
                .map_err(|error| failed(&folder, &error))?;
        }
        fs::write(&kept, recipe).map_err(|error| failed(&kept, &error))?;
        Ok(folder)
    }
}

/// A folder of that name which cargo keeps between test runs.
pub(crate) fn cache_folder(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to)
        .map(drop)
        .map_err(|error| failed(from, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
