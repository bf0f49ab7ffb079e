//! What sessions that run at the same time must not share: an identity for each participant, a CPU
//! for each session, a folder for scratch files.
//!
//! A slot is a byte of a file in the [`runtime_folder`], locked for as long as it is held. The
//! kernel gives the lock back when its holder ends, however it ends, so a crash leaves none behind.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::{Context, Error, Result};
use crate::sys;

/// The first of the user and group ids that participants get when the coordinator is root. They
/// lie above what distributions hand out to users, services and containers by default.
pub const FIRST_IDENTITY: u32 = 1_900_000_000;
/// How many identities there are: twice as many as sessions that may run at once.
pub const IDENTITIES: u64 = 4096;

/// A locked slot; dropping it gives it back.
#[derive(Debug)]
pub struct Slot {
    /// Which one.
    pub number: u64,
    _lock: File,
}

impl Slot {
    /// Takes the first free of `candidates` in the file of that name; `None` if all are taken.
    pub fn take(name: &str, candidates: impl IntoIterator<Item = u64>) -> Result<Option<Slot>> {
        let path = runtime_folder()?.join(name);
        let action = || format!("open the lock file `{}`", path.display());
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .context(action)?;
        // Whatever our mask was when it was made: the next of our sessions must open it too.
        let _ = file.set_permissions(Permissions::from_mode(0o600));
        for number in candidates {
            let action = || format!("lock a byte of `{}`", path.display());
            if sys::lock_byte(file.as_fd(), number).context(action)? {
                return Ok(Some(Slot {
                    number,
                    _lock: file,
                }));
            }
        }
        Ok(None)
    }

    /// An identity that no other session uses.
    pub fn identity() -> Result<Slot> {
        // Start at a place of our own, so that many sessions do not try the same bytes in turn.
        let start = u64::from(std::process::id()) * 2 % IDENTITIES;
        let all = (0..IDENTITIES).map(|i| (start + i) % IDENTITIES);
        Slot::take("identities", all)?.ok_or_else(|| {
            Error::Environment(format!(
                "all {IDENTITIES} identities for sandboxed programs are in use: \
                 run fewer sessions at once"
            ))
        })
    }

    /// The user and group id that belongs to an identity slot.
    pub fn user_id(&self) -> u32 {
        FIRST_IDENTITY + self.number as u32
    }

    /// One of these CPUs that no other session has taken: the one we run on, if it is free.
    pub fn cpu(allowed: &[usize]) -> Result<Option<Slot>> {
        let here = sys::current_cpu().filter(|cpu| allowed.contains(cpu));
        let rest = allowed.iter().copied().filter(|cpu| Some(*cpu) != here);
        Slot::take("cpus", here.into_iter().chain(rest).map(|cpu| cpu as u64))
    }
}

/// Our folder for locks and scratch files: private to the user, made when it is missing.
///
/// # Errors
/// If it cannot be made, or exists but belongs to someone else.
pub fn runtime_folder() -> Result<PathBuf> {
    let user = nix::unistd::geteuid();
    let place = match std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from) {
        _ if user.is_root() => Some(PathBuf::from("/run")).filter(|p| p.is_dir()),
        Some(place) if is_ours(&place, user.as_raw()) => Some(place),
        _ => None,
    };
    let folder = match place {
        Some(place) => place.join("rejoinder"),
        None => std::env::temp_dir().join(format!("rejoinder-{user}")),
    };
    // Others may pass through (a participant's scratch folder lies inside) but not look.
    match DirBuilder::new().mode(0o711).create(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(e).context(|| format!("make the folder `{}`", folder.display()))
        }
        made if is_ours(&folder, user.as_raw()) => {
            if made.is_ok() {
                // Whatever our mask is.
                let _ = fs::set_permissions(&folder, Permissions::from_mode(0o711));
            }
            Ok(folder)
        }
        _ => Err(Error::Environment(format!(
            "`{}` belongs to someone else: remove it, or set TMPDIR to a folder of your own",
            folder.display()
        ))),
    }
}

fn is_ours(path: &Path, user: u32) -> bool {
    fs::symlink_metadata(path).is_ok_and(|m| m.is_dir() && m.uid() == user)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_given_once_and_again_after_it_is_dropped() {
        let name = format!("test-slots-{}", std::process::id());
        let first = Slot::take(&name, 3..5).expect("take").expect("free");
        let second = Slot::take(&name, 3..5).expect("take").expect("free");
        assert_eq!((first.number, second.number), (3, 4));
        assert!(Slot::take(&name, 3..5).expect("take").is_none());
        drop(first);
        assert_eq!(
            Slot::take(&name, 3..5).expect("take").map(|s| s.number),
            Some(3)
        );
        let _ = fs::remove_file(runtime_folder().expect("folder").join(name));
    }
}
