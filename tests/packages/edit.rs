//! Copies of packages, and changes of them.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Copies a package so that every user can read it.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    fs::set_permissions(to, fs::Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copied = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &copied)?;
        } else {
            fs::copy(entry.path(), &copied)?;
            let executable = entry.metadata()?.permissions().mode() & 0o100 != 0;
            let mode = if executable { 0o755 } else { 0o644 };
            fs::set_permissions(&copied, fs::Permissions::from_mode(mode))?;
        }
    }
    Ok(())
}

/// A copy of a package that may be changed; removed in the end.
pub(crate) struct Package {
    folder: TempDir,
}

impl Package {
    pub(crate) fn of(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let package = Package { folder };
        copy(&Path::new(super::FOLDER).join(name), &package.path("")).expect("a copy");
        package
    }

    /// A file or folder of it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        match name {
            "" => self.folder.path().join("p"),
            name => self.folder.path().join("p").join(name),
        }
    }

    /// Puts a file there, with the folders above it.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Puts one text in the place of another, which must be there.
    pub(crate) fn replace(&self, name: &str, old: &str, new: &str) {
        let text = fs::read_to_string(self.path(name)).expect("a file");
        assert!(text.contains(old), "{name} has no {old}");
        self.write(name, text.replacen(old, new, 1));
    }

    pub(crate) fn remove(&self, name: &str) {
        let path = self.path(name);
        let removed = match path.is_dir() {
            true => fs::remove_dir_all(path),
            false => fs::remove_file(path),
        };
        removed.expect("it is there");
    }

    pub(crate) fn link(&self, name: &str, target: &str) {
        std::os::unix::fs::symlink(target, self.path(name)).expect("a link");
    }
}
