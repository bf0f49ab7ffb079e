//! What the kernel says of a task in the files of `/proc/PID`, as text.
//!
//! A program chooses its own name and those of its files, and they need not be UTF-8. So the files
//! are read as bytes: whatever a name is, the lines beside it are what they are.

use std::fs::File;
use std::io::Read;
use std::str::FromStr;

use crate::sys::Pid;

/// A file of a task. `None` if the task has ended or we may not read it.
pub(crate) fn text(task: Pid, file: &str) -> Option<String> {
    text_up_to(task, file, u64::MAX)
}

/// The beginning of a file of a task, of which the program decides how long it is.
pub(crate) fn text_up_to(task: Pid, file: &str, bytes: u64) -> Option<String> {
    read(&format!("/proc/{task}/{file}"), bytes)
}

/// A file of this thread.
pub(crate) fn own_text(file: &str) -> Option<String> {
    read(&format!("/proc/thread-self/{file}"), u64::MAX)
}

fn read(path: &str, most: u64) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path)
        .ok()?
        .take(most)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// The first word of a line of a file such as `status`, of which `name` is the beginning, with its
/// colon.
pub(crate) fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()
}

/// The same as a number.
pub(crate) fn number<T: FromStr>(text: &str, name: &str) -> Option<T> {
    field(text, name)?.parse().ok()
}

/// A field of the file `stat`, by its number in proc(5), from 3.
pub(crate) fn stat_field(text: &str, number: usize) -> Option<&str> {
    // The program's name, in parentheses, may contain anything.
    let (_, fields) = text.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(number.checked_sub(3)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A task of that name, as long as `look` takes.
    fn with_a_task_called(name: &std::ffi::CStr, look: impl FnOnce(Pid) + Send + 'static) {
        let name = name.to_owned();
        let done = std::thread::spawn(move || {
            nix::sys::prctl::set_name(&name).expect("a name");
            look(nix::unistd::gettid().as_raw());
        });
        done.join().expect("a look");
    }

    #[test]
    fn a_name_that_is_no_text_hides_nothing() {
        with_a_task_called(c"\xff) Z\n\xe2\x82", |task| {
            let status = text(task, "status").expect("status");
            let us = std::process::id() as Pid;
            assert_eq!(number(&status, "Tgid:"), Some(us));
            assert!(number::<u64>(&status, "VmRSS:").is_some_and(|kib| kib > 0));
            let stat = text(task, "stat").expect("stat");
            assert_eq!(stat_field(&stat, 3), Some("R"));
        });
    }

    #[test]
    fn what_is_not_there_is_nothing() {
        assert_eq!(text(Pid::MAX, "status"), None);
        assert_eq!(field("Name:\n", "Name:"), None);
        assert_eq!(field("", "Name:"), None);
        assert_eq!(stat_field("1 (a", 3), None);
        assert_eq!(stat_field("1 (a) S", 4), None);
        assert_eq!(stat_field("1 (a) S", 0), None);
        assert_eq!(
            text_up_to(std::process::id() as Pid, "status", 5).as_deref(),
            Some("Name:")
        );
    }
}
