//! Why a signal ended a program, in a few words: the fault itself, not where it was.

use super::image::{Image, Mapping};
use super::memory::Memory;
use super::stack::Registers;
use crate::sys::{Pid, SignalInfo};

/// Below this address nothing is mapped: what is accessed there is a null pointer, or a member or
/// an element of one.
const NULL: u64 = 64 << 10;
/// How far from the stack pointer an access of the stack may be: a call or a push is 8 bytes below
/// it, a leaf function uses 128.
const BELOW: u64 = 64 << 10;

/// Codes of the kernel's (siginfo.h) that the libc crate does not have.
const SEGV_MAPERR: i32 = 1;
const SEGV_ACCERR: i32 = 2;
const FPE_INTDIV: i32 = 1;
const FPE_INTOVF: i32 = 2;
const BUS_ADRALN: i32 = 1;
const BUS_ADRERR: i32 = 2;
const SI_KERNEL: i32 = 0x80;

/// Why a task was ended by a signal: "null pointer: access of address 0x0", "stack overflow",
/// "division by zero". `None` if no more is known than the signal's name: of SIGABRT, the program's
/// [last words](super::last_words) may say more.
///
/// `task` must be stopped as for [`stack`](super::stack::stack); `registers` and `info` are those at
/// the signal.
pub fn cause(task: Pid, registers: &Registers, info: &SignalInfo) -> Option<String> {
    let mappings = Image::of(&Memory::of(task)).map(|image| image.mappings);
    of_mappings(registers, info, &mappings.unwrap_or_default())
}

fn of_mappings(registers: &Registers, info: &SignalInfo, mappings: &[Mapping]) -> Option<String> {
    // Someone sent it: there was no fault.
    let sent = info.code <= 0;
    let fixed = |text: &str| Some(text.to_owned());
    match info.signal {
        _ if sent => None,
        libc::SIGSEGV => segmentation(registers.rip, registers.rsp, info, mappings),
        libc::SIGFPE => match info.code {
            FPE_INTDIV => fixed("division by zero, or of the least number by -1"),
            FPE_INTOVF => fixed("integer overflow"),
            _ => fixed("floating-point exception"),
        },
        libc::SIGBUS => match info.code {
            BUS_ADRERR => fixed("access beyond the end of a mapped file"),
            BUS_ADRALN => fixed("access of an address that is not aligned"),
            _ => None,
        },
        libc::SIGILL => fixed(
            "an instruction that this processor does not have, or that a compiler put where \
             execution must not come",
        ),
        libc::SIGTRAP => fixed("a breakpoint, or __builtin_trap"),
        libc::SIGSYS => fixed("a system call that is not permitted"),
        _ => None,
    }
}

fn segmentation(
    instruction: u64,
    stack: u64,
    info: &SignalInfo,
    mappings: &[Mapping],
) -> Option<String> {
    let address = info.address;
    if info.code == SI_KERNEL {
        return Some("access of an address that cannot exist".to_owned());
    }
    if info.code != SEGV_MAPERR && info.code != SEGV_ACCERR {
        return None;
    }
    let calls = address == instruction;
    if address < NULL {
        return Some(match calls {
            true => format!("null pointer: call of address {address:#x}"),
            false => format!("null pointer: access of address {address:#x}"),
        });
    }
    let at = mappings
        .iter()
        .find(|mapping| mapping.range.contains(&address));
    if is_stack_overflow(address, stack, at, mappings) {
        return Some("stack overflow".to_owned());
    }
    Some(match at {
        Some(_) if calls => format!("call of address {address:#x}, where there is no code"),
        Some(mapping) if mapping.readable && !mapping.writable => {
            format!("write to memory that can only be read, at address {address:#x}")
        }
        Some(_) => format!("access of address {address:#x}, which is not permitted"),
        None if calls => format!("call of address {address:#x}, where there is no memory"),
        None => format!("access of address {address:#x}, where there is no memory"),
    })
}

