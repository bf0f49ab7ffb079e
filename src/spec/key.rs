//! Names of cache entries: a hash of everything that the entry depends on.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Collects what an entry depends on.
#[derive(Debug)]
pub(crate) struct Key {
    hasher: blake3::Hasher,
}

impl Key {
    /// A key for entries of one purpose. The program's version is part of it: a newer version may
    /// write other things under the same name.
    pub(crate) fn new(purpose: &str) -> Self {
        let mut key = Key {
            hasher: blake3::Hasher::new(),
        };
        key.add(env!("CARGO_PKG_VERSION")).add(purpose);
        key
    }

    /// Adds some bytes. Their number is added as well, so that "ab", "c" differs from "a", "bc".
    pub(crate) fn add(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        let bytes = bytes.as_ref();
        self.hasher.update(&(bytes.len() as u64).to_le_bytes());
        self.hasher.update(bytes);
        self
    }

    /// Adds a list of words.
    pub(crate) fn add_words<'a>(
        &mut self,
        words: impl IntoIterator<Item = &'a String>,
    ) -> &mut Self {
        let words: Vec<&String> = words.into_iter().collect();
        self.add((words.len() as u64).to_le_bytes());
        for word in words {
            self.add(word);
        }
        self
    }

    /// Adds the identity of an installed file: its real path, size and time of change. What is
    /// not there is added as well, since it may appear.
    pub(crate) fn add_file(&mut self, path: &Path) -> &mut Self {
        self.add(path.as_os_str().as_bytes());
        let real = path.canonicalize();
        match real.and_then(|real| Ok((std::fs::metadata(&real)?, real))) {
            Ok((found, real)) => self
                .add(real.as_os_str().as_bytes())
                .add(found.size().to_le_bytes())
                .add(found.mtime().to_le_bytes())
                .add(found.mtime_nsec().to_le_bytes()),
            Err(_) => self.add("absent"),
        }
    }

    /// The name: 32 hexadecimal digits.
    pub(crate) fn name(&self) -> String {
        self.hasher.finalize().to_hex()[..32].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_part_ends_matters() {
        let name = |parts: &[&str]| {
            let mut key = Key::new("test");
            for part in parts {
                key.add(part);
            }
            key.name()
        };
        assert_eq!(name(&["ab", "c"]).len(), 32);
        assert_eq!(name(&["ab", "c"]), name(&["ab", "c"]));
        assert_ne!(name(&["ab", "c"]), name(&["a", "bc"]));
        assert_ne!(name(&["a"]), name(&["a", ""]));
        assert_ne!(Key::new("one").name(), Key::new("two").name());
    }

    #[test]
    fn a_file_that_changes_or_appears_gives_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tool");
        let name = || Key::new("test").add_file(&path).name();
        let absent = name();
        std::fs::write(&path, "1").unwrap();
        let present = name();
        std::fs::write(&path, "22").unwrap();
        assert_ne!(absent, present);
        assert_ne!(present, name());
    }
}
