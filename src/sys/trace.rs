//! Tracees: their stops, their registers and their memory (ptrace(2)).

use std::io;
use std::mem::{MaybeUninit, size_of};

use super::{Pid, check};

/// `ptrace` with two plain words; for requests that read or write nothing of ours.
fn ptrace(request: libc::c_uint, pid: Pid, address: usize, data: usize) -> io::Result<()> {
    // SAFETY: the requests used below take integers, not pointers into our memory.
    check(unsafe { libc::ptrace(request, pid, address, data) }).map(drop)
}

/// Starts tracing a running process without stopping it. If the tracer dies, the kernel kills it.
pub fn ptrace_seize(pid: Pid, options: i32) -> io::Result<()> {
    ptrace(libc::PTRACE_SEIZE, pid, 0, options as usize)
}

/// Lets a stopped tracee go on and delivers `signal` to it (0: none), with the siginfo it came with.
pub fn ptrace_continue(pid: Pid, signal: i32) -> io::Result<()> {
    ptrace(libc::PTRACE_CONT, pid, 0, signal as usize)
}

/// Leaves a tracee in its group-stop, but hears when that ends.
pub fn ptrace_listen(pid: Pid) -> io::Result<()> {
    ptrace(libc::PTRACE_LISTEN, pid, 0, 0)
}

/// The number that belongs to the ptrace event (`PTRACE_EVENT_...`) that a tracee is stopped at: a new
/// task's id, the former id of a thread that executed a program, or the filter's data.
///
/// A tracee that is killed leaves any stop, and may be in that of its exit when it is asked: the
/// number would be its exit status. Then, as when it has vanished, the error is ESRCH.
pub fn ptrace_event_message(pid: Pid, event: i32) -> io::Result<u64> {
    let mut message: libc::c_ulong = 0;
    // SAFETY: the kernel writes one unsigned long to the address.
    check(unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, pid, 0, &mut message) })?;
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the kernel writes one siginfo_t to the address.
    check(unsafe { libc::ptrace(libc::PTRACE_GETSIGINFO, pid, 0, info.as_mut_ptr()) })?;
    // SAFETY: zeroed at first, written by the call.
    let code = unsafe { info.assume_init() }.si_code;
    // Nobody returns to a stop: who is in it now was in it before.
    match code == libc::SIGTRAP | event << 8 {
        true => Ok(message),
        false => Err(io::Error::from_raw_os_error(libc::ESRCH)),
    }
}

/// The system call that a tracee is stopped at.
#[derive(Debug, Clone, Copy)]
pub struct SyscallStop {
    /// `AUDIT_ARCH_...` of the ABI through which it came.
    pub arch: u32,
    pub number: u64,
    pub args: [u64; 6],
}

/// Reads the system call at a seccomp stop.
pub fn ptrace_syscall_info(pid: Pid) -> io::Result<SyscallStop> {
    let mut info = MaybeUninit::<libc::ptrace_syscall_info>::zeroed();
    let size = size_of::<libc::ptrace_syscall_info>();
    // SAFETY: the kernel writes at most `size` bytes to the address.
    check(unsafe { libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, pid, size, info.as_mut_ptr()) })?;
    // SAFETY: zeroed at first; at a seccomp stop the kernel fills the seccomp variant.
    let (op, arch, call) = unsafe {
        let info = info.assume_init();
        (info.op, info.arch, info.u.seccomp)
    };
    if op != libc::PTRACE_SYSCALL_INFO_SECCOMP {
        // It was killed, and is stopped at its exit by now.
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    Ok(SyscallStop {
        arch,
        number: call.nr,
        args: call.args,
    })
}

/// The registers of a stopped tracee.
pub fn ptrace_registers(pid: Pid) -> io::Result<libc::user_regs_struct> {
    let mut registers = MaybeUninit::<libc::user_regs_struct>::zeroed();
    // SAFETY: the kernel writes one user_regs_struct to the address.
    check(unsafe { libc::ptrace(libc::PTRACE_GETREGS, pid, 0, registers.as_mut_ptr()) })?;
    // SAFETY: initialised by the call.
    Ok(unsafe { registers.assume_init() })
}

/// Sets the registers of a stopped tracee.
pub fn ptrace_set_registers(pid: Pid, registers: &libc::user_regs_struct) -> io::Result<()> {
    // SAFETY: the kernel reads one user_regs_struct from the address.
    check(unsafe { libc::ptrace(libc::PTRACE_SETREGS, pid, 0, registers) }).map(drop)
}

/// What a signal was sent for (siginfo_t).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignalInfo {
    pub signal: i32,
    /// `SEGV_MAPERR`, `FPE_INTDIV` and the like, which are positive if the kernel sent it for a
    /// fault of the task's own.
    pub code: i32,
    /// For a fault, the address that was accessed, or where the instruction is.
    pub address: u64,
}

/// The signal that a tracee is stopped for, before it is delivered.
pub fn ptrace_signal_info(pid: Pid) -> io::Result<SignalInfo> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the kernel writes one siginfo_t to the address.
    check(unsafe { libc::ptrace(libc::PTRACE_GETSIGINFO, pid, 0, info.as_mut_ptr()) })?;
    // SAFETY: zeroed at first, so that every variant of the union is initialised.
    let (info, address) = unsafe {
        let info = info.assume_init();
        (info, info.si_addr())
    };
    Ok(SignalInfo {
        signal: info.si_signo,
        code: info.si_code,
        address: address.addr() as u64,
    })
}

/// Stops a seized tracee wherever it is.
pub fn ptrace_interrupt(pid: Pid) -> io::Result<()> {
    ptrace(libc::PTRACE_INTERRUPT, pid, 0, 0)
}

/// Reads the memory of a tracee at `address`; short where the memory ends.
pub fn read_memory(pid: Pid, address: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let local = libc::iovec {
        iov_base: buffer.as_mut_ptr().cast(),
        iov_len: buffer.len(),
    };
    let remote = libc::iovec {
        iov_base: address as *mut _,
        iov_len: buffer.len(),
    };
    // SAFETY: `local` describes `buffer`; the remote address is checked by the kernel.
    check(unsafe { libc::process_vm_readv(pid, &local, 1, &remote, 1, 0) } as _).map(|n| n as usize)
}

/// Reads one word of the memory of a stopped tracee.
pub fn ptrace_peek(pid: Pid, address: u64) -> io::Result<u64> {
    let mut word: u64 = 0;
    // The bare call: the C library's function returns the word, which may look like an error.
    // SAFETY: the kernel writes one word to `word`; it checks the remote address.
    let result = unsafe {
        let request = libc::PTRACE_PEEKDATA;
        libc::syscall(libc::SYS_ptrace, request, pid, address, &raw mut word)
    };
    check(result).map(|_| word)
}
