//! What the user wants, from flags and problem folders, up to the checked [`plan`].

pub mod cache;
pub mod command;
mod document;
mod executable;
mod imports;
mod java_class;
pub mod language;
pub mod limits;
mod lookup;
mod nearest;
pub mod plan;
pub mod protocol;
mod template;
mod tool;
