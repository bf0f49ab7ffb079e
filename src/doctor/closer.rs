//! An io_uring instance, which lets the kernel do the slow end of a session in the background.

use std::fs::File;
use std::os::fd::AsFd;

use super::{Finding, Kind};
use crate::sys;

pub(super) fn look() -> Finding {
    let name = "background-close";
    // Any file will do.
    let file = File::open("/dev/null");
    let closer = file.and_then(|file| sys::background_closer(file.as_fd()));
    match closer {
        Ok(_) => Finding::yes(name, Kind::Means, "io_uring closes what closes slowly"),
        Err(error) => {
            let text = format!("cannot use io_uring: {}", crate::error::reason(&error));
            Finding::yes(name, Kind::Means, text).no(
                "each run ends some milliseconds later",
                "run `sysctl -w kernel.io_uring_disabled=0` as root; in a container start that \
                 with `docker run --security-opt seccomp=unconfined`",
            )
        }
    }
}
