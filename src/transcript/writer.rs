//! Writes a transcript while the session runs.
