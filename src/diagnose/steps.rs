//! Reading debug information within a number of steps.
//!
//! The files are made from what a contestant wrote, and assembly can put any bytes into any
//! section: tables that refer to each other in circles, or expand without end. Every read of the
//! DWARF parser goes through [`Metered`], which counts it; when the steps are used up, every read
//! fails, and so does whatever was being looked up.

use std::borrow::Cow;
use std::cell::Cell;

use gimli::{EndianSlice, Error, LittleEndian, Reader, ReaderOffsetId, Result};

/// How many bytes of a string or a table are one step.
const BYTES_A_STEP: usize = 32;

/// What is left to be done.
#[derive(Debug)]
pub(crate) struct Steps(Cell<u64>);

impl Steps {
    pub(crate) fn new(steps: u64) -> Steps {
        Steps(Cell::new(steps))
    }

    /// Uses up some steps.
    ///
    /// # Errors
    /// If fewer are left; then none are.
    pub(crate) fn spend(&self, steps: usize) -> Result<()> {
        let left = self.0.get().checked_sub(steps as u64);
        self.0.set(left.unwrap_or(0));
        // The parser's kinds of error are its own; the lookup ends whichever it is.
        left.map(drop).ok_or(Error::TooManyIterations)
    }

    /// How many are left.
    #[cfg(test)]
    pub(crate) fn left(&self) -> u64 {
        self.0.get()
    }
}

/// A part of a section, whose reading costs steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Metered<'a> {
    bytes: EndianSlice<'a, LittleEndian>,
    steps: &'a Steps,
}

impl<'a> Metered<'a> {
    pub(crate) fn new(bytes: &'a [u8], steps: &'a Steps) -> Metered<'a> {
        Metered {
            bytes: EndianSlice::new(bytes, LittleEndian),
            steps,
        }
    }

    /// What is left of the part.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes.slice()
    }

    fn spend(&self, bytes: usize) -> Result<()> {
        self.steps.spend(1 + bytes / BYTES_A_STEP)
    }
}

impl Reader for Metered<'_> {
    type Endian = LittleEndian;
    type Offset = usize;

    fn endian(&self) -> LittleEndian {
        LittleEndian
    }

    fn len(&self) -> usize {
        self.bytes.len()
    }

    fn empty(&mut self) {
        self.bytes.empty();
    }

    fn truncate(&mut self, length: usize) -> Result<()> {
        self.bytes.truncate(length)
    }

    fn offset_from(&self, base: &Self) -> usize {
        self.bytes.offset_from(base.bytes)
    }

    fn offset_id(&self) -> ReaderOffsetId {
        self.bytes.offset_id()
    }

    fn lookup_offset_id(&self, id: ReaderOffsetId) -> Option<usize> {
        self.bytes.lookup_offset_id(id)
    }

    fn find(&self, byte: u8) -> Result<usize> {
        let found = self.bytes.find(byte);
        self.spend(found.unwrap_or(self.bytes.len()))?;
        found.ok_or(Error::UnexpectedEof(self.bytes.offset_id()))
    }

    fn skip(&mut self, length: usize) -> Result<()> {
        self.spend(0)?;
        self.bytes.skip(length)
    }

    fn split(&mut self, length: usize) -> Result<Self> {
        self.spend(0)?;
        let bytes = self.bytes.split(length)?;
        Ok(Metered {
            bytes,
            steps: self.steps,
        })
    }

    fn to_slice(&self) -> Result<Cow<'_, [u8]>> {
        self.spend(0)?;
        Ok(self.bytes.slice().into())
    }

    fn to_string(&self) -> Result<Cow<'_, str>> {
        self.spend(self.bytes.len())?;
        self.bytes.to_string().map(Cow::from)
    }

    fn to_string_lossy(&self) -> Result<Cow<'_, str>> {
        self.spend(self.bytes.len())?;
        Ok(self.bytes.to_string_lossy())
    }

    fn read_slice(&mut self, buffer: &mut [u8]) -> Result<()> {
        self.spend(buffer.len())?;
        self.bytes.read_slice(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_ends_with_the_steps() {
        let steps = Steps::new(3);
        let mut reader = Metered::new(&[1, 2, 3, 4, 5], &steps);
        assert_eq!(reader.read_u8(), Ok(1));
        assert_eq!(reader.read_u16(), Ok(0x0302));
        assert_eq!(steps.left(), 1);
        assert_eq!(reader.read_u8(), Ok(4));
        assert_eq!(reader.read_u8(), Err(Error::TooManyIterations));
        assert_eq!(reader.bytes(), [5]);
    }

    #[test]
    fn long_strings_cost_more() {
        let steps = Steps::new(1000);
        let text = vec![b'x'; 10 * BYTES_A_STEP];
        let reader = Metered::new(&text, &steps);
        assert_eq!(reader.to_string_lossy().unwrap().len(), text.len());
        assert_eq!(steps.left(), 1000 - 11);
        assert!(reader.find(0).is_err());
        assert_eq!(steps.left(), 1000 - 22);
    }
}
