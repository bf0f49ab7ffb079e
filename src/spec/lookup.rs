//! Finding a program by its name, as a shell does.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

/// The first executable file of this name in `$PATH`, as an absolute path.
pub(crate) fn find(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    find_in(&path, name.as_ref())
}

/// The same in the folders of `path`, which is written as `$PATH` is.
pub(crate) fn find_in(path: &OsStr, name: &OsStr) -> Option<PathBuf> {
    // An empty name would find the folder itself; one with a slash is not looked up.
    if name.is_empty() || name.as_encoded_bytes().contains(&b'/') {
        return None;
    }
    std::env::split_paths(path)
        .map(|folder| folder.join(name))
        .find(|candidate| is_executable(candidate))
        .and_then(|found| std::path::absolute(found).ok())
}

/// True if a program is one of this machine's own rather than somebody's file that happens to have
/// its name: it lies below `/usr` or in a folder of `$PATH` (a relative folder does not count).
pub(crate) fn is_installed(program: &Path) -> bool {
    let Ok(program) = std::path::absolute(program) else {
        return false;
    };
    let real = program.canonicalize();
    if real.is_ok_and(|real| real.starts_with("/usr")) {
        return true;
    }
    let folder = program
        .parent()
        .and_then(|folder| folder.canonicalize().ok());
    let path = std::env::var_os("PATH").unwrap_or_default();
    folder.is_some_and(|folder| {
        std::env::split_paths(&path)
            .filter(|entry| entry.is_absolute())
            .any(|entry| entry.canonicalize().is_ok_and(|entry| entry == folder))
    })
}

/// True for a regular file that this user may execute.
pub(crate) fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, AccessFlags::X_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn file(folder: &Path, name: &str, mode: u32) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_first_executable_entry_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        file(folder.path(), "a/tool", 0o644);
        file(folder.path(), "b/tool/not-a-program", 0o755);
        file(folder.path(), "c/tool", 0o755);
        file(folder.path(), "d/tool", 0o755);
        let path = std::env::join_paths(["a", "b", "c", "d"].map(|d| folder.path().join(d)));
        let path = path.unwrap();
        let found = find_in(&path, OsStr::new("tool"));
        assert_eq!(found, Some(folder.path().join("c/tool")));
        assert_eq!(find_in(&path, OsStr::new("other")), None);
        assert_eq!(find_in(&path, OsStr::new("")), None);
    }

    #[test]
    fn the_shell_is_found_and_is_installed() {
        let shell = find("sh").unwrap();
        assert!(shell.is_absolute());
        assert!(is_installed(&shell));
        assert!(is_installed(Path::new("/usr/bin/env")));
    }

    #[test]
    fn a_file_with_the_name_of_an_interpreter_is_not_installed() {
        let folder = tempfile::tempdir().unwrap();
        file(folder.path(), "python3", 0o755);
        assert!(!is_installed(&folder.path().join("python3")));
        assert!(!is_installed(&folder.path().join("gone")));
    }
}
