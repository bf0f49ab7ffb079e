//! What the user wants, from flags and problem folders, up to the checked [`plan`].

pub mod command;
pub mod limits;
pub mod plan;
pub mod protocol;
