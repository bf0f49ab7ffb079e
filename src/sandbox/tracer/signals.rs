//! Signals where no pid namespace bounds them: only the own tree may be reached.
//!
//! What has ended is not outside. A program may signal a child that is a zombie, or has just been
//! reaped, and the members of a group whose leader has ended, as it may anywhere. A call that can
//! reach nobody is answered and not carried out, because its target's id could be given to another
//! in the meantime.

use super::calls::Look;
use super::{Tracer, Who};
use crate::sandbox::proc;
use crate::sys::{self, Pid};

impl Tracer {
    /// A signal to others than the own tree is forbidden, to find out whether they exist refused.
    pub(super) fn signals(&self, pid: Pid, who: Who, number: u64, args: &[u64; 6]) -> Look {
        if self.trees[who].own_ids {
            return Look::Fine;
        }
        let to_threads = [libc::SYS_tgkill, libc::SYS_rt_tgsigqueueinfo];
        let threads = to_threads.contains(&(number as libc::c_long));
        let signal = if threads { args[2] } else { args[1] };
        let target = match number == libc::SYS_pidfd_send_signal as u64 {
            // Another thread could put another descriptor in its place after this look.
            true if self.tasks(who).count() > 1 => return Look::Refuse(libc::ENOSYS),
            true => match pidfd_target(pid, args[0]) {
                // It refers to no process, or to one that was reaped.
                None | Some(-1) => return Look::Answer(libc::ESRCH),
                Some(target) => target,
            },
            false => args[0] as u32 as Pid,
        };
        let own = match target {
            0 => number == libc::SYS_kill as u64,
            -1 => false,
            group if group < 0 => self.is_own_group(who, group.saturating_neg()),
            target => self.is_own(who, target),
        };
        if own {
            return Look::Fine;
        }
        if target != 0
            && target != -1
            && let Some(errno) = self.reaches_nobody(who, target)
        {
            return Look::Answer(errno);
        }
        match signal {
            0 => Look::Refuse(libc::EPERM),
            _ => Look::Forbid,
        }
    }

    /// True if a living task of the tree has this id.
    pub(super) fn is_own(&self, who: Who, id: Pid) -> bool {
        self.tasks.get(&id).is_some_and(|task| task.who == who)
    }

    /// True if a living process of the tree is in this group. The tree began with a session of its
    /// own, and groups lie within a session: all other members are of the tree as well.
    fn is_own_group(&self, who: Who, group: Pid) -> bool {
        let group = nix::unistd::Pid::from_raw(group);
        self.tasks.iter().any(|(pid, task)| {
            task.who == who
                && *pid == task.process
                && nix::unistd::getpgid(Some(nix::unistd::Pid::from_raw(*pid))) == Ok(group)
        })
    }

    /// What the kernel would answer (an errno, or 0) if nobody can receive a signal to this target,
    /// which is none of the tree's living tasks.
    fn reaches_nobody(&self, who: Who, target: Pid) -> Option<i32> {
        if sys::kill(target, 0).is_err_and(|e| e.raw_os_error() == Some(libc::ESRCH)) {
            return Some(libc::ESRCH);
        }
        self.is_own_zombie(who, target.saturating_abs())
            .then_some(0)
    }

    /// True if a process has ended, and one of the tree has yet to wait for it.
    fn is_own_zombie(&self, who: Who, pid: Pid) -> bool {
        let status = proc::text(pid, "status").unwrap_or_default();
        let parent = proc::number(&status, "PPid:");
        proc::field(&status, "State:") == Some("Z")
            && parent.is_some_and(|parent| self.is_own(who, parent))
    }
}

/// The process that a pidfd of a task refers to: -1 if it was reaped, 0 if it has no id here.
fn pidfd_target(pid: Pid, fd: u64) -> Option<Pid> {
    let info = proc::text_up_to(pid, &format!("fdinfo/{}", fd as i32), 4096)?;
    proc::number(&info, "Pid:")
}