/// True if what was accessed belongs to a stack that has no more room: it lies below a stack, in
/// nothing or in the page that guards it, and not below what the stack pointer has come to.
fn is_stack_overflow(address: u64, stack: u64, at: Option<&Mapping>, mappings: &[Mapping]) -> bool {
    if at.is_some_and(|mapping| mapping.readable || mapping.writable) {
        return false;
    }
    // A guard's neighbour above is the stack that it guards.
    let above = at.map_or(address, |guard| guard.range.end - 1);
    let Some(next) = mappings.iter().find(|mapping| mapping.range.start > above) else {
        return false;
    };
    let touches = at.is_none_or(|guard| guard.range.end == next.range.start);
    let is_stack = next.writable && (at.is_some() || next.name == b"[stack]");
    touches && is_stack && address >= stack.saturating_sub(BELOW) && stack < next.range.end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(start: u64, end: u64, access: &str, name: &str) -> Mapping {
        Mapping {
            range: start..end,
            readable: access.contains('r'),
            writable: access.contains('w'),
            executable: access.contains('x'),
            offset: 0,
            name: name.as_bytes().to_vec(),
        }
    }

    fn segv(code: i32, address: u64, instruction: u64, stack: u64) -> String {
        let mappings = [
            mapping(0x40_0000, 0x40_1000, "r-x", "/a"),
            mapping(0x40_1000, 0x40_2000, "r--", "/a"),
            mapping(0x40_2000, 0x40_3000, "rw-", "/a"),
            mapping(0x7000_0000, 0x7000_1000, "---", ""),
            mapping(0x7000_1000, 0x7080_1000, "rw-", ""),
            mapping(0x7fff_0000_0000, 0x7fff_0080_0000, "rw-", "[stack]"),
        ];
        let info = SignalInfo {
            signal: libc::SIGSEGV,
            code,
            address,
        };
        segmentation(instruction, stack, &info, &mappings).unwrap_or_default()
    }

    #[test]
    fn segmentation_faults() {
        let (code, stack) = (0x40_0010, 0x7fff_0040_0000);
        for (kind, address, instruction, stack, expected) in [
            (
                SEGV_MAPERR,
                8,
                code,
                stack,
                "null pointer: access of address 0x8",
            ),
            (
                SEGV_MAPERR,
                0,
                0,
                stack,
                "null pointer: call of address 0x0",
            ),
            (
                SEGV_ACCERR,
                0x40_1004,
                code,
                stack,
                "write to memory that can only be read, at address 0x401004",
            ),
            (
                SEGV_MAPERR,
                0x5000_0000,
                code,
                stack,
                "access of address 0x50000000, where there is no memory",
            ),
            (
                SEGV_ACCERR,
                0x40_2004,
                0x40_2004,
                stack,
                "call of address 0x402004, where there is no code",
            ),
            (
                SI_KERNEL,
                0,
                code,
                stack,
                "access of an address that cannot exist",
            ),
            // Just below the main stack, and far below it but within what the function set aside.
            (
                SEGV_MAPERR,
                0x7ffe_ffff_fff8,
                code,
                0x7fff_0000_0000,
                "stack overflow",
            ),
            (
                SEGV_MAPERR,
                0x7ffe_fc00_0010,
                code,
                0x7ffe_fc00_0000,
                "stack overflow",
            ),
            // A thread's stack has a guard.
            (
                SEGV_ACCERR,
                0x7000_0ff8,
                code,
                0x7000_1000,
                "stack overflow",
            ),
            (
                SEGV_ACCERR,
                0x7000_0ff8,
                code,
                stack,
                "access of address 0x70000ff8, which is not permitted",
            ),
            // Below the stack, but not where the stack pointer is.
            (
                SEGV_MAPERR,
                0x7ffe_0000_0000,
                code,
                stack,
                "access of address 0x7ffe00000000, where there is no memory",
            ),
        ] {
            assert_eq!(segv(kind, address, instruction, stack), expected);
        }
    }
}
