//! What a participant sees of the file system: a small read-only tree of its own.
//!
//! A [`View`] is computed by the coordinator as a list of [`Op`]s, which the sandbox's init carries
//! out one by one between fork and exec ([`child`](super::child)); nothing is decided there. The
//! tree holds the system's libraries and runtimes, a few devices, `/proc` of the sandbox itself,
//! and what the participant was given. Paths are those of the host, so that commands and messages
//! mean the same inside and outside; whatever is not listed does not exist.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use crate::error::{Error, Result};

/// One call on the way to the new tree. Relative paths are relative to the new root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Makes every mount private to the sandbox.
    DetachPropagation,
    /// Mounts an empty tree on a folder of the host and goes there.
    NewRoot(CString),
    Folder(CString),
    /// An empty file, as the place for a bind mount.
    File(CString),
    Symlink {
        target: CString,
        at: CString,
    },
    /// Shows a file or folder of the host, with what is mounted below it.
    Bind {
        from: CString,
        at: CString,
    },
    /// Adds mount attributes (`MOUNT_ATTR_...`), on request to everything below as well.
    Restrict {
        at: CString,
        attributes: u64,
        recursive: bool,
    },
    /// The `/proc` of the sandbox's own pid namespace.
    Proc(CString),
    /// Makes the new tree the root and lets go of the old one.
    EnterRoot,
    WorkingFolder(CString),
}

/// What a participant is given besides the system's runtimes.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// Files and folders of the host that it may read; absolute.
    pub read: Vec<PathBuf>,
    /// A folder of the host that it may write to, which becomes its own; absolute.
    pub write: Option<PathBuf>,
    /// Where it is started; absolute. It exists in the view even if nothing in it does.
    pub folder: PathBuf,
}

/// Folders that belong to the system. Where the host has a symbolic link (`/lib -> usr/lib`), so
/// has the view.
pub const SYSTEM: [&str; 8] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
];

/// What runtimes read of `/etc`; nothing else of it is shown. A final `*` takes every entry that
/// begins so.
const CONFIGURATION: [&str; 9] = [
    "ld.so.cache",
    "alternatives",
    "java*",
    "python3*",
    "localtime",
    "timezone",
    "nsswitch.conf",
    "passwd",
    "group",
];

/// Devices without memory and without secrets.
pub const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// Entries of `/etc` that are shown, with their host paths. They are looked up once for a process.
pub fn configuration() -> &'static [PathBuf] {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let wanted = |name: &[u8]| {
            CONFIGURATION
                .iter()
                .any(|entry| match entry.strip_suffix('*') {
                    Some(prefix) => name.starts_with(prefix.as_bytes()),
                    None => name == entry.as_bytes(),
                })
        };
        let entries = fs::read_dir("/etc").into_iter().flatten().flatten();
        let shown = entries.filter(|entry| wanted(entry.file_name().as_bytes()));
        let mut paths: Vec<_> = shown
            .map(|entry| entry.path())
            .filter(|p| p.exists())
            .collect();
        paths.sort();
        paths
    })
}

/// Computes the calls that lay out the tree.
///
/// # Errors
/// A path in [`Given`] that does not exist or cannot be shown (below `/proc`, `/sys` or `/dev`).
pub fn lay_out(given: &Given) -> Result<Vec<Op>> {
    let mut tree = Tree::default();
    for folder in SYSTEM {
        let path = Path::new(folder);
        match fs::symlink_metadata(path) {
            Ok(m) if m.is_symlink() => {
                let target = fs::read_link(path).map_err(|e| unshowable(path, &e.to_string()))?;
                tree.covered.push(path.to_owned());
                tree.ops.push(Op::Symlink {
                    target: c(&target)?,
                    at: relative(path)?,
                });
            }
            Ok(m) if m.is_dir() => tree.bind(path)?,
            _ => {}
        }
    }
    for path in configuration() {
        tree.bind(path)?;
    }
    for path in &given.read {
        tree.bind(path)?;
        let real = path
            .canonicalize()
            .map_err(|e| unshowable(path, &crate::error::reason(&e)))?;
        tree.bind(&real)?;
    }
    for folder in ["/dev", "/proc", "/tmp"] {
        tree.folder(Path::new(folder))?;
    }
    tree.folder(&given.folder)?;
    if let Some(folder) = &given.write {
        tree.folder(folder)?;
    }

    let nowhere = staging_folder(given)?;
    let mut ops = vec![Op::DetachPropagation, Op::NewRoot(c(nowhere)?)];
    ops.append(&mut tree.ops);
    for device in DEVICES {
        ops.push(Op::File(c(Path::new("dev").join(device))?));
    }
    for (name, target) in [
        ("dev/fd", "/proc/self/fd"),
        ("dev/stdin", "/proc/self/fd/0"),
        ("dev/stdout", "/proc/self/fd/1"),
        ("dev/stderr", "/proc/self/fd/2"),
    ] {
        ops.push(Op::Symlink {
            target: c(target)?,
            at: c(name)?,
        });
    }
    let read_only = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID;
    ops.push(restrict(".", read_only | libc::MOUNT_ATTR_NODEV, true)?);
    // What is not a bind mount is a folder, a link or an empty place for one.
    ops.push(restrict(".", libc::MOUNT_ATTR_NOEXEC, false)?);
    for device in DEVICES {
        ops.push(Op::Bind {
            from: c(Path::new("/dev").join(device))?,
            at: c(Path::new("dev").join(device))?,
        });
    }
    ops.push(Op::Proc(c("proc")?));
    if let Some(folder) = &given.write {
        let at = relative(folder)?;
        ops.push(Op::Bind {
            from: c(folder)?,
            at: at.clone(),
        });
        let attributes = libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV;
        ops.push(Op::Restrict {
            at,
            attributes,
            recursive: false,
        });
    }
    ops.push(Op::EnterRoot);
    ops.push(Op::WorkingFolder(c(&given.folder)?));
    Ok(ops)
}

