//! One poll for everything that can happen to a session; every source becomes an [`Event`].
//!
//! The session asks for the next events and handles them one by one; no source acts on its own,
//! and nothing here knows what an event leads to. All sources are edge-triggered: whoever handles
//! an event takes all there is, or remembers that there may be more.

use std::io;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::time::{Duration, Instant};

use mio::unix::SourceFd;
use mio::{Interest, Poll, Token};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::time::TimeSpec;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
use signal_hook::consts::SIGCHLD;
use signal_hook_mio::v1_0::Signals;

use crate::channel::watcher::Watcher;
use crate::error::{Context, Result};
use crate::interrupts;

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A sandboxed process or thread has something to report.
    Tracees,
    /// The coordinator was told to end, by this signal.
    Interrupted(i32),
    /// The deadline that was set has come.
    Deadline,
    /// The output of this tag has grown or was closed.
    Output(usize),
    /// The descriptor that was registered under this tag is ready.
    Ready(usize),
}

const SIGNALS: Token = Token(0);
const TIMER: Token = Token(1);
const WATCHER: Token = Token(2);
const FIRST: usize = 3;

/// The poll of one session.
pub struct Reactor {
    poll: Poll,
    ready: mio::Events,
    signals: Signals,
    timer: TimerFd,
    watcher: Watcher,
    /// When the timer will fire, if it is set.
    armed: Option<Instant>,
}

impl Reactor {
    /// Makes the poll and registers the signals and the timer.
    pub fn new() -> Result<Reactor> {
        let poll = Poll::new().context(|| "make an epoll instance".into())?;
        let mut signals = Signals::new(interrupts::SIGNALS.iter().chain([&SIGCHLD]))
            .context(|| "set up signal handling".into())?;
        // A parent may have left them blocked; then nothing would ever be heard.
        let mut heard = SigSet::empty();
        for signal in [
            Signal::SIGCHLD,
            Signal::SIGINT,
            Signal::SIGTERM,
            Signal::SIGHUP,
        ] {
            heard.add(signal);
        }
        heard
            .thread_unblock()
            .context(|| "unblock signals".into())?;
        let flags = TimerFlags::TFD_NONBLOCK | TimerFlags::TFD_CLOEXEC;
        let timer =
            TimerFd::new(ClockId::CLOCK_MONOTONIC, flags).context(|| "make a timer".into())?;
        let watcher = Watcher::new()?;
        let registry = poll.registry();
        let register = || "register with epoll".to_owned();
        registry
            .register(&mut signals, SIGNALS, Interest::READABLE)
            .context(register)?;
        let timer_fd = timer.as_fd().as_raw_fd();
        registry
            .register(&mut SourceFd(&timer_fd), TIMER, Interest::READABLE)
            .context(register)?;
        registry
            .register(
                &mut SourceFd(&watcher.descriptor()),
                WATCHER,
                Interest::READABLE,
            )
            .context(register)?;
        Ok(Reactor {
            poll,
            ready: mio::Events::with_capacity(64),
            signals,
            timer,
            watcher,
            armed: None,
        })
    }

    /// Watches output files; their changes come as [`Event::Output`].
    pub fn watcher(&mut self) -> &mut Watcher {
        &mut self.watcher
    }

    /// Reports [`Event::Ready`] with this tag when there is something to read.
    pub fn register_readable(&self, fd: RawFd, tag: usize) -> Result<()> {
        self.register(fd, tag, Interest::READABLE)
    }

    /// Reports [`Event::Ready`] with this tag when there is room again.
    pub fn register_writable(&self, fd: RawFd, tag: usize) -> Result<()> {
        self.register(fd, tag, Interest::WRITABLE)
    }

    fn register(&self, fd: RawFd, tag: usize, interest: Interest) -> Result<()> {
        let registry = self.poll.registry();
        registry
            .register(&mut SourceFd(&fd), Token(FIRST + tag), interest)
            .context(|| "register with epoll".into())
    }

    /// Must come before a registered descriptor is closed: its number may be used again.
    pub fn deregister(&self, fd: RawFd) -> Result<()> {
        let registry = self.poll.registry();
        registry
            .deregister(&mut SourceFd(&fd))
            .context(|| "deregister from epoll".into())
    }

    /// Makes sure that [`Event::Deadline`] comes at `when` at the latest. It may come earlier: a
    /// timer that is set already for an earlier moment is left alone, because setting it anew at
    /// every message would cost a system call each.
    pub fn wake_at(&mut self, when: Instant) -> Result<()> {
        if self.armed.is_some_and(|armed| armed <= when) {
            return Ok(());
        }
        let after = when
            .saturating_duration_since(Instant::now())
            .max(Duration::from_micros(1));
        self.timer
            .set(
                Expiration::OneShot(TimeSpec::from(after)),
                TimerSetTimeFlags::empty(),
            )
            .context(|| "set a timer".into())?;
        self.armed = Some(when);
        Ok(())
    }

    /// Waits until something happens and appends it to `events`.
    pub fn wait(&mut self, events: &mut Vec<Event>) -> Result<()> {
        match self.poll.poll(&mut self.ready, None) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => return Ok(()),
            result => result.context(|| "wait for events".into())?,
        }
        for ready in &self.ready {
            match ready.token() {
                SIGNALS => events.extend(self.signals.pending().map(|signal| match signal {
                    SIGCHLD => Event::Tracees,
                    other => Event::Interrupted(other),
                })),
                TIMER => {
                    // Read so that it can fire again; that nothing was there is no failure.
                    let _ = nix::unistd::read(self.timer.as_fd(), &mut [0; 8]);
                    self.armed = None;
                    events.push(Event::Deadline);
                }
                WATCHER => self
                    .watcher
                    .changes(|tag| {
                        let event = Event::Output(tag);
                        if !events.contains(&event) {
                            events.push(event);
                        }
                    })
                    .context(|| "read what has changed".into())?,
                Token(token) => events.push(Event::Ready(token - FIRST)),
            }
        }
        Ok(())
    }
}
