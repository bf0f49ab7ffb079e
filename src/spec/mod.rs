//! What the user wants, from flags and problem folders, up to the checked [`plan`].

pub mod build;
pub mod cache;
pub mod command;
mod discover;
mod document;
mod executable;
mod imports;
pub(crate) mod inputs;
mod java_class;
pub mod job;
mod key;
pub mod language;
pub mod layer;
pub mod limits;
mod lookup;
pub(crate) mod nearest;
mod order;
pub(crate) mod outputs;
pub(crate) mod pattern;
pub mod plan;
pub mod problem;
pub mod profile;
pub mod protocol;
pub mod resolve;
pub(crate) mod shell;
mod template;
mod tool;
