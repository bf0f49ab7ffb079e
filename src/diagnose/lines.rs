//! From addresses to functions, files and lines, by a file's debug information (DWARF).
//!
//! All addresses that lie in a file are looked up in one pass over the parts of it that tell of
//! them. Nothing recurses, and every attribute and every row costs a step: the information is made
//! by whoever wrote the program.

mod entry;

use gimli::{
    AttributeValue, DebugInfoOffset, Dwarf, LineProgramHeader, Reader, Result, SectionId, Unit,
};

use self::entry::{Entry, Function};
use super::binary::{Allowance, Binary};
use super::names::is_librarys_file;
use super::steps::{Metered, Steps};

/// How many calls that the compiler made part of a function are told of at one address.
const INLINED: usize = 32;
/// How large a section may be.
const SECTION: u64 = 32 << 20;
/// How large the section of lines may be: its parser sets memory aside by its size.
const LINES: u64 = 4 << 20;
/// How long a name may be.
const NAME: usize = 16 << 10;

/// A function at an address, and where in it that is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Located {
    /// As the linker knows it, or else as the source has it.
    pub(crate) function: Option<String>,
    /// The whole path.
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
}

/// The sections of debug information of a file.
#[derive(Default)]
pub(crate) struct DebugSections(Vec<(SectionId, Vec<u8>)>);

impl DebugSections {
    const NEEDED: [SectionId; 10] = [
        SectionId::DebugInfo,
        SectionId::DebugAbbrev,
        SectionId::DebugLine,
        SectionId::DebugStr,
        SectionId::DebugLineStr,
        SectionId::DebugRanges,
        SectionId::DebugRngLists,
        SectionId::DebugAddr,
        SectionId::DebugStrOffsets,
        SectionId::DebugAranges,
    ];

    pub(crate) fn of(binary: &Binary, allowance: &Allowance) -> DebugSections {
        let read = |id: SectionId| {
            let most = match id {
                SectionId::DebugLine => LINES,
                _ => SECTION,
            };
            let part = binary.section(id.name(), most, allowance)?;
            Some((id, part.bytes))
        };
        DebugSections(Self::NEEDED.into_iter().filter_map(read).collect())
    }

    fn bytes(&self, id: SectionId) -> &[u8] {
        let section = self.0.iter().find(|(of, _)| *of == id);
        section.map_or(&[], |(_, bytes)| bytes)
    }

    /// What is at each of the addresses, which the file counts: the innermost function first, then
    /// those of which the compiler made it a part. Empty where nothing is known.
    pub(crate) fn locate(&self, addresses: &[u64], steps: &Steps) -> Vec<Vec<Located>> {
        let mut lookup = Lookup {
            wanted: addresses
                .iter()
                .map(|address| Wanted::at(*address))
                .collect(),
            steps,
        };
        let load = |id| Ok(Metered::new(self.bytes(id), steps));
        // What was found before the information turned out to be bad is as good as before.
        if let Ok(dwarf) = Dwarf::load::<_, gimli::Error>(load) {
            let _ = lookup.search(&dwarf);
        }
        lookup.wanted.into_iter().map(Wanted::located).collect()
    }
}

struct Wanted<'a> {
    address: u64,
    /// The functions around it, the outermost first.
    functions: Vec<Function<'a>>,
    /// Where the address itself is.
    file: Option<String>,
    line: Option<u32>,
}

impl Wanted<'_> {
    fn at(address: u64) -> Self {
        Wanted {
            address,
            functions: Vec::new(),
            file: None,
            line: None,
        }
    }

    fn located(self) -> Vec<Located> {
        let (mut file, mut line) = (self.file, self.line);
        let mut located = Vec::new();
        for function in self.functions.into_iter().rev() {
            let name = function.name.map(|name| name.bytes());
            located.push(Located {
                function: name
                    .filter(|name| name.len() <= NAME)
                    .map(|name| String::from_utf8_lossy(name).into_owned()),
                file: std::mem::replace(&mut file, function.file),
                line: std::mem::replace(&mut line, function.line),
            });
        }
        if located.is_empty() && file.is_some() {
            located.push(Located {
                function: None,
                file,
                line,
            });
        }
        located
    }
}

