//! The folder in which compiled programs and what was found out about interpreters are kept.
//!
//! An entry is a folder that is complete or not there: it is made under another name and then
//! renamed, so two processes that make the same entry at once do not disturb each other, and one
//! that is killed leaves nothing that looks finished. The whole folder may be deleted at any time.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::unistd::{AccessFlags, access, geteuid};
use tempfile::TempDir;

use crate::error::{Context, Result, no_temporary_files};

/// Where entries are made before they are renamed; a subfolder of the cache.
const BUILDING: &str = "building";
/// What a killed process left in [`BUILDING`] is removed after this time.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// A folder for what is worth keeping from run to run, writable and ours alone.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    /// Set where no lasting folder could be had; removed with the cache.
    temporary: Option<TempDir>,
}

impl Cache {
    /// Opens the user's cache: `$REJOINDER_CACHE`, else `$XDG_CACHE_HOME/rejoinder`, else
    /// `$HOME/.cache/rejoinder`, else a folder in the temporary folder. Where none of them can be
    /// written, a folder that lasts as long as the returned value.
    ///
    /// # Errors
    ///
    /// [`Error::Environment`](crate::error::Error::Environment) if not even a temporary folder can
    /// be made.
    pub fn open() -> Result<Self> {
        let places = places(|name| std::env::var_os(name), &std::env::temp_dir());
        for place in &places {
            if place.owner.as_deref().is_some_and(|owner| !is_ours(owner)) {
                continue;
            }
            if let Some(cache) = Cache::in_folder(&place.folder) {
                return Ok(cache);
            }
        }
        let temporary = tempfile::Builder::new().prefix("rejoinder-").tempdir();
        let temporary = temporary.map_err(|e| no_temporary_files(&e))?;
        let cache = Cache {
            folder: temporary.path().to_owned(),
            temporary: Some(temporary),
        };
        let building = cache.folder.join(BUILDING);
        fs::create_dir_all(building).map_err(|e| no_temporary_files(&e))?;
        Ok(cache)
    }

    /// The cache in this folder, which is made if need be; `None` if it cannot be used: it cannot
    /// be written, or it is another user's or everybody may write to it and plant programs there.
    pub fn in_folder(folder: &Path) -> Option<Self> {
        let folder = std::path::absolute(folder).ok()?;
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(folder_mode());
        builder.create(&folder).ok()?;
        if !is_ours(&folder) || fs::metadata(&folder).ok()?.mode() & 0o002 != 0 {
            return None;
        }
        builder.create(folder.join(BUILDING)).ok()?;
        let rights = AccessFlags::W_OK | AccessFlags::X_OK;
        access(&folder.join(BUILDING), rights).ok()?;
        Some(Cache {
            folder,
            temporary: None,
        })
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// True if nothing is kept beyond this process.
    pub fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// The folder of the entry `key` of a `kind`. If it is not there, or not `complete`, it is
    /// made: `make` fills an empty folder.
    pub(crate) fn entry(
        &self,
        kind: &str,
        key: &str,
        complete: impl Fn(&Path) -> bool,
        make: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<PathBuf> {
        let path = self.folder.join(kind).join(key);
        if path.is_dir() && complete(&path) {
            return Ok(path);
        }
        let keep = || format!("keep a file in {}", crate::error::shown(&self.folder));
        let building = self.folder.join(BUILDING);
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(folder_mode());
        builder.create(&building).context(keep)?;
        builder.create(self.folder.join(kind)).context(keep)?;
        remove_abandoned(&building);
        let made = tempfile::tempdir_in(&building).context(keep)?;
        let content = made.path().join("content");
        DirBuilder::new()
            .mode(0o755)
            .create(&content)
            .context(keep)?;
        make(&content)?;
        readable_by_all(&content).context(keep)?;
        if path.is_dir() && !complete(&path) {
            // Somebody deleted a part of it. It goes away in one step, then in peace.
            let _ = fs::rename(&path, made.path().join("broken"));
        }
        match fs::rename(&content, &path) {
            Ok(()) => Ok(path),
            // Another process was faster; its entry has the same content.
            Err(_) if path.is_dir() && complete(&path) => Ok(path),
            Err(error) => Err(error).context(keep),
        }
    }
}

/// Others cannot look into the cache. Root's programs run as users of their own, who must be able
/// to pass through it where there is no mount namespace.
fn folder_mode() -> u32 {
    if geteuid().is_root() { 0o711 } else { 0o700 }
}

/// A folder that may become the cache.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    folder: PathBuf,
    /// A folder that must be ours for `folder` to be taken: with `sudo`, `$HOME` can be another
    /// user's, who could not use a cache that root made there.
    owner: Option<PathBuf>,
}

fn places(variable: impl Fn(&str) -> Option<OsString>, temporary: &Path) -> Vec<Place> {
    let path = |name| {
        let value = variable(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let mut places = Vec::new();
    if let Some(folder) = path("REJOINDER_CACHE") {
        let owner = None;
        places.push(Place { folder, owner });
    }
    // The XDG base directory specification says to ignore a relative path.
    if let Some(base) = path("XDG_CACHE_HOME").filter(|base| base.is_absolute()) {
        places.push(Place {
            folder: base.join("rejoinder"),
            owner: Some(base),
        });
    }
    if let Some(home) = path("HOME").filter(|home| home.is_absolute()) {
        places.push(Place {
            folder: home.join(".cache/rejoinder"),
            owner: Some(home),
        });
    }
    places.push(Place {
        folder: temporary.join(format!("rejoinder-cache-{}", geteuid())),
        owner: None,
    });
    places
}

/// True for a folder (not a link to one) that belongs to this user.
fn is_ours(folder: &Path) -> bool {
    fs::symlink_metadata(folder).is_ok_and(|found| {
        found.uid() == geteuid().as_raw()
            && (found.is_dir() || fs::metadata(folder).is_ok_and(|target| target.is_dir()))
    })
}

/// Gives everybody the right to read, and to execute what we may execute: programs run as users of
/// their own, and the user's umask may say otherwise. The folders above keep others out.
fn readable_by_all(path: &Path) -> std::io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        return Ok(());
    }
    let mode = found.mode();
    let execute = if mode & 0o100 != 0 { 0o111 } else { 0 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o444 | execute))?;
    if found.is_dir() {
        fs::read_dir(path)?.try_for_each(|entry| readable_by_all(&entry?.path()))?;
    }
    Ok(())
}

