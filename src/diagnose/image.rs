//! What is loaded in a process, and where its symbols lie.
//!
//! [`Image::of`] reads `/proc/PID/maps` and the ELF headers in the process's own memory; symbols
//! come from the dynamic symbol tables that the dynamic linker uses itself, so no file is opened,
//! and it does not matter which tree of files the process sees. Only what a program's own table of
//! all symbols adds (those of a program that is linked statically) is read from a file, which our
//! side chooses ([`program_file`](super::program_file)).
//!
//! All of it may be forged. Counts and sizes are capped where they are read, and every pointer is
//! followed through [`Memory`], whose budget ends what does not end by itself.

use std::fs::File;
use std::io::Read;
use std::ops::Range;

use super::dynamic::{DynamicSymbols, gnu_hash};
use super::memory::{Memory, u16_in, u32_in, u64_in};
use crate::sys::Pid;

/// How much is read of `/proc/PID/maps`: some thousands of mappings.
const MAPS: u64 = 1 << 18;
/// How many modules are looked at.
const MODULES: usize = 256;
/// How many program headers of a module are looked at.
const HEADERS: u64 = 64;

const HEADER_SIZE: u64 = 56;
const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const AT_PHDR: u64 = 3;

/// One line of `/proc/PID/maps`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mapping {
    pub(crate) range: Range<u64>,
    pub(crate) readable: bool,
    pub(crate) writable: bool,
    pub(crate) executable: bool,
    /// Where in the file it begins.
    pub(crate) offset: u64,
    /// A path, something like `[heap]`, or nothing.
    pub(crate) name: Vec<u8>,
}

/// A program or library that is loaded.
#[derive(Debug)]
pub(crate) struct Module {
    /// The path that the kernel shows.
    pub(crate) path: Vec<u8>,
    /// From its first byte to its last, with what is set aside for zeroed data.
    pub(crate) range: Range<u64>,
    /// What is added to an address in its file to get the one in memory.
    pub(crate) bias: u64,
    symbols: Option<DynamicSymbols>,
}

/// What is loaded in a process. The main program comes first, so that its copies of a library's
/// variables (COPY relocations) win over the library's own, as they do for the dynamic linker.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) mappings: Vec<Mapping>,
    pub(crate) modules: Vec<Module>,
}

impl Image {
    /// Reads what is loaded; `None` if that cannot be read at all.
    pub(crate) fn of(memory: &Memory) -> Option<Image> {
        let mappings = mappings(&proc_file(memory.process(), "maps", MAPS)?);
        let mut modules: Vec<Module> = mappings
            .iter()
            .filter(|mapping| mapping.offset == 0 && mapping.name.starts_with(b"/"))
            .take(MODULES)
            .filter_map(|mapping| Module::at(memory, mapping))
            .collect();
        let headers = auxiliary(memory.process(), AT_PHDR);
        let main = modules
            .iter()
            .position(|module| headers.is_some_and(|headers| module.range.contains(&headers)));
        if let Some(main) = main {
            modules[..=main].rotate_right(1);
        }
        Some(Image { mappings, modules })
    }

    /// The main program.
    pub(crate) fn program(&self) -> Option<&Module> {
        self.modules.first()
    }

    /// The mapping in which an address lies.
    pub(crate) fn mapping_at(&self, address: u64) -> Option<&Mapping> {
        let after = self.mappings.partition_point(|m| m.range.end <= address);
        let mapping = self.mappings.get(after)?;
        mapping.range.contains(&address).then_some(mapping)
    }

    /// True if an address belongs to a module.
    pub(crate) fn is_of_a_module(&self, address: u64) -> bool {
        let mut modules = self.modules.iter();
        modules.any(|module| module.range.contains(&address))
    }

    /// True if all of a range of addresses is mapped.
    pub(crate) fn covers(&self, range: &Range<u64>) -> bool {
        let mut at = range.start;
        while at < range.end {
            let Some(mapping) = self.mapping_at(at) else {
                return false;
            };
            at = mapping.range.end;
        }
        true
    }

    /// Where a dynamic symbol lies that some module defines.
    pub(crate) fn symbol(&self, memory: &Memory, name: &str) -> Option<u64> {
        let hash = gnu_hash(name);
        self.modules.iter().find_map(|module| {
            let value = module.symbols.as_ref()?.find(memory, name, hash)?;
            Some(module.bias.wrapping_add(value))
        })
    }
}

/// A file of `/proc/PID`, up to a number of bytes.
fn proc_file(process: Pid, name: &str, cap: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(format!("/proc/{process}/{name}")).ok()?;
    // What was read before an error is as good as what was read before the cap.
    let _ = file.take(cap).read_to_end(&mut bytes);
    Some(bytes)
}

