//! Signals that ask the whole program to end: SIGINT, SIGTERM and SIGHUP.
//!
//! A session hears of them through its [reactor](crate::reactor). But a command does more than run
//! sessions, and between two of them nobody would listen, so it [catches](catch) them once for all:
//! whatever can take long, and a session before it begins, asks [`seen`]. Without `catch` they do
//! what they always do, which is right for a library.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::error::{Context, Result};

/// The signals.
pub const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// The last of them that came; 0 before.
static LAST: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on the signals do not end the process; they are to be asked for. To be called while
/// there is one thread.
///
/// # Errors
/// If the kernel does not let a handler be set.
pub fn catch() -> Result<()> {
    let action = || "set up signal handling".to_owned();
    let last = LAST.get_or_init(Arc::default);
    // The handler is in force a moment before it knows what to do, and what came in that moment
    // would be lost.
    let mut ours = SigSet::empty();
    for signal in SIGNALS {
        ours.add(Signal::try_from(signal).context(action)?);
    }
    let before = ours
        .thread_swap_mask(SigmaskHow::SIG_BLOCK)
        .context(action)?;
    let caught = SIGNALS.iter().try_for_each(|signal| {
        signal_hook::flag::register_usize(*signal, Arc::clone(last), *signal as usize).map(drop)
    });
    before.thread_set_mask().context(action)?;
    caught.context(action)
}

/// The signal that came since [`catch`], if one did.
pub fn seen() -> Option<i32> {
    let last = LAST.get()?.load(Ordering::SeqCst);
    i32::try_from(last).ok().filter(|signal| *signal != 0)
}
