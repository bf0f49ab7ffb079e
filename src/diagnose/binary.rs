//! The file of a program or library on our side: what of it is not loaded, or easier read here.
//!
//! Only a regular file is read, of root or of us (the program itself may be of anyone but is what
//! our side was told to run), and only if it begins as what is loaded begins. Sections are read
//! whole, up to a number of bytes for all files of a diagnosis: a section beyond it counts as not
//! there. A file may be cut short or replaced meanwhile; nothing of it is mapped.

use std::cell::Cell;
use std::fs::File;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use super::memory::{u16_in, u32_in, u64_in};

/// How many bytes of all files a diagnosis may read.
const BYTES: u64 = 64 << 20;
/// How many sections of a file are looked at.
const SECTIONS: u64 = 4096;
/// How many program headers.
const HEADERS: u64 = 64;
/// How many bytes the names of sections may have.
const NAMES: u64 = 1 << 20;

/// How long a section's name may be, in bytes; those that are looked for are shorter.
const LONGEST_NAME: usize = 32;

const HEADER: usize = 64;
const SECTION_HEADER: usize = 64;
const PROGRAM_HEADER: usize = 56;
const SHT_NOBITS: u32 = 8;
const SHF_COMPRESSED: u64 = 0x800;
const PT_LOAD: u32 = 1;
const PT_GNU_EH_FRAME: u32 = 0x6474_e550;

/// How many bytes may still be read.
#[derive(Debug)]
pub(crate) struct Allowance(Cell<u64>);

impl Allowance {
    pub(crate) fn new() -> Allowance {
        Allowance(Cell::new(BYTES))
    }

    fn take(&self, bytes: u64) -> Option<usize> {
        self.0.set(self.0.get().checked_sub(bytes)?);
        usize::try_from(bytes).ok()
    }
}

#[derive(Debug)]
enum Source {
    File(File),
    /// The kernel's own library, which is in no file.
    Bytes(Vec<u8>),
}

/// A section of an ELF file.
#[derive(Debug)]
struct Section {
    name: Vec<u8>,
    kind: u32,
    flags: u64,
    address: u64,
    offset: u64,
    size: u64,
    link: u32,
}

/// A part of the file that is loaded, or that says something about what is.
#[derive(Debug)]
struct Segment {
    kind: u32,
    offset: u64,
    address: u64,
    size: u64,
}

/// An ELF file of 64 bits.
#[derive(Debug)]
pub(crate) struct Binary {
    source: Source,
    sections: Vec<Section>,
    segments: Vec<Segment>,
}

/// Some bytes of a file, and where they are loaded, if nothing is added to addresses.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) bytes: Vec<u8>,
    pub(crate) address: u64,
}

/// Whose files may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The path was found in the process.
    RootOrUs,
    /// The path is one that our side was told to run.
    Anyone,
}

impl Binary {
    /// Opens a file which must begin with `header`.
    pub(crate) fn open(
        path: &Path,
        owner: Owner,
        header: &[u8; HEADER],
        allowance: &Allowance,
    ) -> Option<Binary> {
        let mut options = File::options();
        let mut flags = libc::O_NONBLOCK | libc::O_NOCTTY;
        if owner == Owner::RootOrUs {
            flags |= libc::O_NOFOLLOW;
        }
        let file = options.read(true).custom_flags(flags).open(path).ok()?;
        let about = file.metadata().ok()?;
        let us = nix::unistd::geteuid().as_raw();
        let trusted = owner == Owner::Anyone || about.uid() == 0 || about.uid() == us;
        if !about.is_file() || !trusted {
            return None;
        }
        Binary::read(Source::File(file), header, allowance)
    }

    /// A file that lies in memory as a whole.
    pub(crate) fn of_bytes(bytes: Vec<u8>, allowance: &Allowance) -> Option<Binary> {
        let header: [u8; HEADER] = bytes.get(..HEADER)?.try_into().ok()?;
        Binary::read(Source::Bytes(bytes), &header, allowance)
    }