struct Lookup<'a> {
    wanted: Vec<Wanted<'a>>,
    steps: &'a Steps,
}

impl<'a> Lookup<'a> {
    fn search(&mut self, dwarf: &Dwarf<Metered<'a>>) -> Result<()> {
        let listed = self.listed_units(dwarf).unwrap_or_default();
        for offset in &listed {
            if let Ok(header) = dwarf.debug_info.header_from_offset(*offset) {
                let _ = self.unit(dwarf, &dwarf.unit(header)?);
            }
        }
        let is_known = |wanted: &Wanted<'_>| wanted.file.is_some() || !wanted.functions.is_empty();
        if self.wanted.iter().all(is_known) {
            return Ok(());
        }
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            if header
                .debug_info_offset()
                .is_some_and(|offset| listed.contains(&offset))
            {
                continue;
            }
            let unit = dwarf.unit(header)?;
            let mut ranges = dwarf.unit_ranges(&unit)?;
            while let Some(range) = ranges.next()? {
                if self.any(range.begin, range.end) {
                    let _ = self.unit(dwarf, &unit);
                    break;
                }
            }
        }
        Ok(())
    }

    fn any(&self, begin: u64, end: u64) -> bool {
        let mut wanted = self.wanted.iter();
        wanted.any(|wanted| (begin..end).contains(&wanted.address))
    }

    /// The units that the table of address ranges names for what is wanted.
    fn listed_units(&self, dwarf: &Dwarf<Metered<'a>>) -> Result<Vec<DebugInfoOffset>> {
        let mut units = Vec::new();
        let mut headers = dwarf.debug_aranges.headers();
        while let Some(header) = headers.next()? {
            let mut entries = header.entries();
            while let Some(entry) = entries.next()? {
                let end = entry.address().saturating_add(entry.length());
                if self.any(entry.address(), end) && !units.contains(&header.debug_info_offset()) {
                    units.push(header.debug_info_offset());
                }
            }
        }
        Ok(units)
    }

    fn unit(&mut self, dwarf: &Dwarf<Metered<'a>>, unit: &Unit<Metered<'a>>) -> Result<()> {
        self.lines(dwarf, unit)?;
        // What is in libraries is told of by the table of symbols; some have all of their functions
        // in one unit, which takes long to go through.
        match is_of_a_library(unit) {
            true => Ok(()),
            false => self.functions(dwarf, unit),
        }
    }

    fn lines(&mut self, dwarf: &Dwarf<Metered<'a>>, unit: &Unit<Metered<'a>>) -> Result<()> {
        let Some(program) = unit.line_program.clone() else {
            return Ok(());
        };
        let mut found: Vec<Option<(u64, u64)>> = vec![None; self.wanted.len()];
        let mut rows = program.rows();
        let mut before: Option<(u64, u64, u64)> = None;
        while let Some((_, row)) = rows.next_row()? {
            if let Some((begin, file, line)) = before {
                let range = begin..row.address();
                for (wanted, found) in self.wanted.iter().zip(&mut found) {
                    if range.contains(&wanted.address) {
                        *found = Some((file, line));
                    }
                }
            }
            // Code of no line of its own belongs to the line before.
            before = match (row.end_sequence(), row.line()) {
                (true, _) => None,
                (false, Some(line)) => Some((row.address(), row.file_index(), line.get())),
                (false, None) => before.map(|(_, file, line)| (row.address(), file, line)),
            };
        }
        let header = rows.header().clone();
        for (wanted, found) in self.wanted.iter_mut().zip(found) {
            if let Some((file, line)) = found {
                wanted.file = path(dwarf, unit, &header, file).ok().flatten();
                wanted.line = u32::try_from(line).ok();
            }
        }
        Ok(())
    }

    fn functions(&mut self, dwarf: &Dwarf<Metered<'a>>, unit: &Unit<Metered<'a>>) -> Result<()> {
        let mut entries = unit.entries_raw(None)?;
        while !entries.is_empty() {
            let Some(abbreviation) = entries.read_abbreviation()? else {
                continue;
            };
            let attributes = abbreviation.attributes();
            // Some attributes take no bytes.
            self.steps.spend(attributes.len())?;
            let tag = abbreviation.tag();
            if tag != gimli::DW_TAG_subprogram && tag != gimli::DW_TAG_inlined_subroutine {
                entries.skip_attributes(attributes)?;
                continue;
            }
            let mut entry = Entry::default();
            for attribute in attributes {
                let attribute = entries.read_attribute(*attribute)?;
                entry.take(attribute.name(), attribute.value());
            }
            for index in self.within(dwarf, unit, &entry)? {
                if self.wanted[index].functions.len() < INLINED {
                    let function = entry.function(dwarf, unit, self.steps)?;
                    self.wanted[index].functions.push(function);
                }
            }
        }
        Ok(())
    }

    /// Which of the wanted addresses lie in a function.
    fn within(
        &self,
        dwarf: &Dwarf<Metered<'a>>,
        unit: &Unit<Metered<'a>>,
        entry: &Entry<'a>,
    ) -> Result<Vec<usize>> {
        let mut found = Vec::new();
        let mut add = |begin: u64, end: u64| {
            for (index, wanted) in self.wanted.iter().enumerate() {
                if (begin..end).contains(&wanted.address) && !found.contains(&index) {
                    found.push(index);
                }
            }
        };
        let low = match &entry.low {
            Some(AttributeValue::Addr(address)) => Some(*address),
            Some(AttributeValue::DebugAddrIndex(index)) => Some(dwarf.address(unit, *index)?),
            _ => None,
        };
        if let (Some(low), Some(high)) = (low, &entry.high) {
            let high = match high {
                AttributeValue::Addr(address) => *address,
                AttributeValue::DebugAddrIndex(index) => dwarf.address(unit, *index)?,
                other => low.saturating_add(other.udata_value().unwrap_or(0)),
            };
            add(low, high);
        }
        if let Some(ranges) = &entry.ranges
            && let Some(mut ranges) = dwarf.attr_ranges(unit, *ranges)?
        {
            while let Some(range) = ranges.next()? {
                add(range.begin, range.end);
            }
        }
        Ok(found)
    }
}

