//! The variables of the main program that only its file tells of: the table of all symbols, which
//! is not loaded. Needed where libraries are linked statically.

use std::fs::File;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use object::LittleEndian;
use object::elf::{FileHeader64, SHN_UNDEF, SHT_SYMTAB, STT_OBJECT, Sym64};
use object::read::ReadCache;
use object::read::elf::{FileHeader, SectionHeader, Sym};

use super::image::Module;
use super::memory::Memory;

/// How many bytes a file's table of symbols, or of their names, may have.
const TABLE: u64 = 8 << 20;
/// How much of a mangled name is looked at.
const MANGLED: usize = 128;

/// A variable that is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wanted<'a> {
    /// It has this name.
    Named(&'a str),
    /// Its name is mangled and contains this.
    Mangled(&'a str),
}

impl Wanted<'_> {
    /// Whether it is the one whose name begins here and ends with a NUL.
    fn is(self, name: &[u8]) -> bool {
        match self {
            Wanted::Named(wanted) => {
                let rest = name.strip_prefix(wanted.as_bytes());
                rest.is_some_and(|rest| rest.first() == Some(&0))
            }
            Wanted::Mangled(part) => {
                let is_mangled = name.starts_with(b"_R") || name.starts_with(b"_ZN");
                let name = name.get(..MANGLED.min(name.len())).unwrap_or_default();
                let mut name = name.split(|byte| *byte == 0);
                let name = name.next().filter(|_| is_mangled).unwrap_or_default();
                let part = part.as_bytes();
                name.windows(part.len()).any(|window| window == part)
            }
        }
    }
}

/// Where variables of the main program lie, by the table of all symbols in its file; that of a
/// stripped program is empty. `file` is a path on our side, and the answer is in the order of
/// `wanted`. Nothing is found if the file is not the program that was loaded.
pub(crate) fn program_symbols(
    file: &Path,
    memory: &Memory,
    program: &Module,
    wanted: &[Wanted],
) -> Vec<Option<u64>> {
    let mut found = vec![None; wanted.len()];
    // What is bad about the file is not the concern of a diagnosis.
    let _ = search(file, memory, program, wanted, &mut found);
    found
}

fn search(
    file: &Path,
    memory: &Memory,
    program: &Module,
    wanted: &[Wanted],
    found: &mut [Option<u64>],
) -> Option<()> {
    // The path may have become a fifo, which must not hold us up.
    let mut options = File::options();
    options.read(true).custom_flags(libc::O_NONBLOCK);
    let file = options.open(file).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let cache = ReadCache::new(file);
    let header = FileHeader64::<LittleEndian>::parse(&cache).ok()?;
    let loaded: [u8; size_of::<FileHeader64<LittleEndian>>()] =
        memory.array(program.range.start)?;
    // A number of sections that only the first of them tells would be unbounded.
    if loaded != object::pod::bytes_of(header) || header.e_shnum.get(LittleEndian) == 0 {
        return None;
    }
    let sections = header.sections(LittleEndian, &cache).ok()?;
    let mut tables = sections.iter();
    let table = tables.find(|section| section.sh_type(LittleEndian) == SHT_SYMTAB)?;
    let names_of_table = sections.section(table.link(LittleEndian)).ok()?;
    let sizes = [table, names_of_table].map(|section| section.sh_size(LittleEndian));
    if sizes.iter().any(|size| *size > TABLE) {
        return None;
    }
    let symbols: &[Sym64<LittleEndian>] = table.data_as_array(LittleEndian, &cache).ok()?;
    let strings = names_of_table.data(LittleEndian, &cache).ok()?;
    for symbol in symbols {
        if symbol.st_type() != STT_OBJECT || symbol.st_shndx(LittleEndian) == SHN_UNDEF {
            continue;
        }
        let name = strings.get(symbol.st_name(LittleEndian) as usize..);
        let Some(name) = name else { continue };
        for (wanted, found) in wanted.iter().zip(&mut *found) {
            if wanted.is(name) {
                *found = Some(program.bias.wrapping_add(symbol.st_value(LittleEndian)));
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::image::Image;
    use super::*;

    #[test]
    fn our_own_file() {
        let memory = Memory::of(std::process::id() as crate::sys::Pid);
        let image = Image::of(&memory).unwrap();
        let program = image.program().unwrap();
        let own = std::env::current_exe().unwrap();
        let names = ["__no_such_variable", "__dso_handle"].map(Wanted::Named);
        let found = program_symbols(&own, &memory, program, &names);
        assert_eq!(found[0], None);
        // The compiler's start-up code has it point to itself.
        assert_eq!(memory.u64(found[1].unwrap()), found[1]);
        for other in ["/bin/true", "/dev/null", "/", "/no/such/file"] {
            let found = program_symbols(Path::new(other), &memory, program, &names);
            assert_eq!(found, [None, None], "{other}");
        }
    }

    #[test]
    fn names() {
        let named = Wanted::Named("stdout");
        assert!(named.is(b"stdout\0stderr\0"));
        assert!(!named.is(b"stdout_used\0") && !named.is(b"std\0") && !named.is(b"stdout"));
        let mangled = Wanted::Mangled("3std2io5stdio6STDOUT");
        assert!(mangled.is(b"_ZN3std2io5stdio6STDOUT17h0123456789abcdefE\0"));
        assert!(mangled.is(b"_RNvNtNtCs1_3std2io5stdio6STDOUT\0"));
        assert!(!mangled.is(b"_RNvNtNtCs1_3std\0_ZN3std2io5stdio6STDOUT17h0\0"));
        assert!(!mangled.is(b"") && !mangled.is(b"x3std2io5stdio6STDOUT\0"));
    }
}
