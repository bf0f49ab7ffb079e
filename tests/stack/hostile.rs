//! Programs that make themselves hard to read.

use super::programs::program;
use super::tracee::crashed;

const FLAGS: &[&str] = &["-O2", "-g", "-pthread"];

#[test]
fn forged_stacks_come_to_an_end() {
    let Some(program) = program("ends.c", FLAGS) else {
        return;
    };
    let found = crashed(&program.path, &["circle"]);
    assert_eq!(found.stack.frames[0].function.as_deref(), Some("circle"));
    let found = crashed(&program.path, &["no-stack"]);
    assert_eq!(found.stack.frames[0].function.as_deref(), Some("no_stack"));
    assert!(found.stack.cut);
    let found = crashed(&program.path, &["forged"]);
    assert!(found.stack.frames.len() <= 300);
    assert!(found.stack.cut);
}