fn is_of_a_library(unit: &Unit<Metered<'_>>) -> bool {
    let starts = |part: &Option<Metered<'_>>| {
        let bytes = part
            .as_ref()
            .map(Metered::bytes)
            .filter(|b| b.len() <= NAME);
        bytes
            .map(String::from_utf8_lossy)
            .is_some_and(|path| is_librarys_file(&path))
    };
    starts(&unit.name) || starts(&unit.comp_dir)
}

/// The path of a file that a unit's table of lines numbers.
fn path<'a>(
    dwarf: &Dwarf<Metered<'a>>,
    unit: &Unit<Metered<'a>>,
    header: &LineProgramHeader<Metered<'a>>,
    index: u64,
) -> Result<Option<String>> {
    let Some(file) = header.file(index) else {
        return Ok(None);
    };
    let text = |part: Metered<'a>| part.to_string_lossy().map(std::borrow::Cow::into_owned);
    let mut path = match &unit.comp_dir {
        Some(folder) => text(*folder)?,
        None => String::new(),
    };
    let mut add = |part: String| match part.starts_with('/') {
        true => path = part,
        false => {
            path.push('/');
            path.push_str(&part);
        }
    };
    // Folder 0 is that of the compilation.
    if file.directory_index() != 0
        && let Some(folder) = file.directory(header)
    {
        add(text(dwarf.attr_string(unit, folder)?)?);
    }
    add(text(dwarf.attr_string(unit, file.path_name())?)?);
    Ok(Some(path).filter(|path| path.len() <= NAME))
}
