//! As whom the binary is started.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The unprivileged user of the second pass.
const NOBODY: u32 = 65534;

/// The search path of that user: the system's folders, and no private home.
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// A user of the binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Identity {
    /// As the tests themselves run.
    Own,
    /// The unprivileged user 65534, without any group of ours. Needs root.
    Nobody,
}

impl Identity {
    /// The identities that this process can take on.
    pub(crate) fn possible() -> &'static [Identity] {
        if is_root() {
            &[Identity::Own, Identity::Nobody]
        } else {
            &[Identity::Own]
        }
    }

    /// The name in the trials' names.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Identity::Own if is_root() => "root",
            Identity::Own => "user",
            Identity::Nobody => "nobody",
        }
    }

    /// The user number to change to.
    pub(crate) fn uid(self) -> Option<u32> {
        (self == Identity::Nobody).then_some(NOBODY)
    }

    /// The search path under which commands are found.
    pub(crate) fn search_path(self) -> String {
        match self {
            Identity::Own => std::env::var("PATH").unwrap_or_else(|_| SYSTEM_PATH.to_owned()),
            Identity::Nobody => SYSTEM_PATH.to_owned(),
        }
    }

    /// The environment of the binary. Whatever it keeps for the user goes to `home`.
    pub(crate) fn environment(self, home: &Path) -> Vec<(String, String)> {
        let pair = |name: &str, value: String| (name.to_owned(), value);
        let folder = |path: PathBuf| path.to_string_lossy().into_owned();
        let mut env = vec![
            pair("XDG_CACHE_HOME", folder(home.join("cache"))),
            pair("REJOINDER_CACHE", folder(home.join("cache/rejoinder"))),
            // No program may ever see it.
            pair("A_SECRET", secret("environment")),
        ];
        if self == Identity::Nobody {
            env.push(pair("HOME", folder(home.to_owned())));
            env.push(pair("PATH", self.search_path()));
            env.push(pair("LANG", "C.UTF-8".to_owned()));
        }
        env
    }

    /// The file that a command's name stands for, if this user can start it.
    pub(crate) fn find(self, command: &str) -> Option<PathBuf> {
        std::env::split_paths(&self.search_path())
            .map(|folder| folder.join(command))
            .find(|file| self.can_start(file))
    }

    fn can_start(self, file: &Path) -> bool {
        let Ok(real) = fs::canonicalize(file) else {
            return false;
        };
        let mode = |path: &Path| fs::metadata(path).map(|meta| meta.permissions().mode());
        match self {
            Identity::Own => real.is_file() && mode(&real).is_ok_and(|mode| mode & 0o111 != 0),
            Identity::Nobody => {
                real.is_file()
                    && real
                        .ancestors()
                        .all(|path| mode(path).is_ok_and(|mode| mode & 0o001 != 0))
            }
        }
    }
}

/// What must not be told to a program: a word that differs in every test process, and where this
/// copy of it is kept.
pub(crate) fn secret(place: &str) -> String {
    format!("{}-{place}", secret_word())
}

/// The part that all [secrets](secret) have in common.
pub(crate) fn secret_word() -> &'static str {
    static WORD: OnceLock<String> = OnceLock::new();
    WORD.get_or_init(|| {
        let random = RandomState::new();
        format!("zq{:016x}", random.hash_one(std::process::id()))
    })
}

/// True if this process may change to another user.
pub(crate) fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}
