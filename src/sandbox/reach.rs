//! Whether the user that a sandbox gives its program can read what the program is given.
//!
//! Root reads everything, but the program runs as a user of its own. A test that only root can read
//! would end in a verdict on the contestant, from an interactor that could not open its input; so it
//! is found before anything runs.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::error::{Error, Result, shown};
use crate::spec::shell::quote;

/// Checks that everybody may read `paths` and execute `program`. With `from_root` also that
/// everybody may enter the folders above them: without a mount namespace they are in the way.
///
/// # Errors
/// What to allow, and how.
pub fn check<'a>(
    paths: impl IntoIterator<Item = &'a Path>,
    program: &Path,
    from_root: bool,
) -> Result<()> {
    for path in paths {
        // What is not there is for others to say.
        let Ok(found) = fs::metadata(path) else {
            continue;
        };
        let (need, what, letters) = match (found.is_dir(), path == program) {
            (true, _) => (0o005, "read", "rx"),
            (false, true) => (0o001, "execute", "rx"),
            (false, false) => (0o004, "read", "r"),
        };
        if found.mode() & need != need {
            return Err(closed(path, what, letters, path));
        }
        let above = path.ancestors().skip(1).filter(|_| from_root);
        for folder in above {
            if fs::metadata(folder).is_ok_and(|found| found.mode() & 0o001 == 0) {
                return Err(closed(path, what, "x", folder));
            }
        }
    }
    Ok(())
}

fn closed(path: &Path, what: &str, letters: &str, place: &Path) -> Error {
    let why = match place == path {
        true => String::new(),
        false => format!(" ({} is closed to others)", shown(place)),
    };
    Error::usage(format!(
        "programs run as a user of their own, who cannot {what} {}{why}: allow it with `chmod \
         o+{letters} {}`",
        shown(path),
        quote(place)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    fn with_mode(path: PathBuf, mode: u32) -> PathBuf {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("chmod");
        path
    }

    #[test]
    fn says_what_is_closed() {
        let folder = tempfile::tempdir_in("/tmp").expect("tempdir");
        let file = |name: &str, mode| {
            let path = folder.path().join(name);
            fs::write(&path, "x").expect("write");
            with_mode(path, mode)
        };
        let (open, closed, program) = (file("a", 0o644), file("b", 0o640), file("p", 0o711));
        let check = |path: &Path, from_root| {
            let result = check([path], &program, from_root).map_err(|e| e.to_string());
            result.map_err(|e| e.replace(&folder.path().display().to_string(), "DIR"))
        };
        with_mode(folder.path().to_owned(), 0o700);
        assert_eq!(check(&open, false), Ok(()));
        assert_eq!(check(&program, false), Ok(()));
        assert_eq!(
            check(&closed, false),
            Err(
                "programs run as a user of their own, who cannot read `DIR/b`: allow it with \
                 `chmod o+r DIR/b`"
                    .to_owned()
            )
        );
        assert_eq!(
            check(&open, true),
            Err(
                "programs run as a user of their own, who cannot read `DIR/a` (`DIR` is closed to \
                 others): allow it with `chmod o+x DIR`"
                    .to_owned()
            )
        );
        with_mode(folder.path().to_owned(), 0o711);
        assert_eq!(check(&open, true), Ok(()));
    }
}
