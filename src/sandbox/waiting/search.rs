//! Whether a descriptor tells of the standard input: it is that pipe, or an epoll instance that
//! watches it, perhaps through others.
//!
//! The program decides how many descriptors there are and how they lie in one another, so a search
//! is bounded: beyond that it has no answer.

use std::collections::HashSet;
use std::fs;

use crate::sandbox::proc;
use crate::sys::Pid;

/// How deep epoll instances may lie in one another (`EP_MAX_NESTS` of fs/eventpoll.c).
const NESTED: u32 = 4;
/// How many descriptors are asked for in one look.
const DESCRIPTORS: u32 = 1024;
/// How much is read of what the kernel says of epoll instances in one look, in bytes.
const BYTES: u64 = 256 << 10;

/// The search of one look.
#[derive(Debug)]
pub(super) struct Search {
    /// The inode of the pipe.
    stdin: Option<u64>,
    descriptors: u32,
    bytes: u64,
    /// Descriptors that do not tell, with how deep could be searched below them.
    in_vain: HashSet<(Pid, u64, u32)>,
}

/// The search has used up what it may.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooMuch;

impl Search {
    /// For the pipe of this inode; `None` if there is none to be found.
    pub(super) fn new(stdin: Option<u64>) -> Self {
        Search {
            stdin,
            descriptors: DESCRIPTORS,
            bytes: BYTES,
            in_vain: HashSet::new(),
        }
    }

    /// True if a descriptor of a task is the pipe itself.
    pub(super) fn is_stdin(&self, task: Pid, fd: u64) -> bool {
        self.stdin.is_some_and(|inode| is_pipe(task, fd, inode))
    }

    /// True if one of these descriptors of a task tells of the pipe.
    pub(super) fn tells(
        &mut self,
        task: Pid,
        mut fds: impl Iterator<Item = u64>,
    ) -> Result<bool, TooMuch> {
        let Some(inode) = self.stdin else {
            return Ok(false);
        };
        // The first that tells, or for which there is no answer.
        let found = fds.find_map(|fd| match self.tells_of(task, fd, inode, NESTED) {
            Ok(false) => None,
            other => Some(other),
        });
        found.unwrap_or(Ok(false))
    }

    fn tells_of(&mut self, task: Pid, fd: u64, inode: u64, nested: u32) -> Result<bool, TooMuch> {
        if self.in_vain.contains(&(task, fd, nested)) {
            return Ok(false);
        }
        self.descriptors = self.descriptors.checked_sub(1).ok_or(TooMuch)?;
        if is_pipe(task, fd, inode) {
            return Ok(true);
        }
        let info = format!("fdinfo/{}", fd as i32);
        let info = proc::text_up_to(task, &info, self.bytes).unwrap_or_default();
        self.bytes = self.bytes.saturating_sub(info.len() as u64);
        if self.bytes == 0 {
            return Err(TooMuch);
        }
        for (fd, watched) in info.lines().filter_map(watched) {
            let tells =
                watched == inode || nested > 0 && self.tells_of(task, fd, inode, nested - 1)?;
            if tells {
                return Ok(true);
            }
        }
        self.in_vain.insert((task, fd, nested));
        Ok(false)
    }
}

fn is_pipe(task: Pid, fd: u64, inode: u64) -> bool {
    let link = fs::read_link(format!("/proc/{task}/fd/{}", fd as i32));
    link.is_ok_and(|target| target.as_os_str() == format!("pipe:[{inode}]").as_str())
}

/// Reads a line of an epoll instance's `/proc/PID/fdinfo`: a descriptor of which it tells that there is
/// something to read, and the inode of the file, which stays watched when the descriptor is closed.
fn watched(line: &str) -> Option<(u64, u64)> {
    let (fd, rest) = line.strip_prefix("tfd:")?.split_once(" events:")?;
    let mut words = rest.split_ascii_whitespace();
    let events = u32::from_str_radix(words.next()?, 16).ok()?;
    let inode = words.find_map(|word| word.strip_prefix("ino:"))?;
    let readable = (libc::EPOLLIN | libc::EPOLLRDNORM) as u32;
    if events & readable == 0 {
        return None;
    }
    Some((
        fd.trim().parse().ok()?,
        u64::from_str_radix(inode, 16).ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags};

    #[test]
    fn reads_what_an_epoll_instance_watches() {
        let line = |events: &str| {
            format!(
                "tfd:        3 events:       {events} data:                3  pos:0 ino:537073 sdev:f"
            )
        };
        assert_eq!(watched(&line("19")), Some((3, 0x537073)));
        assert_eq!(watched(&line("40")), Some((3, 0x537073)));
        // One that is not armed, and one for output.
        assert_eq!(watched(&line("40000000")), None);
        assert_eq!(watched(&line("1c")), None);
        assert_eq!(watched("pos:\t0"), None);
        assert_eq!(watched("tfd: events: ino:1"), None);
    }

    /// Levels of epoll instances, each of which watches all of the next.
    fn levels(count: usize, each: usize) -> Vec<Vec<Epoll>> {
        let mut levels: Vec<Vec<Epoll>> = Vec::new();
        for _ in 0..count {
            let made = || Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC).expect("an instance");
            let level: Vec<Epoll> = (0..each).map(|_| made()).collect();
            for (epoll, below) in level
                .iter()
                .flat_map(|epoll| levels.last().into_iter().flatten().map(move |b| (epoll, b)))
            {
                let event = EpollEvent::new(EpollFlags::EPOLLIN, 0);
                epoll.add(&below.0, event).expect("add");
            }
            levels.push(level);
        }
        levels
    }

    #[test]
    fn instances_in_instances_are_asked_once_each() {
        let us = std::process::id() as Pid;
        let (read, _write) = nix::unistd::pipe().expect("a pipe");
        let inode = std::os::fd::AsFd::as_fd(&read);
        let inode = nix::sys::stat::fstat(inode).expect("an inode").st_ino;
        let top = |levels: &[Vec<Epoll>]| levels[3][0].0.as_raw_fd() as u64;
        let wide = levels(4, 12);
        let mut search = Search::new(Some(inode));
        assert_eq!(search.tells(us, [top(&wide)].into_iter()), Ok(false));
        assert!(search.descriptors > DESCRIPTORS - 100);
        // The kernel lets a file be watched on so many ways at most, which wide ones have.
        let narrow = levels(4, 3);
        let event = EpollEvent::new(EpollFlags::EPOLLIN, 0);
        narrow[0][2].add(&read, event).expect("add");
        let tells = Search::new(Some(inode)).tells(us, [top(&narrow)].into_iter());
        assert_eq!(tells, Ok(true));
    }

    #[test]
    fn a_search_has_an_end() {
        let us = std::process::id() as Pid;
        let mut search = Search::new(Some(1));
        let many = std::iter::repeat_n(u64::from(u32::MAX), DESCRIPTORS as usize);
        assert_eq!(search.tells(us, many.clone()), Ok(false));
        let others = (0..u64::from(DESCRIPTORS)).map(|fd| fd + (1 << 20));
        assert_eq!(search.tells(us, others), Err(TooMuch));
    }
}
