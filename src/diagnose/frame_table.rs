//! How to get from a function's registers to its caller's, by the tables in its file (`.eh_frame`,
//! `.debug_frame`).

use gimli::{
    BaseAddresses, CfaRule, CieOrFde, DebugFrame, EhFrame, EhFrameHdr, EvaluationResult,
    Expression, FrameDescriptionEntry, ParsedEhFrameHdr, Register, RegisterRule, UnwindContext,
    UnwindExpression, UnwindSection, Value,
};

use super::binary::{Allowance, Binary, Part};
use super::steps::{Metered, Steps};

/// How many registers a frame has: the sixteen general ones in DWARF's order, and the address at
/// which it goes on.
pub(crate) const REGISTERS: usize = 17;
pub(crate) const RBP: usize = 6;
pub(crate) const RSP: usize = 7;
pub(crate) const RIP: usize = 16;

/// The values of the registers of one frame.
pub(crate) type Values = [u64; REGISTERS];

/// How many bytes the table of one function may have. The longest that compilers make have a few
/// hundred.
const ENTRY: usize = 64 << 10;
/// How many operations an expression may take.
const OPERATIONS: u32 = 1000;
/// How large a `.debug_frame` may be.
const DEBUG_FRAME: u64 = 16 << 20;

/// How large an `.eh_frame` without an index may be.
const UNINDEXED: u64 = 16 << 20;

/// The tables of one file.
#[derive(Debug, Default)]
pub(crate) struct FrameTables {
    /// The linker's index of the loaded tables; programs that are linked statically may have none.
    index: Part,
    loaded: Part,
    /// Our own index: the address of each function, and where its table begins.
    listed: Vec<(u64, usize)>,
    debug: Part,
    debug_listed: Vec<(u64, usize)>,
}

/// What a table says about an address.
pub(crate) struct Caller {
    /// Its caller's registers; `None` if it has no caller.
    pub(crate) values: Option<Values>,
    /// It is a signal handler's way back: the caller was interrupted and did not call.
    pub(crate) interrupted: bool,
    /// Where the function lies.
    pub(crate) function: std::ops::Range<u64>,
}

impl FrameTables {
    pub(crate) fn of(binary: &Binary, allowance: &Allowance, steps: &Steps) -> FrameTables {
        let mut tables = FrameTables::default();
        let indexed = binary.unwind_tables(allowance);
        if let Some((index, loaded)) = indexed.filter(|(index, _)| is_sound(&index.bytes)) {
            (tables.index, tables.loaded) = (index, loaded);
        } else if let Some(loaded) = binary.section(".eh_frame", UNINDEXED, allowance) {
            let section: EhFrame<_> = Metered::new(&loaded.bytes, steps).into();
            tables.listed = list(&section, &bases(&tables.index, &loaded));
            tables.loaded = loaded;
        }
        if let Some(debug) = binary.section(".debug_frame", DEBUG_FRAME, allowance) {
            let section: DebugFrame<_> = Metered::new(&debug.bytes, steps).into();
            tables.debug_listed = list(&section, &BaseAddresses::default());
            tables.debug = debug;
        }
        tables
    }

    /// The caller of the function in which `address` lies, as the file counts addresses. `read`
    /// reads a word of the process's memory.
    pub(crate) fn caller(
        &self,
        address: u64,
        values: &Values,
        steps: &Steps,
        read: &dyn Fn(u64) -> Option<u64>,
    ) -> Option<Caller> {
        let frame = Frame {
            address,
            values,
            read,
        };
        frame
            .by_index(self, steps)
            .or_else(|| frame.by_debug_frame(self, steps))
    }
}

/// True of an index as all linkers make it, that is as long as it says.
fn is_sound(index: &[u8]) -> bool {
    /// Version 1; the address of the tables relative to itself, a count, and the entries relative to
    /// the index, of four bytes each.
    const HEAD: [u8; 4] = [1, 0x1b, 0x03, 0x3b];
    const ENTRIES: usize = 12;
    const ENTRY: u64 = 8;
    let room = index.len().checked_sub(ENTRIES);
    let count = index
        .get(8..ENTRIES)
        .and_then(|count| count.try_into().ok());
    let fits = |(room, count)| u64::from(u32::from_le_bytes(count)) * ENTRY <= room as u64;
    index.starts_with(&HEAD) && room.zip(count).is_some_and(fits)
}

