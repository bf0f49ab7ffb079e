//! Where it stood: small programs crash, burn and wait in known functions, and the stack that is
//! read from outside must name these, with file and line.

mod stack {
    pub(crate) mod programs;
    pub(crate) mod tracee;

    mod hostile;
    mod known;
}
