//! The calls that stop: refused, forbidden, or looked at before they go on.
//!
//! The [policy](super::super::policy) says what is done about a call; what depends on who makes it,
//! and on what else its tree does, is decided here. Nothing is decided on what a pointer points to,
//! except where only the program's own output is at stake.

use std::io;
use std::os::unix::fs::MetadataExt;

use super::memory;
use super::output::Written;
use super::{Happening, Tracer, Who, go_on};
use crate::evidence::{ForbiddenCall, Refusal, RefusedMemory};
use crate::sandbox::filter::{NATIVE_ABI, X32_BIT};
use crate::sandbox::policy::{Action, Watch, call_name};
use crate::sandbox::resources::TASKS_ROOM;
use crate::sys::{self, Pid, SyscallStop};

impl Tracer {
    /// A system call that the filter did not let through.
    pub(super) fn called(&mut self, pid: Pid, happenings: &mut Vec<Happening>) {
        let Ok(call) = sys::ptrace_syscall_info(pid) else {
            return;
        };
        let Some(task) = self.tasks.get_mut(&pid) else {
            return;
        };
        let who = task.who;
        let number = u64::from(call.number as u32);
        if let Some(abi) = foreign_abi(&call) {
            let name = match abi {
                "x32" => format!("{} (x32)", call_name(number & !X32_BIT)),
                abi => format!("system call {number} ({abi})"),
            };
            let why = "another ABI has no innocent use".to_owned();
            return self.forbid(
                who,
                ForbiddenCall {
                    name,
                    args: call.args,
                    why,
                },
                happenings,
            );
        }
        let policy = self.trees[who].policy;
        let (action, why) = policy.decide(number, &call.args);
        let verdict = match action {
            Action::Watch(Watch::Output) => self.writes(pid, who, number, &call.args, happenings),
            Action::Watch(watch) => self.look(pid, watch, number, &call.args),
            Action::Allow => Look::Fine,
            // The filter answers these; whatever comes here all the same gets the same answer.
            Action::Hide(errno) => Look::Answer(errno),
            Action::Refuse(errno) => Look::Refuse(errno),
            Action::Kill => Look::Forbid,
        };
        match verdict {
            Look::Fine => go_on(pid, 0),
            Look::Refuse(errno) => {
                self.refuse(who, number, None, happenings);
                answer(pid, -i64::from(errno));
            }
            Look::RefuseMemory(refused) => {
                self.refuse(who, number, Some(refused), happenings);
                // The kernel does it, with the answer that the program would get anywhere.
                go_on(pid, 0);
            }
            Look::Answer(errno) => answer(pid, -i64::from(errno)),
            Look::Forbid => {
                let call = ForbiddenCall {
                    name: call_name(number),
                    args: call.args,
                    why: why.to_owned(),
                };
                self.forbid(who, call, happenings);
            }
        }
    }

    /// Decides about a watched call.
    fn look(&mut self, pid: Pid, watch: Watch, number: u64, args: &[u64; 6]) -> Look {
        let Some(task) = self.tasks.get(&pid) else {
            return Look::Fine;
        };
        let who = task.who;
        match watch {
            Watch::Task => self.about_to_make(pid, who, number, args[0]),
            Watch::Memory => self.takes_memory(pid, who, number, args),
            // Only looked at where what is written can be told.
            Watch::Output => Look::Fine,
            Watch::Timer => {
                self.trees[who].set_timer = true;
                Look::Fine
            }
            Watch::Sigkill => {
                self.trees[who].sent_sigkill = true;
                self.signals(pid, who, number, args)
            }
            Watch::Signal => self.signals(pid, who, number, args),
            Watch::Pair => self.pairs(who, args),
            Watch::OwnLimit => {
                // In a pid namespace there is nobody else but the init.
                let own = match self.trees[who].own_ids {
                    true => args[0] as u32 != 1,
                    false => self.is_own(who, args[0] as Pid),
                };
                match own {
                    true => Look::Fine,
                    false => Look::Refuse(libc::EPERM),
                }
            }
            Watch::OpenForWriting => {
                // A race on the name can only harm the program's own output.
                let streams = &self.trees[who].streams;
                let _ = append_to_standard_output(pid, number, args, streams);
                Look::Fine
            }
        }
    }

