//! What an entry of the debug information says of a function. Its name may be that of another entry,
//! which it refers to.

use gimli::{AttributeValue, DebugInfoOffset, DwAt, Dwarf, Result, Unit, UnitOffset};

use super::path;
use crate::diagnose::steps::{Metered, Steps};

/// How often a function may refer to another description of it.
const ORIGINS: usize = 16;

/// A function, and where it is part of another.
#[derive(Default)]
pub(super) struct Function<'a> {
    pub(super) name: Option<Metered<'a>>,
    /// Where it is called, if the compiler made it part of the one before.
    pub(super) file: Option<String>,
    pub(super) line: Option<u32>,
}

/// What an entry says of a function.
#[derive(Default)]
pub(super) struct Entry<'a> {
    pub(super) low: Option<AttributeValue<Metered<'a>>>,
    pub(super) high: Option<AttributeValue<Metered<'a>>>,
    pub(super) ranges: Option<AttributeValue<Metered<'a>>>,
    linkage_name: Option<AttributeValue<Metered<'a>>>,
    name: Option<AttributeValue<Metered<'a>>>,
    origin: Option<AttributeValue<Metered<'a>>>,
    file: Option<u64>,
    line: Option<u64>,
}

impl<'a> Entry<'a> {
    pub(super) fn take(&mut self, name: DwAt, value: AttributeValue<Metered<'a>>) {
        match name {
            gimli::DW_AT_low_pc => self.low = Some(value),
            gimli::DW_AT_high_pc => self.high = Some(value),
            gimli::DW_AT_ranges => self.ranges = Some(value),
            gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name => {
                self.linkage_name = Some(value);
            }
            gimli::DW_AT_name => self.name = Some(value),
            gimli::DW_AT_abstract_origin | gimli::DW_AT_specification => self.origin = Some(value),
            gimli::DW_AT_call_file => {
                self.file = match value {
                    AttributeValue::FileIndex(index) => Some(index),
                    other => other.udata_value(),
                };
            }
            gimli::DW_AT_call_line => self.line = value.udata_value(),
            _ => {}
        }
    }

    pub(super) fn function(
        &self,
        dwarf: &Dwarf<Metered<'a>>,
        unit: &Unit<Metered<'a>>,
        steps: &Steps,
    ) -> Result<Function<'a>> {
        let file = match (&unit.line_program, self.file) {
            (Some(program), Some(file)) => path(dwarf, unit, program.header(), file)?,
            _ => None,
        };
        let name = self.name(dwarf, unit, steps, ORIGINS);
        Ok(Function {
            name,
            file,
            line: self.line.and_then(|line| u32::try_from(line).ok()),
        })
    }

    /// The name that this entry or one that it refers to has; the linker's, if there is one.
    fn name(
        &self,
        dwarf: &Dwarf<Metered<'a>>,
        unit: &Unit<Metered<'a>>,
        steps: &Steps,
        origins: usize,
    ) -> Option<Metered<'a>> {
        let text =
            |value: &Option<AttributeValue<Metered<'a>>>| dwarf.attr_string(unit, (*value)?).ok();
        text(&self.linkage_name)
            .or_else(|| {
                let origin = self.origin.filter(|_| origins > 0)?;
                Self::origin(dwarf, unit, steps, origin, origins - 1)
            })
            .or_else(|| text(&self.name))
    }

    fn origin(
        dwarf: &Dwarf<Metered<'a>>,
        unit: &Unit<Metered<'a>>,
        steps: &Steps,
        origin: AttributeValue<Metered<'a>>,
        origins: usize,
    ) -> Option<Metered<'a>> {
        match origin {
            AttributeValue::UnitRef(offset) => Self::read(unit, steps, offset)
                .ok()?
                .name(dwarf, unit, steps, origins),
            AttributeValue::DebugInfoRef(offset) => {
                let (unit, offset) = unit_of(dwarf, offset).ok()??;
                Self::read(&unit, steps, offset)
                    .ok()?
                    .name(dwarf, &unit, steps, origins)
            }
            _ => None,
        }
    }

    fn read(unit: &Unit<Metered<'a>>, steps: &Steps, offset: UnitOffset) -> Result<Self> {
        let mut entry = Entry::default();
        let mut entries = unit.entries_raw(Some(offset))?;
        if let Some(abbreviation) = entries.read_abbreviation()? {
            steps.spend(abbreviation.attributes().len())?;
            for attribute in abbreviation.attributes() {
                let attribute = entries.read_attribute(*attribute)?;
                entry.take(attribute.name(), attribute.value());
            }
        }
        Ok(entry)
    }
}

/// The unit in which an entry lies, and where in it.
fn unit_of<'a>(
    dwarf: &Dwarf<Metered<'a>>,
    offset: DebugInfoOffset,
) -> Result<Option<(Unit<Metered<'a>>, UnitOffset)>> {
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        if let Some(inner) = offset.to_unit_offset(&header) {
            return Ok(Some((dwarf.unit(header)?, inner)));
        }
    }
    Ok(None)
}
