//! Folders that runs write to.

use crate::sandbox::slots::{self, Slot};

use super::{Finding, Kind};

/// The folder for locks and for what interactors write.
pub(super) fn look_at_locks() -> Finding {
    let name = "runtime-folder";
    let tried = slots::runtime_folder().and_then(|folder| {
        Slot::take("doctor", 0..64)?;
        Ok(folder)
    });
    match tried {
        Ok(folder) => {
            let text = format!("{} can be written to and locked in", folder.display());
            Finding::yes(name, Kind::Means, text)
        }
        Err(error) => Finding::yes(name, Kind::Means, error.to_string()).no(
            "runs have no place for locks and for what interactors write",
            "set XDG_RUNTIME_DIR or TMPDIR to a folder of your own",
        ),
    }
    .needed()
}

/// The folder for temporary files.
pub(super) fn look_at_temporary() -> Finding {
    let name = "temporary-folder";
    let place = std::env::temp_dir();
    match tempfile::tempfile() {
        Ok(_) => {
            let text = format!("{} can be written to", place.display());
            Finding::yes(name, Kind::Means, text)
        }
        Err(error) => {
            let reason = crate::error::reason(&error);
            let text = format!("cannot make a file in {}: {reason}", place.display());
            Finding::yes(name, Kind::Means, text).no(
                "sources cannot be compiled, and some runs have no place for what they keep",
                "set TMPDIR to a folder that you can write to",
            )
        }
    }
}