    fn read(source: Source, header: &[u8; HEADER], allowance: &Allowance) -> Option<Binary> {
        let mut binary = Binary {
            source,
            sections: Vec::new(),
            segments: Vec::new(),
        };
        let bytes = binary.bytes(0, HEADER as u64, allowance)?;
        if bytes != header || !bytes.starts_with(b"\x7fELF\x02\x01") {
            return None;
        }
        let count = u64::from(u16_in(&bytes, 56)?).min(HEADERS);
        let size = count * PROGRAM_HEADER as u64;
        let headers = binary.bytes(u64_in(&bytes, 32)?, size, allowance)?;
        binary.segments = headers
            .chunks_exact(PROGRAM_HEADER)
            .filter_map(Segment::parse)
            .collect();
        // A program can do without sections.
        let _ = binary.read_sections(&bytes, allowance);
        Some(binary)
    }

    fn read_sections(&mut self, header: &[u8], allowance: &Allowance) -> Option<()> {
        let count = u64::from(u16_in(header, 60)?).min(SECTIONS);
        let size = count * SECTION_HEADER as u64;
        let headers = self.bytes(u64_in(header, 40)?, size, allowance)?;
        let names = headers
            .chunks_exact(SECTION_HEADER)
            .nth(usize::from(u16_in(header, 62)?))?;
        let (offset, size) = (u64_in(names, 24)?, u64_in(names, 32)?);
        let names = self.bytes(offset, size.min(NAMES), allowance)?;
        self.sections = headers
            .chunks_exact(SECTION_HEADER)
            .filter_map(|header| Section::parse(header, &names))
            .collect();
        Some(())
    }

    fn bytes(&self, offset: u64, size: u64, allowance: &Allowance) -> Option<Vec<u8>> {
        match &self.source {
            Source::Bytes(bytes) => {
                let start = usize::try_from(offset).ok()?;
                let end = start.checked_add(usize::try_from(size).ok()?)?;
                bytes.get(start..end).map(<[u8]>::to_vec)
            }
            Source::File(file) => {
                // Before anything is set aside: a size may be a lie.
                if offset.checked_add(size)? > file.metadata().ok()?.len() {
                    return None;
                }
                let mut bytes = vec![0; allowance.take(size)?];
                file.read_exact_at(&mut bytes, offset).ok()?;
                Some(bytes)
            }
        }
    }

    fn find(&self, name: &str) -> Option<&Section> {
        let mut sections = self.sections.iter();
        sections.find(|section| section.name == name.as_bytes() && section.kind != SHT_NOBITS)
    }

    fn contents(&self, section: &Section, most: u64, allowance: &Allowance) -> Option<Vec<u8>> {
        let readable = section.size <= most && section.flags & SHF_COMPRESSED == 0;
        if !readable {
            return None;
        }
        self.bytes(section.offset, section.size, allowance)
    }

    /// A section of at most `most` bytes. One that is compressed counts as not there.
    pub(crate) fn section(&self, name: &str, most: u64, allowance: &Allowance) -> Option<Part> {
        let section = self.find(name)?;
        Some(Part {
            bytes: self.contents(section, most, allowance)?,
            address: section.address,
        })
    }

    /// A table of symbols, and the names in it.
    pub(crate) fn symbols(&self, table: &str, allowance: &Allowance) -> Option<(Vec<u8>, Vec<u8>)> {
        let table = self.find(table)?;
        let names = self.sections.get(table.link as usize)?;
        let symbols = self.contents(table, BYTES, allowance)?;
        Some((symbols, self.contents(names, BYTES, allowance)?))
    }