fn remove_abandoned(building: &Path) {
    let Ok(entries) = fs::read_dir(building) else {
        return;
    };
    for entry in entries.flatten() {
        let age = entry
            .metadata()
            .and_then(|found| found.modified())
            .ok()
            .and_then(|modified| modified.elapsed().ok());
        if age.is_some_and(|age| age > ABANDONED) {
            // Only tidiness; another process may be doing the same.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use std::os::unix::fs::PermissionsExt;

    fn cache() -> (TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::in_folder(&folder.path().join("deep/cache")).unwrap();
        (folder, cache)
    }

    fn has_file(folder: &Path) -> bool {
        folder.join("file").exists()
    }

    #[test]
    fn places_are_tried_in_the_documented_order() {
        let variable = |name: &str| match name {
            "REJOINDER_CACHE" => Some("/r".into()),
            "XDG_CACHE_HOME" => Some("/x".into()),
            "HOME" => Some("/h".into()),
            _ => None,
        };
        let folders = |variable: &dyn Fn(&str) -> Option<OsString>| -> Vec<PathBuf> {
            let places = places(variable, Path::new("/t"));
            places.into_iter().map(|place| place.folder).collect()
        };
        let last = format!("/t/rejoinder-cache-{}", geteuid());
        assert_eq!(
            folders(&variable),
            ["/r", "/x/rejoinder", "/h/.cache/rejoinder", &last].map(PathBuf::from)
        );
        let relative = |name: &str| (name == "XDG_CACHE_HOME").then(|| "relative".into());
        assert_eq!(folders(&relative), [PathBuf::from(&last)]);
        assert_eq!(folders(&|_| Some("".into())), [PathBuf::from(&last)]);
    }

    #[test]
    fn the_folder_is_for_this_user_alone() {
        let (_folder, cache) = cache();
        let mode = fs::metadata(cache.folder()).unwrap().mode();
        assert_eq!(mode & 0o777, folder_mode());
        assert!(!cache.is_temporary());
    }

    #[test]
    fn a_folder_that_others_may_write_to_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
        assert!(Cache::in_folder(folder.path()).is_none());
    }

    #[test]
    fn a_place_that_is_a_file_is_not_used() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(Cache::in_folder(&file.path().join("x")).is_none());
    }

    #[test]
    fn an_entry_is_made_once() {
        let (_folder, cache) = cache();
        let mut made = 0;
        for _ in 0..2 {
            let entry = cache.entry("kind", "key", has_file, |folder| {
                made += 1;
                fs::write(folder.join("file"), "x").context(String::new)
            });
            assert_eq!(entry.unwrap(), cache.folder().join("kind/key"));
        }
        assert_eq!(made, 1);
    }

    #[test]
    fn an_entry_that_fails_leaves_nothing() {
        let (_folder, cache) = cache();
        let failed = cache.entry("kind", "key", has_file, |folder| {
            fs::write(folder.join("file"), "x").unwrap();
            Err(Error::usage("no"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no");
        assert!(!cache.folder().join("kind/key").exists());
        let left = fs::read_dir(cache.folder().join(BUILDING)).unwrap().count();
        assert_eq!(left, 0);
    }

    #[test]
    fn a_damaged_entry_is_made_again() {
        let (_folder, cache) = cache();
        let path = cache.folder().join("kind/key");
        fs::create_dir_all(path.join("rest")).unwrap();
        let write = |folder: &Path| fs::write(folder.join("file"), "x").context(String::new);
        cache.entry("kind", "key", has_file, write).unwrap();
        assert!(has_file(&path));
        assert!(!path.join("rest").exists());
    }

    #[test]
    fn the_faster_of_two_makers_wins() {
        let (_folder, cache) = cache();
        let entry = cache.entry("kind", "key", has_file, |folder| {
            let other = Cache::in_folder(cache.folder()).unwrap();
            let write = |folder: &Path| fs::write(folder.join("file"), "1").context(String::new);
            other.entry("kind", "key", has_file, write)?;
            fs::write(folder.join("file"), "2").context(String::new)
        });
        let content = fs::read_to_string(entry.unwrap().join("file")).unwrap();
        assert_eq!(content, "1");
    }
}