/// A value that the kernel gave to the program at its start.
fn auxiliary(process: Pid, kind: u64) -> Option<u64> {
    let bytes = proc_file(process, "auxv", 4096)?;
    let mut pairs = bytes.chunks_exact(16);
    let pair = pairs.find(|pair| u64_in(pair, 0) == Some(kind))?;
    u64_in(pair, 8)
}

/// Reads `/proc/PID/maps`; the kernel lists mappings by address. A line cut by the cap is left out.
fn mappings(text: &[u8]) -> Vec<Mapping> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    lines.filter_map(mapping).collect()
}

fn mapping(line: &[u8]) -> Option<Mapping> {
    let line = line.strip_suffix(b"\n")?;
    let mut fields = line.splitn(6, |byte| *byte == b' ');
    let mut field = || std::str::from_utf8(fields.next()?).ok();
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    let (start, end) = field()?.split_once('-')?;
    let access = field()?.as_bytes();
    let offset = hex(field()?)?;
    let (_device, _inode) = (field()?, field()?);
    let name = fields.next().unwrap_or_default().trim_ascii_start();
    Some(Mapping {
        range: hex(start)?..hex(end)?,
        readable: access.first() == Some(&b'r'),
        writable: access.get(1) == Some(&b'w'),
        executable: access.get(2) == Some(&b'x'),
        offset,
        name: name.to_vec(),
    })
}

impl Module {
    /// The module whose file is mapped from its beginning here, if it is one.
    fn at(memory: &Memory, mapping: &Mapping) -> Option<Module> {
        let start = mapping.range.start;
        let header: [u8; 64] = memory.array(start)?;
        // 64 bits, little-endian; a program or a library.
        let is_loadable = matches!(u16_in(&header, 16)?, 2 | 3);
        if !header.starts_with(b"\x7fELF\x02\x01") || !is_loadable {
            return None;
        }
        let count = u64::from(u16_in(&header, 56)?).min(HEADERS);
        let table = start.checked_add(u64_in(&header, 32)?)?;
        let headers = memory.bytes(table, count * HEADER_SIZE)?;
        let mut least = u64::MAX;
        let mut most = 0;
        let mut dynamic = None;
        for header in headers.chunks_exact(HEADER_SIZE as usize) {
            let (address, size) = (u64_in(header, 16)?, u64_in(header, 40)?);
            match u32_in(header, 0)? {
                PT_LOAD => {
                    least = least.min(address);
                    most = most.max(address.checked_add(size)?);
                }
                PT_DYNAMIC => dynamic = Some(address),
                _ => {}
            }
        }
        if least >= most {
            return None;
        }
        let bias = start.wrapping_sub(least & !0xfff);
        let range = start..bias.wrapping_add(most);
        let symbols = dynamic.and_then(|dynamic| {
            DynamicSymbols::read(memory, bias.wrapping_add(dynamic), bias, &range)
        });
        Some(Module {
            path: mapping.name.clone(),
            range,
            bias,
            symbols,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Memory {
        Memory::of(std::process::id() as Pid)
    }

    #[test]
    fn a_line_of_the_kernels() {
        let line = b"7f00aa000000-7f00aa021000 r-xp 0001c000 fe:00 1234                       /usr/lib/a b.so\n";
        let read = mapping(line).unwrap();
        assert_eq!(read.range, 0x7f00_aa00_0000..0x7f00_aa02_1000);
        assert_eq!(
            (read.writable, read.executable, read.offset),
            (false, true, 0x1c000)
        );
        assert_eq!(read.name, b"/usr/lib/a b.so");
        let nameless = mapping(b"1000-2000 rw-p 00000000 00:00 0 \n").unwrap();
        assert_eq!(nameless.name, b"");
        for cut in [
            &b"1000-2000 rw-p 00000000 00:00 0"[..],
            b"1000-20",
            b"\n",
            b"g-h i j k l\n",
        ] {
            assert_eq!(mapping(cut), None);
        }
    }

    #[test]
    fn our_own_image() {
        let memory = own();
        let image = Image::of(&memory).unwrap();
        let program = std::env::current_exe().unwrap();
        let path = String::from_utf8(image.program().unwrap().path.clone()).unwrap();
        assert_eq!(std::path::Path::new(&path), program);
        let function = libc::getpid as *const () as u64;
        assert_eq!(image.symbol(&memory, "getpid"), Some(function));
        assert_eq!(image.symbol(&memory, "no_such_symbol"), None);
        assert!(image.mapping_at(function).unwrap().executable);
        let local = 1u8;
        let stack = image.mapping_at(std::ptr::from_ref(&local).addr() as u64);
        assert!(stack.unwrap().writable);
        assert_eq!(image.mapping_at(0), None);
    }
}
