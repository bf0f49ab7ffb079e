//! Threads that a runtime has for itself.

use std::fs;
use std::time::Duration;

use super::ends::Ends;
use crate::sandbox::proc;
use crate::sys::Pid;

/// Threads of the Java virtual machine that wake now and then and never do anything for the
/// program, by the names that it gives them (cut to 15 bytes by the kernel).
const HOUSEKEEPERS: [&str; 10] = [
    "C1 CompilerThre",
    "C2 CompilerThre",
    "Common-Cleaner",
    "G1 Main Marker",
    "G1 Refine#0",
    "G1 Service",
    "Monitor Deflati",
    "Service Thread",
    "Sweeper thread",
    "VM Periodic Tas",
];

/// The thread that ends the Java virtual machine, and else wakes once a second for nothing.
const VM_THREAD: &str = "VM Thread";
/// While other threads are in system calls, such as a read, it waits for them before it ends the
/// machine: for this long, again and again, but in all for no longer than 300 ms (HotSpot's
/// `VM_Exit::wait_for_threads_in_native_to_block`).
const VM_THREAD_WAITS: Duration = Duration::from_millis(10);

fn name_of(task: Pid) -> String {
    let name = proc::text(task, "comm").unwrap_or_default();
    name.trim_end().to_owned()
}

/// Any program may name its threads so. A Java program may too, and harms only itself: a thread of
/// its own that sleeps under such a name is overlooked.
fn is_java(task: Pid) -> bool {
    let program = fs::read_link(format!("/proc/{task}/exe"));
    program.is_ok_and(|path| path.file_name().is_some_and(|name| name == "java"))
}

/// True if it does nothing for the program, whatever it sleeps in.
pub(super) fn is_housekeeper(task: Pid) -> bool {
    HOUSEKEEPERS.contains(&name_of(task).as_str()) && is_java(task)
}

/// True if what a task sleeps for is nothing to the program.
pub(super) fn keeps_house(task: Pid, ends: Ends) -> bool {
    let long = !ends.unknown && ends.span.max(ends.from_now) > VM_THREAD_WAITS;
    is_housekeeper(task) || (long && name_of(task) == VM_THREAD && is_java(task))
}
