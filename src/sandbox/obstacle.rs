//! Why a layer is not to be had, and what the user can do about it.

use std::fs;

use super::identity;
use super::way::Way;
use crate::error::Error;
use crate::spec::layer::Layer;

/// What stands between us and a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// The layer.
    pub layer: Layer,
    /// The reason, as part of a sentence.
    pub reason: String,
}

impl Obstacle {
    /// That this way never has the layer.
    pub fn of_way(layer: Layer, way: Way) -> Self {
        let reason = match layer {
            Layer::Identity => identity::obstacle().unwrap_or_default(),
            _ => String::new(),
        };
        let reason = match reason.as_str() {
            "" => format!("there is none with {}", way.name()),
            _ => reason,
        };
        Obstacle { layer, reason }
    }

    /// The error of a run that cannot go on without the layer `required`, because of this.
    pub fn error(required: Layer, reasons: &str) -> Error {
        Error::Environment(format!(
            "the layer `{}` is required and cannot be had: {reasons}: {}",
            required.name(),
            remedy(required)
        ))
    }
}

/// A switch of the kernel that forbids something when it has this value: its path below
/// `/proc/sys`, the value, and the command that turns it.
type Switch = (&'static str, &'static str, &'static str);

/// Those that keep ordinary users from namespaces.
const USER_NAMESPACES: [Switch; 3] = [
    (
        "user/max_user_namespaces",
        "0",
        "sysctl -w user.max_user_namespaces=10000",
    ),
    (
        "kernel/unprivileged_userns_clone",
        "0",
        "sysctl -w kernel.unprivileged_userns_clone=1",
    ),
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    ),
];

const CONTAINER: &str = "in a container start that with `docker run --cap-add SYS_ADMIN \
                         --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
                         --security-opt systempaths=unconfined`";

/// What the user can do to have a layer on this machine: a command or a line of configuration,
/// in words that follow a colon.
pub fn remedy(layer: Layer) -> String {
    remedy_for(layer, nix::unistd::geteuid().is_root(), |switch| {
        let text = fs::read_to_string(format!("/proc/sys/{switch}")).ok()?;
        Some(text.trim().to_owned())
    })
}

/// As [`remedy`], for root or not, with the kernel's switches as `value` says.
fn remedy_for(layer: Layer, root: bool, value: impl Fn(&str) -> Option<String>) -> String {
    let turned = |switches: &[Switch]| -> Vec<&'static str> {
        let forbids = |(name, bad, _): &&Switch| value(name).as_deref() == Some(bad);
        switches
            .iter()
            .filter(forbids)
            .map(|(.., command)| *command)
            .collect()
    };
    match layer {
        Layer::Seccomp => "use a kernel with CONFIG_SECCOMP_FILTER".to_owned(),
        Layer::Ptrace => match value("kernel/yama/ptrace_scope").as_deref() {
            Some("3") => {
                "take `kernel.yama.ptrace_scope = 3` out of /etc/sysctl.d and restart the \
                          machine"
                    .to_owned()
            }
            Some("2") if !root => "run `sysctl -w kernel.yama.ptrace_scope=1` as root".to_owned(),
            _ => "in a container start that with `docker run --cap-add SYS_PTRACE`".to_owned(),
        },
        Layer::Namespaces | Layer::UserNamespace => {
            let commands = turned(&USER_NAMESPACES);
            match (commands.as_slice(), layer, root) {
                ([], Layer::UserNamespace, _) => {
                    "use a kernel with CONFIG_USER_NS; in a container start that with `docker run \
                     --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
                     --security-opt systempaths=unconfined`"
                        .to_owned()
                }
                ([], ..) => match root {
                    true => CONTAINER.to_owned(),
                    false => format!("run rejoinder as root; {CONTAINER}"),
                },
                (commands, ..) => format!("run `{}` as root", commands.join("; ")),
            }
        }
        Layer::Net => match value("user/max_net_namespaces").as_deref() {
            Some("0") => "run `sysctl -w user.max_net_namespaces=10000` as root".to_owned(),
            _ => remedy_for(Layer::Namespaces, root, value),
        },
        Layer::Landlock => {
            "use Linux 6.2 or later with CONFIG_SECURITY_LANDLOCK and `landlock` in \
                            the list `lsm=` of its command line; in a container start that with \
                            `docker run --security-opt seccomp=unconfined` if its profile is older \
                            than Landlock"
                .to_owned()
        }
        Layer::Identity => match root {
            true => "give it CAP_SETUID, CAP_SETGID and CAP_CHOWN, and all user ids: in a \
                     container start that without `--cap-drop` and `--userns`"
                .to_owned(),
            false => "run rejoinder as root".to_owned(),
        },
        Layer::Cgroup => match root {
            true => "in a container start that with `docker run --cgroupns=private --privileged`, \
                     or mount the host's hierarchy with `-v /sys/fs/cgroup:/sys/fs/cgroup:rw`; \
                     in a systemd unit write `Delegate=memory` and `DelegateSubgroup=main`"
                .to_owned(),
            false => "start it with `systemd-run --user --scope -p Delegate=yes`, or in a unit of \
                      yours with `Delegate=memory` and `DelegateSubgroup=main`; with cgroups of \
                      version 1 let root `chown` a group to you and start it in there"
                .to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(layer: Layer, root: bool, switches: &[(&str, &str)]) -> String {
        remedy_for(layer, root, |name| {
            let found = switches.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn switches_that_forbid_are_named_with_the_command_that_turns_them() {
        let ubuntu = [
            ("user/max_user_namespaces", "96365"),
            ("kernel/apparmor_restrict_unprivileged_userns", "1"),
        ];
        assert_eq!(
            with(Layer::UserNamespace, false, &ubuntu),
            "run `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` as root"
        );
        let both = [
            ("user/max_user_namespaces", "0"),
            ("kernel/unprivileged_userns_clone", "0"),
        ];
        assert_eq!(
            with(Layer::Net, false, &both),
            "run `sysctl -w user.max_user_namespaces=10000; sysctl -w \
             kernel.unprivileged_userns_clone=1` as root"
        );
        let yama = [("kernel/yama/ptrace_scope", "2")];
        assert_eq!(
            with(Layer::Ptrace, false, &yama),
            "run `sysctl -w kernel.yama.ptrace_scope=1` as root"
        );
        assert!(with(Layer::Ptrace, true, &yama).contains("SYS_PTRACE"));
    }

    #[test]
    fn there_is_something_to_do_about_everything() {
        for layer in Layer::ALL {
            for root in [false, true] {
                let text = with(layer, root, &[]);
                assert!(
                    text.len() > 20 && !text.contains("  ") && !text.ends_with('.'),
                    "{text}"
                );
            }
        }
    }
}
