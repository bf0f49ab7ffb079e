//! Namespaces, made directly or inside a user namespace.

use super::Finding;
use super::trial::Trials;
use crate::sandbox::way::Way;
use crate::spec::layer::Layer;
use crate::sys::{self, Deed};

pub(super) fn look(trials: &Trials) -> Finding {
    let layer = Layer::Namespaces;
    if trials.made(layer, Some(Way::Namespaces)).is_ok() {
        return Finding::layer(layer, "mount, pid, ipc and uts, made directly");
    }
    match trials.made(layer, None) {
        Ok(()) => Finding::layer(layer, "mount, pid, ipc and uts, inside a user namespace"),
        Err(reason) => Finding::no_layer(layer, format!("{reason} ({})", which())),
    }
}

/// Which of them is refused by itself.
fn which() -> String {
    let kinds = [
        ("mount", libc::CLONE_NEWNS),
        ("pid", libc::CLONE_NEWPID),
        ("ipc", libc::CLONE_NEWIPC),
        ("uts", libc::CLONE_NEWUTS),
    ];
    let around = match nix::unistd::geteuid().is_root() {
        true => 0,
        false => libc::CLONE_NEWUSER,
    };
    let is_refused = |flag| sys::try_in_child((flag | around) as u64, Deed::Nothing).is_err();
    let refused = kinds.iter().filter(|(_, flag)| is_refused(*flag));
    let refused: Vec<&str> = refused.map(|(name, _)| *name).collect();
    match refused.as_slice() {
        [] => "each can be made, but the file tree in them cannot".to_owned(),
        names => format!("refused: {}", names.join(", ")),
    }
}

/// The user namespace, which root can do without.
pub(super) fn look_at_user(trials: &Trials) -> Finding {
    let layer = Layer::UserNamespace;
    let direct = trials
        .made(Layer::Namespaces, Some(Way::Namespaces))
        .is_ok();
    match trials.made(layer, Some(Way::UserNamespace)) {
        Ok(()) if direct => Finding::layer(layer, "can be made; root makes the others directly"),
        Ok(()) => Finding::layer(layer, "holds your own id only"),
        Err(reason) => {
            let mut finding = Finding::no_layer(layer, reason);
            if direct {
                finding.costs = Some("nothing here: root makes the others directly".to_owned());
            }
            finding
        }
    }
}