    /// The sorted index of how to unwind, and the loaded part behind the address that it begins
    /// with.
    pub(crate) fn unwind_tables(&self, allowance: &Allowance) -> Option<(Part, Part)> {
        let mut segments = self.segments.iter();
        let index = segments.find(|segment| segment.kind == PT_GNU_EH_FRAME)?;
        let index = Part {
            bytes: self.bytes(index.offset, index.size, allowance)?,
            address: index.address,
        };
        // In every index that there is, the address is relative to where it stands.
        let relative = index.bytes.get(1)? & 0x7f == 0x1b;
        let table = u32_in(&index.bytes, 4)?.cast_signed();
        let address = index.address.checked_add(4)?;
        let address = address.checked_add_signed(i64::from(table))?;
        let loaded = self.segments.iter().find(|segment| {
            let end = segment.address.saturating_add(segment.size);
            segment.kind == PT_LOAD && (segment.address..end).contains(&address)
        });
        let loaded = loaded.filter(|_| relative)?;
        let skipped = address - loaded.address;
        let offset = loaded.offset.checked_add(skipped)?;
        let mut size = loaded.size - skipped;
        if let Some(section) = self.find(".eh_frame").filter(|s| s.address == address) {
            size = size.min(section.size);
        }
        let bytes = self.bytes(offset, size, allowance)?;
        Some((index, Part { bytes, address }))
    }
}

impl Segment {
    fn parse(header: &[u8]) -> Option<Segment> {
        Some(Segment {
            kind: u32_in(header, 0)?,
            offset: u64_in(header, 8)?,
            address: u64_in(header, 16)?,
            size: u64_in(header, 32)?,
        })
    }
}

impl Section {
    fn parse(header: &[u8], names: &[u8]) -> Option<Section> {
        let name = names.get(u32_in(header, 0)? as usize..)?;
        Some(Section {
            name: (name.iter().copied())
                .take_while(|byte| *byte != 0)
                .take(LONGEST_NAME)
                .collect(),
            kind: u32_in(header, 4)?,
            flags: u64_in(header, 8)?,
            address: u64_in(header, 16)?,
            offset: u64_in(header, 24)?,
            size: u64_in(header, 32)?,
            link: u32_in(header, 40)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header_of(path: &Path) -> [u8; HEADER] {
        let bytes = std::fs::read(path).unwrap();
        bytes[..HEADER].try_into().unwrap()
    }

    #[test]
    fn our_own_file_has_what_is_needed() {
        let own = std::env::current_exe().unwrap();
        let allowance = Allowance::new();
        let header = header_of(&own);
        let binary = Binary::open(&own, Owner::RootOrUs, &header, &allowance).unwrap();
        let (index, table) = binary.unwind_tables(&allowance).unwrap();
        assert_eq!(index.bytes[0], 1);
        let section = binary.section(".eh_frame", BYTES, &allowance).unwrap();
        assert_eq!(section.address, table.address);
        assert_eq!(section.bytes, table.bytes);
        assert!(binary.section(".eh_frame", 100, &allowance).is_none());
        assert!(binary.section(".no_such", BYTES, &allowance).is_none());
        assert!(binary.symbols(".dynsym", &allowance).is_some());
    }

    #[test]
    fn what_is_no_file_of_the_programs_is_not_read() {
        let own = std::env::current_exe().unwrap();
        let allowance = Allowance::new();
        let header = header_of(&own);
        for other in ["/bin/true", "/dev/null", "/dev/tty", "/", "/no/such/file"] {
            let binary = Binary::open(Path::new(other), Owner::Anyone, &header, &allowance);
            assert!(binary.is_none(), "{other}");
        }
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&own, &link).unwrap();
        assert!(Binary::open(&link, Owner::RootOrUs, &header, &allowance).is_none());
        assert!(Binary::open(&link, Owner::Anyone, &header, &allowance).is_some());
        let fifo = folder.path().join("fifo");
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(Binary::open(&fifo, Owner::Anyone, &header, &allowance).is_none());
    }

    #[test]
    fn sizes_that_lie_are_refused() {
        let own = std::env::current_exe().unwrap();
        let header = header_of(&own);
        let allowance = Allowance::new();
        let mut binary = Binary::open(&own, Owner::Anyone, &header, &allowance).unwrap();
        for section in &mut binary.sections {
            section.size = u64::MAX - 5;
        }
        assert!(binary.section(".text", u64::MAX, &allowance).is_none());
        assert!(binary.section(".eh_frame", u64::MAX, &allowance).is_none());
        assert!(allowance.take(BYTES).is_none());
        assert!(allowance.take(BYTES / 2).is_some());
        assert!(allowance.take(BYTES / 2).is_none());
    }
}
