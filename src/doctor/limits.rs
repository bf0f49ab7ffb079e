//! Hard limits of this user that lie below what programs are given by default.

use super::{Finding, Kind};
use crate::evidence::Role;
use crate::sandbox::resources;
use crate::spec::limits::Limits;
use crate::sys;

/// As many descriptors as a run may need.
const DESCRIPTORS: u64 = 64;

pub(super) fn look() -> Finding {
    let name = "hard-limits";
    let mut short = Vec::new();
    for role in [Role::Contestant, Role::Interactor] {
        let mut warnings = Vec::new();
        if let Err(error) = resources::limits(&Limits::default_for(role), true, &mut warnings) {
            warnings.push(error.to_string());
        }
        for warning in warnings {
            if !short.contains(&warning) {
                short.push(warning);
            }
        }
    }
    let descriptors = sys::hard_limit(libc::RLIMIT_NOFILE).unwrap_or(0);
    if descriptors < DESCRIPTORS {
        short.push(format!(
            "only {descriptors} descriptors may be open (`ulimit -Hn`)"
        ));
    }
    match short.as_slice() {
        [] => Finding::yes(name, Kind::Measure, "all are above the limits of a run"),
        short => Finding::yes(name, Kind::Measure, short.join("; ")).partly(
            "programs have less than the limits of a run say",
            "raise the hard limits in /etc/security/limits.conf; in a unit write \
             `LimitSTACK=infinity` and the like; in a container `docker run --ulimit stack=-1`",
        ),
    }
}