/// The tree while it is planned: what is shown already, and the folders that were made.
#[derive(Default)]
struct Tree {
    ops: Vec<Op>,
    made: BTreeSet<PathBuf>,
    covered: Vec<PathBuf>,
}

impl Tree {
    fn is_covered(&self, path: &Path) -> bool {
        self.covered.iter().any(|shown| path.starts_with(shown))
    }

    /// Makes a folder and those above it, unless something shown already holds it.
    fn folder(&mut self, path: &Path) -> Result<()> {
        if self.is_covered(path) {
            return Ok(());
        }
        let mut at = PathBuf::from("/");
        for part in path.components() {
            if let Component::Normal(name) = part {
                at.push(name);
                if self.made.insert(at.clone()) {
                    self.ops.push(Op::Folder(relative(&at)?));
                }
            }
        }
        Ok(())
    }

    fn bind(&mut self, path: &Path) -> Result<()> {
        if ["/proc", "/sys", "/dev"]
            .iter()
            .any(|hidden| path.starts_with(hidden))
        {
            return Err(unshowable(path, "it is not a regular file or folder"));
        }
        if self.is_covered(path) {
            return Ok(());
        }
        let metadata =
            fs::metadata(path).map_err(|e| unshowable(path, &crate::error::reason(&e)))?;
        if path.parent().is_none() {
            return Err(unshowable(path, "that would show everything"));
        }
        if metadata.is_dir() {
            self.folder(path)?;
        } else {
            self.folder(path.parent().unwrap_or(Path::new("/")))?;
            self.ops.push(Op::File(relative(path)?));
        }
        self.ops.push(Op::Bind {
            from: c(path)?,
            at: relative(path)?,
        });
        self.covered.push(path.to_owned());
        Ok(())
    }
}

/// A folder of the host on which the new tree is put together: one that hides nothing needed.
fn staging_folder(given: &Given) -> Result<&'static str> {
    let needed = || given.read.iter().chain(&given.write);
    ["/sys", "/mnt", "/srv", "/media", "/opt"]
        .into_iter()
        .find(|f| Path::new(f).is_dir() && !needed().any(|path| path.starts_with(f)))
        .ok_or_else(|| {
            Error::Environment(
                "cannot lay out the sandbox: none of the folders /sys, /mnt, /srv, /media, /opt \
                 exists and is free of the given files"
                    .into(),
            )
        })
}

fn restrict(at: &str, attributes: u64, recursive: bool) -> Result<Op> {
    Ok(Op::Restrict {
        at: c(at)?,
        attributes,
        recursive,
    })
}

fn relative(path: &Path) -> Result<CString> {
    c(path.strip_prefix("/").unwrap_or(path))
}

fn c(path: impl AsRef<Path>) -> Result<CString> {
    let path = path.as_ref();
    CString::new(path.as_os_str().as_bytes())
        .map_err(|_| unshowable(path, "its name contains a NUL byte"))
}

fn unshowable(path: &Path, why: &str) -> Error {
    Error::usage(format!(
        "cannot show {} to a sandboxed program: {why}",
        crate::error::shown(path)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binds(ops: &[Op]) -> Vec<String> {
        ops.iter()
            .filter_map(|op| match op {
                Op::Bind { from, .. } => Some(from.to_string_lossy().into_owned()),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn shows_what_was_given_and_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("tempdir");
        let program = folder.path().join("program");
        let secret = folder.path().join("secret");
        fs::write(&program, "x").expect("write");
        fs::write(&secret, "x").expect("write");
        let given = Given {
            read: vec![program.clone()],
            write: None,
            folder: folder.path().to_owned(),
        };
        let shown = binds(&lay_out(&given).expect("ops"));
        assert!(shown.contains(&program.to_string_lossy().into_owned()));
        assert!(!shown.contains(&secret.to_string_lossy().into_owned()));
        assert!(!shown.contains(&folder.path().to_string_lossy().into_owned()));
    }

    #[test]
    fn what_lies_in_a_shown_folder_is_not_mounted_again() {
        let given = Given {
            read: vec!["/usr/bin/env".into()],
            write: None,
            folder: "/usr/share".into(),
        };
        assert!(!binds(&lay_out(&given).expect("ops")).contains(&"/usr/bin/env".to_owned()));
    }

    #[test]
    fn refuses_what_cannot_be_shown() {
        for path in ["/", "/proc/self", "/sys/kernel", "/no/such/file"] {
            let given = Given {
                read: vec![path.into()],
                write: None,
                folder: "/".into(),
            };
            let error = lay_out(&given).expect_err(path).to_string();
            assert!(
                error.starts_with(&format!("cannot show `{path}`")),
                "{error}"
            );
        }
    }
}
