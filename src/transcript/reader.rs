//! Reads a transcript back.
