//! What the child says through the status pipe: that it is ready, or which step failed.

use crate::spec::layer::Layer;

/// The steps, in the order in which they run; the discriminant travels through the status pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Step {
    Descriptors = 1,
    ParentDeath,
    UserMap,
    FileSystem,
    Fork,
    Report,
    Barrier,
    Group,
    ProcessGroup,
    Signals,
    Limits,
    Cpus,
    Folder,
    Identity,
    Privileges,
    Landlock,
    Filter,
    Exec,
}

impl Step {
    const ALL: [Step; 18] = [
        Step::Descriptors,
        Step::ParentDeath,
        Step::UserMap,
        Step::FileSystem,
        Step::Fork,
        Step::Report,
        Step::Barrier,
        Step::Group,
        Step::ProcessGroup,
        Step::Signals,
        Step::Limits,
        Step::Cpus,
        Step::Folder,
        Step::Identity,
        Step::Privileges,
        Step::Landlock,
        Step::Filter,
        Step::Exec,
    ];

    /// The step's name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Step::Descriptors => "descriptors",
            Step::ParentDeath => "parent-death",
            Step::UserMap => "user-map",
            Step::FileSystem => "file-system",
            Step::Fork => "fork",
            Step::Report => "report",
            Step::Barrier => "barrier",
            Step::Group => "cgroup",
            Step::ProcessGroup => "process-group",
            Step::Signals => "signals",
            Step::Limits => "limits",
            Step::Cpus => "cpus",
            Step::Folder => "folder",
            Step::Identity => "identity",
            Step::Privileges => "privileges",
            Step::Landlock => "landlock",
            Step::Filter => "filter",
            Step::Exec => "exec",
        }
    }

    /// The layer that is not to be had if this step fails. (Whether there are identities is known
    /// before.)
    pub fn layer(self) -> Option<Layer> {
        match self {
            Step::UserMap => Some(Layer::UserNamespace),
            Step::FileSystem => Some(Layer::Namespaces),
            Step::Group => Some(Layer::Cgroup),
            Step::Landlock => Some(Layer::Landlock),
            Step::Filter => Some(Layer::Seccomp),
            _ => None,
        }
    }
}

/// One message on the status pipe, eight bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message {
    /// The participant is at the barrier; its id as the coordinator sees it.
    Ready(i32),
    /// A step failed with this errno; `detail` counts within the step.
    Failed { step: Step, detail: u16, errno: u16 },
}

impl Message {
    /// The size of a message in bytes.
    pub const SIZE: usize = 8;

    pub(super) fn encode(self) -> [u8; Self::SIZE] {
        let (tag, value) = match self {
            Message::Ready(pid) => (0, pid as u32),
            Message::Failed {
                step,
                detail,
                errno,
            } => (step as u32, u32::from(detail) << 16 | u32::from(errno)),
        };
        let mut bytes = [0; Self::SIZE];
        bytes[..4].copy_from_slice(&tag.to_ne_bytes());
        bytes[4..].copy_from_slice(&value.to_ne_bytes());
        bytes
    }

    /// Reads a message; `None` if no child of ours can have written it.
    pub fn decode(bytes: [u8; Self::SIZE]) -> Option<Message> {
        let [a, b, c, d, e, f, g, h] = bytes;
        let (tag, value) = (
            u32::from_ne_bytes([a, b, c, d]),
            u32::from_ne_bytes([e, f, g, h]),
        );
        if tag == 0 {
            return Some(Message::Ready(value as i32));
        }
        let step = Step::ALL.into_iter().find(|s| *s as u32 == tag)?;
        Some(Message::Failed {
            step,
            detail: (value >> 16) as u16,
            errno: value as u16,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_the_pipe() {
        let failed = Message::Failed {
            step: Step::FileSystem,
            detail: 12,
            errno: libc::ENOENT as u16,
        };
        for message in [Message::Ready(4_194_303), failed] {
            assert_eq!(Message::decode(message.encode()), Some(message));
        }
        assert_eq!(Message::decode([0xff; 8]), None);
    }

    #[test]
    fn every_step_has_a_number_of_its_own() {
        for (i, step) in Step::ALL.into_iter().enumerate() {
            assert_eq!(step as u32, i as u32 + 1, "{}", step.name());
        }
    }
}
