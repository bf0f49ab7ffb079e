//! The outcome as one JSON object.
