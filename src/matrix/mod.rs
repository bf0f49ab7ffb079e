//! All solutions of a problem on all its tests, against what is expected of them.
//!
//! ```text
//! problem -> programs, cells -> workers, each one coordinator process at a time -> records -> summary
//! ```
//!
//! A *cell* is one session: a solution on a test. Each runs in a process of its own that is given a
//! [job](crate::spec::job), as a judge's would be, so what is seen here is what the judge will see,
//! and sessions side by side have a CPU each. What became of a cell is a [`Record`], which can be
//! kept, and put together with those of other machines.

pub mod cells;
pub mod prepare;
pub mod record;
pub mod summary;
pub mod workers;

pub use cells::{Cell, Partition};
pub use record::Record;
pub use summary::Summary;
