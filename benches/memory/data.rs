//! The numbers: a file of them is written, and a sorted one is checked against it.
//!
//! Both are done in pieces: the memory of this process counts as that of what it starts (see
//! [`crate::harness::process::Ended`]).

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::harness::process::check_interrupt;

/// Numbers are below this: the range of the counting sort.
const RANGE: u64 = 1_000_000;

const PIECE: usize = 64 << 10;

/// What two files with the same numbers, each as often, have in common; other files only by a
/// chance of 1 in 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Checksum {
    count: u64,
    sum: u64,
}

impl Checksum {
    fn add(&mut self, number: i32) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(mixed(number as u64));
    }
}

/// SplitMix64's finisher: a different 64-bit number for each, without a pattern.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Writes so many bytes of random numbers, the same at each call.
pub(crate) fn write(path: &Path, bytes: u64) -> Result<Checksum> {
    let mut file = File::create(path).context("failed to make the file of numbers")?;
    let mut checksum = Checksum::default();
    let mut left = bytes / 4;
    let mut piece = Vec::with_capacity(PIECE);
    while left > 0 {
        check_interrupt()?;
        piece.clear();
        for _ in 0..left.min(PIECE as u64 / 4) {
            let number = (mixed(left) % RANGE) as i32;
            checksum.add(number);
            piece.extend_from_slice(&number.to_ne_bytes());
            left -= 1;
        }
        file.write_all(&piece)
            .context("failed to write the file of numbers")?;
    }
    // What is still to be written out would slow down the first sort.
    file.sync_all()
        .context("failed to write out the file of numbers")?;
    Ok(checksum)
}

/// An error if a file does not end with the numbers in ascending order. Before them there may be as
/// many again: the runs of an external sort.
pub(crate) fn check(path: &Path, bytes: u64, expected: Checksum) -> Result<()> {
    let mut file = File::open(path).context("failed to open what was sorted")?;
    let length = file.metadata().context("failed to look at it")?.len();
    if length != bytes && length != 2 * bytes {
        bail!("{length} bytes were written");
    }
    file.seek(SeekFrom::Start(length - bytes))
        .context("failed to find the sorted part")?;
    let mut found = Checksum::default();
    let mut last = i32::MIN;
    let mut piece = vec![0; PIECE];
    let mut left = bytes;
    while left > 0 {
        check_interrupt()?;
        let size = left.min(PIECE as u64) as usize;
        file.read_exact(&mut piece[..size])
            .context("failed to read what was sorted")?;
        for bytes in piece[..size].chunks_exact(4) {
            let number = i32::from_ne_bytes(bytes.try_into().context("no four bytes")?);
            if number < last {
                bail!("{number} comes after {last}");
            }
            last = number;
            found.add(number);
        }
        left -= size as u64;
    }
    match found == expected {
        true => Ok(()),
        false => bail!("the numbers are not those of the input"),
    }
}