    fn about_to_make(&mut self, pid: Pid, who: Who, number: u64, flags: u64) -> Look {
        const NAMESPACES: i32 = libc::CLONE_NEWNS
            | libc::CLONE_NEWCGROUP
            | libc::CLONE_NEWUTS
            | libc::CLONE_NEWIPC
            | libc::CLONE_NEWUSER
            | libc::CLONE_NEWPID
            | libc::CLONE_NEWNET;
        let is_clone = number == libc::SYS_clone as u64;
        if is_clone && flags & (NAMESPACES | libc::CLONE_UNTRACED) as u64 != 0 {
            return Look::Refuse(libc::EPERM);
        }
        // Tasks that are being made by other threads count as well.
        let of_tree = self.tasks.values().filter(|t| t.who == who && !t.ending);
        let taken: usize = of_tree.map(|t| 1 + usize::from(t.making.is_some())).sum();
        if taken >= self.trees[who].tasks_limit as usize || self.has_too_many_zombies(who, taken) {
            return Look::Refuse(libc::EAGAIN);
        }
        if let Some(task) = self.tasks.get_mut(&pid) {
            task.making = Some(is_clone && flags & libc::CLONE_THREAD as u64 != 0);
        }
        Look::Fine
    }

    /// Processes that have ended take up an id until they are waited for. Elsewhere RLIMIT_NPROC bounds
    /// them; without a pid namespace, of an ordinary user's programs nothing else does.
    fn has_too_many_zombies(&mut self, who: Who, living: usize) -> bool {
        let tree = &self.trees[who];
        let most = (tree.tasks_limit as usize).saturating_add(TASKS_ROOM as usize);
        if living + tree.unwaited.len() < most {
            return false;
        }
        // A zombie can be signalled until it is reaped. Asked cheaply: the program may try again and
        // again, and its own clock hardly moves meanwhile.
        let unwaited = &mut self.trees[who].unwaited;
        unwaited.retain(|pid| sys::kill(*pid, 0).is_ok());
        living + unwaited.len() >= most
    }

    /// Only pairs of UNIX stream sockets, and not more than any program has use for.
    fn pairs(&mut self, who: Who, args: &[u64; 6]) -> Look {
        const MOST: u32 = 256;
        let kind = args[1] as i32 & 0xf;
        if args[0] as i32 != libc::AF_UNIX || kind != libc::SOCK_STREAM {
            return Look::Refuse(libc::EACCES);
        }
        let tree = &mut self.trees[who];
        if tree.pairs >= MOST {
            return Look::Refuse(libc::EMFILE);
        }
        tree.pairs += 1;
        Look::Fine
    }

    /// Address space beyond the limit is refused by the kernel. Who gets as much as was refused
    /// before has coped with that.
    fn takes_memory(&mut self, pid: Pid, who: Who, number: u64, args: &[u64; 6]) -> Look {
        let tree = &mut self.trees[who];
        let Some(allowed) = tree.address_space else {
            return Look::Fine;
        };
        match memory::weigh(pid, number, args, allowed) {
            Ok(granted) => {
                for refusal in tree.refused.values_mut() {
                    let coped = |refused: &mut RefusedMemory| refused.asked <= granted;
                    refusal.memory.take_if(coped);
                }
                Look::Fine
            }
            Err(refused) => Look::RefuseMemory(refused),
        }
    }

    /// What is written to a standard output that is read from memory.
    fn writes(
        &mut self,
        pid: Pid,
        who: Who,
        number: u64,
        args: &[u64; 6],
        happenings: &mut Vec<Happening>,
    ) -> Look {
        let tap = self.trees[who].tap.as_mut();
        match tap.map_or(Written::Nothing, |tap| tap.look(pid, number, args)) {
            Written::Nothing => Look::Fine,
            // Programs then read and write instead.
            Written::FromFile => Look::Answer(libc::EINVAL),
            Written::Bytes(bytes) => {
                happenings.push(Happening::Wrote { who, bytes });
                Look::Fine
            }
        }
    }

    fn refuse(
        &mut self,
        who: Who,
        number: u64,
        memory: Option<RefusedMemory>,
        happenings: &mut Vec<Happening>,
    ) {
        let call = call_name(number);
        let tree = &mut self.trees[who];
        // A program that tries thousands of numbers must not grow our memory by thousands of names.
        const NAMES: usize = 256;
        if let Some(refusal) = tree.refused.get_mut(&call) {
            refusal.count += 1;
            refusal.memory = memory.or(refusal.memory);
        } else if tree.refused.len() < NAMES {
            let refusal = Refusal {
                call: call.clone(),
                count: 1,
                memory,
            };
            tree.refused.insert(call.clone(), refusal);
            happenings.push(Happening::Refused { who, call });
        }
    }

