//! How much processes have read and written in all, wherever: what shows that two programs talk to
//! each other where nobody sees what they say.

use std::fs;

use crate::sys::Pid;

/// Bytes that the processes of a participant have read and written with read, write and the like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    read: u64,
    written: u64,
}

impl Traffic {
    /// The sum over these processes; `None` where the kernel does not count it.
    pub fn of(processes: &[Pid]) -> Option<Traffic> {
        let mut sum = Traffic::default();
        for process in processes {
            // One that has ended since it was listed makes another sum, as anything else does.
            match fs::read_to_string(format!("/proc/{process}/io")) {
                Ok(text) => {
                    let one = parse(&text)?;
                    sum.read += one.read;
                    sum.written += one.written;
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(_) => return None,
            }
        }
        Some(sum)
    }
}

/// False if nothing can have gone from one of two to the other: whoever was written to has read
/// nothing. True if that cannot be told.
pub fn exchanged(before: [Option<Traffic>; 2], now: [Option<Traffic>; 2]) -> bool {
    let changed = |side: usize| {
        let (before, now) = before[side].zip(now[side])?;
        Some((before.read != now.read, before.written != now.written))
    };
    let Some(((one_read, one_wrote), (two_read, two_wrote))) = changed(0).zip(changed(1)) else {
        return true;
    };
    (one_wrote && two_read) || (two_wrote && one_read)
}

fn parse(text: &str) -> Option<Traffic> {
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line?.trim().parse().ok()
    };
    Some(Traffic {
        read: field("rchar:")?,
        written: field("wchar:")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_kernels_lines() {
        let text = "rchar: 11\nwchar: 7\nsyscr: 5\nsyscw: 3\nread_bytes: 0\n";
        let both = Traffic {
            read: 11,
            written: 7,
        };
        assert_eq!(parse(text), Some(both));
        assert_eq!(parse(""), None);
        assert_eq!(Traffic::of(&[Pid::MAX]), Some(Traffic::default()));
    }

    #[test]
    fn a_message_is_written_and_read() {
        let of = |read, written| Some(Traffic { read, written });
        let before = [of(5, 5), of(5, 5)];
        assert!(!exchanged(before, before));
        assert!(exchanged(before, [of(5, 6), of(6, 5)]));
        assert!(exchanged(before, [of(6, 5), of(5, 6)]));
        // One of them talks to itself.
        assert!(!exchanged(before, [of(9, 9), of(5, 5)]));
        // Both have written, and neither has read.
        assert!(!exchanged(before, [of(5, 9), of(5, 9)]));
        assert!(exchanged(before, [of(5, 5), None]));
    }
}