fn bases(index: &Part, loaded: &Part) -> BaseAddresses {
    BaseAddresses::default()
        .set_eh_frame_hdr(index.address)
        .set_eh_frame(loaded.address)
}

/// All functions of a section, by address; what comes before a bad entry, if there is one.
fn list<'a, S: UnwindSection<Metered<'a>>>(
    section: &S,
    bases: &BaseAddresses,
) -> Vec<(u64, usize)> {
    let mut listed = Vec::new();
    let mut entries = section.entries(bases);
    // Nearly all entries refer to the same few descriptions of what they have in common.
    let mut common = Vec::new();
    let mut get = |section: &S, bases: &BaseAddresses, offset: S::Offset| {
        let known = common.iter().find(|(of, _)| *of == offset);
        if let Some((_, known)) = known {
            return Ok(Clone::clone(known));
        }
        let read: gimli::CommonInformationEntry<Metered<'a>> =
            section.cie_from_offset(bases, offset)?;
        if common.len() < 16 {
            common.push((offset, read.clone()));
        }
        Ok(read)
    };
    while let Ok(Some(entry)) = entries.next() {
        if let CieOrFde::Fde(entry) = entry
            && let Ok(entry) = entry.parse(&mut get)
        {
            listed.push((entry.initial_address(), entry.offset()));
        }
    }
    listed.sort_unstable();
    listed
}

/// Where the table of the function at or before an address begins.
fn nearest(listed: &[(u64, usize)], address: u64) -> Option<usize> {
    let after = listed.partition_point(|(start, _)| *start <= address);
    listed.get(after.checked_sub(1)?).map(|(_, offset)| *offset)
}

struct Frame<'a> {
    address: u64,
    values: &'a Values,
    read: &'a dyn Fn(u64) -> Option<u64>,
}