    fn forbid(&mut self, who: Who, call: ForbiddenCall, happenings: &mut Vec<Happening>) {
        // The task stays stopped before its call until it is killed.
        if !self.trees[who].dying {
            happenings.push(Happening::Forbidden { who, call });
        }
        self.kill(who);
    }
}

pub(super) enum Look {
    Fine,
    /// With this errno.
    Refuse(i32),
    /// The kernel will, for the limit on address space.
    RefuseMemory(RefusedMemory),
    /// It is not carried out and returns this errno, or 0, which is not counted against anyone.
    Answer(i32),
    Forbid,
}

/// The name of the ABI through which a call came, if it is not the native one.
fn foreign_abi(call: &SyscallStop) -> Option<&'static str> {
    // The x32 table ends far below this; numbers such as -1 carry the bit by accident.
    const X32_CALLS: u64 = 0x1000;
    let number = u64::from(call.number as u32);
    if call.arch != NATIVE_ABI {
        Some("int 0x80")
    } else if (X32_BIT..X32_BIT + X32_CALLS).contains(&number) {
        Some("x32")
    } else {
        None
    }
}

/// Makes a call return this without being carried out, and lets the task go on.
fn answer(pid: Pid, value: i64) {
    let done = sys::ptrace_registers(pid).and_then(|mut registers| {
        registers.orig_rax = u64::MAX;
        registers.rax = value as u64;
        sys::ptrace_set_registers(pid, &registers)
    });
    // If that fails it has vanished, and its call with it.
    if done.is_ok() {
        go_on(pid, 0);
    }
}

/// Standard output and error opened by name get O_APPEND and lose O_TRUNC: the file behind them is
/// the channel, and a second description of it must behave as one of a pipe would. `streams` are
/// the files that they were at the beginning, under whatever number.
fn append_to_standard_output(
    pid: Pid,
    number: u64,
    args: &[u64; 6],
    streams: &[FileId],
) -> io::Result<()> {
    let at_folder = number == libc::SYS_openat as u64;
    let mut name = [0; 64];
    let length = sys::read_memory(pid, args[usize::from(at_folder)], &mut name)?;
    let end = name[..length]
        .iter()
        .position(|b| *b == 0)
        .unwrap_or(length);
    let name = &name[..end];
    let by_name = [&b"/dev/stdout"[..], b"/dev/stderr"].contains(&name);
    let descriptor = descriptor_named(name);
    let by_number = descriptor.is_some_and(|fd| {
        let usual = [libc::STDOUT_FILENO, libc::STDERR_FILENO].contains(&fd);
        usual || FileId::of(pid, fd).is_some_and(|file| streams.contains(&file))
    });
    if !by_name && !by_number {
        return Ok(());
    }
    let mut registers = sys::ptrace_registers(pid)?;
    let adapt = |flags: u64| (flags & !(libc::O_TRUNC as u64)) | libc::O_APPEND as u64;
    if at_folder {
        registers.rdx = adapt(registers.rdx);
    } else if number == libc::SYS_creat as u64 {
        registers.orig_rax = libc::SYS_open as u64;
        registers.rdx = registers.rsi;
        registers.rsi = adapt((libc::O_CREAT | libc::O_WRONLY) as u64);
    } else {
        registers.rsi = adapt(registers.rsi);
    }
    sys::ptrace_set_registers(pid, &registers)
}

/// The number of a descriptor of which this is a name, such as `/proc/self/fd/3`.
fn descriptor_named(name: &[u8]) -> Option<i32> {
    let name = std::str::from_utf8(name).ok()?;
    let (folder, number) = name.rsplit_once("/fd/")?;
    let is_known = folder == "/dev" || folder.starts_with("/proc/");
    number.parse().ok().filter(|_| is_known)
}

/// A file, whatever names and descriptors it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The file behind a descriptor of a task.
    pub(super) fn of(pid: Pid, descriptor: i32) -> Option<Self> {
        let found = std::fs::metadata(format!("/proc/{pid}/fd/{descriptor}")).ok()?;
        Some(FileId {
            device: found.dev(),
            inode: found.ino(),
        })
    }
}
