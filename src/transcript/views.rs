//! A transcript as a person or another tool wants to see it.