impl Frame<'_> {
    fn by_index(&self, tables: &FrameTables, steps: &Steps) -> Option<Caller> {
        let bases = bases(&tables.index, &tables.loaded);
        let section: EhFrame<Metered<'_>> = Metered::new(&tables.loaded.bytes, steps).into();
        let offset = if tables.index.bytes.is_empty() {
            nearest(&tables.listed, self.address)?
        } else {
            let index: EhFrameHdr<Metered<'_>> = Metered::new(&tables.index.bytes, steps).into();
            let index: ParsedEhFrameHdr<Metered<'_>> = index.parse(&bases, 8).ok()?;
            let found = index.table()?.lookup(self.address, &bases).ok()?;
            let offset = found.direct().ok()?.checked_sub(tables.loaded.address)?;
            usize::try_from(offset).ok()?
        };
        let entry = section.fde_from_offset(&bases, offset.into(), EhFrame::cie_from_offset);
        self.by_entry(&section, &bases, &entry.ok()?)
    }

    fn by_debug_frame(&self, tables: &FrameTables, steps: &Steps) -> Option<Caller> {
        let offset = nearest(&tables.debug_listed, self.address)?;
        let bases = BaseAddresses::default();
        let section: DebugFrame<Metered<'_>> = Metered::new(&tables.debug.bytes, steps).into();
        let entry = section.fde_from_offset(&bases, offset.into(), DebugFrame::cie_from_offset);
        self.by_entry(&section, &bases, &entry.ok()?)
    }

    fn by_entry<'a, S: UnwindSection<Metered<'a>>>(
        &self,
        section: &S,
        bases: &BaseAddresses,
        entry: &FrameDescriptionEntry<Metered<'a>>,
    ) -> Option<Caller> {
        let size = entry.entry_len().max(entry.cie().entry_len());
        if !entry.contains(self.address) || size > ENTRY {
            return None;
        }
        let mut context = UnwindContext::new();
        let row = entry
            .unwind_info_for_address(section, bases, &mut context, self.address)
            .ok()?;
        let evaluate = |expression: &UnwindExpression<usize>, initial: Option<u64>| {
            self.evaluate(expression.get(section).ok()?, entry, initial)
        };
        let frame = match row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => {
                self.register(*register)?.wrapping_add_signed(*offset)
            }
            CfaRule::Expression(expression) => evaluate(expression, None)?,
        };
        let mut caller = *self.values;
        caller[RSP] = frame;
        let address = usize::from(entry.cie().return_address_register().0);
        if address != RIP {
            return None;
        }
        let mut has_caller = false;
        for (register, rule) in row.registers() {
            let register = usize::from(register.0);
            let value = match rule {
                RegisterRule::Undefined => continue,
                RegisterRule::SameValue => self.values.get(register).copied(),
                RegisterRule::Offset(offset) => (self.read)(frame.wrapping_add_signed(*offset)),
                RegisterRule::ValOffset(offset) => Some(frame.wrapping_add_signed(*offset)),
                RegisterRule::Register(other) => self.register(*other),
                RegisterRule::Expression(expression) => {
                    evaluate(expression, Some(frame)).and_then(self.read)
                }
                RegisterRule::ValExpression(expression) => evaluate(expression, Some(frame)),
                _ => None,
            };
            // Registers beyond ours (vectors, flags) do not lead to a caller.
            if let Some(place) = caller.get_mut(register) {
                *place = value?;
                has_caller |= register == RIP;
            }
        }
        Some(Caller {
            values: has_caller.then_some(caller),
            interrupted: entry.is_signal_trampoline(),
            function: entry.initial_address()..entry.end_address(),
        })
    }

    fn register(&self, register: Register) -> Option<u64> {
        self.values.get(usize::from(register.0)).copied()
    }

    fn evaluate(
        &self,
        expression: Expression<Metered<'_>>,
        entry: &FrameDescriptionEntry<Metered<'_>>,
        initial: Option<u64>,
    ) -> Option<u64> {
        let mut evaluation = expression.evaluation(entry.cie().encoding());
        evaluation.set_max_iterations(OPERATIONS);
        if let Some(initial) = initial {
            evaluation.set_initial_value(initial);
        }
        let mut result = evaluation.evaluate().ok()?;
        for _ in 0..OPERATIONS {
            result = match result {
                EvaluationResult::Complete => {
                    return evaluation.value_result()?.to_u64(u64::MAX).ok();
                }
                EvaluationResult::RequiresMemory { address, size, .. } => {
                    let word = (self.read)(address)?;
                    let bits = u32::from(size).checked_mul(8).filter(|bits| *bits <= 64)?;
                    let word = word & u64::MAX.checked_shr(64 - bits).unwrap_or(0);
                    evaluation.resume_with_memory(Value::Generic(word)).ok()?
                }
                EvaluationResult::RequiresRegister { register, .. } => {
                    let value = Value::Generic(self.register(register)?);
                    evaluation.resume_with_register(value).ok()?
                }
                EvaluationResult::RequiresCallFrameCfa => {
                    evaluation.resume_with_call_frame_cfa(initial?).ok()?
                }
                _ => return None,
            };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_as_long_as_it_says() {
        let index = |count: u32, entries: usize| {
            let mut bytes = vec![1, 0x1b, 0x03, 0x3b, 0, 0, 0, 0];
            bytes.extend(count.to_le_bytes());
            bytes.resize(bytes.len() + entries * 8, 0);
            bytes
        };
        assert!(is_sound(&index(3, 3)) && is_sound(&index(0, 0)));
        assert!(!is_sound(&index(3, 2)) && !is_sound(&index(u32::MAX, 2)));
        assert!(!is_sound(&index(0, 0)[..11]) && !is_sound(&[]));
        // A count of eight bytes.
        let mut long = index(1, 3);
        long[2] = 0x04;
        assert!(!is_sound(&long));
    }
}
