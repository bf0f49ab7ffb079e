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
const TABLE: u64 = 32 << 20;

/// Where variables of the main program lie, by the table of all symbols in its file; that of a
/// stripped program is empty. `file` is a path on our side, and the answer is in the order of
/// `names`. Nothing is found if the file is not the program that was loaded.
pub(crate) fn program_symbols(
    file: &Path,
    memory: &Memory,
    program: &Module,
    names: &[&str],
) -> Vec<Option<u64>> {
    let mut found = vec![None; names.len()];
    // What is bad about the file is not the concern of a diagnosis.
    let _ = search(file, memory, program, names, &mut found);
    found
}

fn search(
    file: &Path,
    memory: &Memory,
    program: &Module,
    names: &[&str],
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
    if loaded != object::pod::bytes_of(header) {
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
        for (wanted, found) in names.iter().zip(&mut *found) {
            let rest = name.strip_prefix(wanted.as_bytes());
            if rest.is_some_and(|rest| rest.first() == Some(&0)) {
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
        let names = ["__no_such_variable", "__dso_handle"];
        let found = program_symbols(&own, &memory, program, &names);
        assert_eq!(found[0], None);
        // The compiler's start-up code has it point to itself.
        assert_eq!(memory.u64(found[1].unwrap()), found[1]);
        for other in ["/bin/true", "/dev/null", "/", "/no/such/file"] {
            let found = program_symbols(Path::new(other), &memory, program, &names);
            assert_eq!(found, [None, None], "{other}");
        }
    }
}
