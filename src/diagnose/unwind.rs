//! From the registers of a task to the return addresses on its stack.
//!
//! The tables in the files say how ([`FrameTables`]); where there are none, the chain of frame
//! pointers is followed. At most [`FRAMES`] frames are unwound on each side of a deep recursion,
//! whose middle is not unwound but counted: if functions repeat with the same distance between
//! their frames, the end of the repetition is searched for by halving.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;

use super::binary::{Allowance, Binary, Owner};
use super::frame_table::{Caller, FrameTables, RBP, REGISTERS, RIP, RSP, Values};
use super::image::{Image, Module};
use super::memory::Memory;
use super::steps::Steps;

/// How many frames are unwound in a row.
pub(crate) const FRAMES: usize = 256;
/// After how many frames a recursion is looked for.
const DEEP: usize = 64;
/// The longest circle of functions that is looked for.
const PERIOD: usize = 8;
/// How many times it must be seen.
const REPEATS: usize = 4;
/// How many circles beside the ends are unwound and not skipped.
const MARGIN: u64 = 4;
/// No stack is larger.
const STACK: u64 = 1 << 40;
/// How many bytes of the stack are read at once.
const BLOCK: u64 = 4096;

/// A call that has not returned.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// Where it is, or where it goes on when what it called returns.
    pub(crate) address: u64,
    /// It called what is before it in the list; the call lies before `address`.
    pub(crate) called: bool,
    /// Index of its module, if it is in one.
    pub(crate) module: Option<usize>,
    /// Where its function lies, if a table says so.
    function: Option<Range<u64>>,
    /// The top of its stack.
    top: u64,
}

impl Place {
    /// True if both are in one function.
    pub(crate) fn is_in_function_of(&self, other: &Place) -> bool {
        self.function.is_some() && self.function == other.function
    }

    /// An address within the instruction that it is in.
    pub(crate) fn within(&self) -> u64 {
        self.address - u64::from(self.called && self.address > 0)
    }
}

/// What was found on a stack, the innermost call first.
#[derive(Debug, Default)]
pub(crate) struct Unwound {
    pub(crate) inner: Vec<Place>,
    /// How many calls lie between the two lists and were not unwound.
    pub(crate) skipped: u64,
    pub(crate) outer: Vec<Place>,
    /// The outermost calls are not known.
    pub(crate) cut: bool,
}

/// A file on our side of each module, as far as there is one.
pub(crate) struct Files {
    pub(crate) allowance: Allowance,
    /// In the order of the image's modules; one more for the kernel's library.
    pub(crate) binaries: Vec<Option<Binary>>,
    /// The main module is the program that our side was told of.
    pub(crate) is_program: bool,
    /// The kernel's library.
    kernel: Range<u64>,
}

impl Files {
    /// Nothing is opened yet.
    pub(crate) fn of(image: &Image) -> Files {
        let mut mappings = image.mappings.iter();
        let kernel = mappings.find(|mapping| mapping.name == b"[vdso]");
        Files {
            allowance: Allowance::new(),
            binaries: (0..=image.modules.len()).map(|_| None).collect(),
            is_program: false,
            kernel: kernel.map_or(0..0, |mapping| mapping.range.clone()),
        }
    }

    /// The module in which an address lies.
    fn module(&self, image: &Image, address: u64) -> Option<usize> {
        let mut modules = image.modules.iter();
        modules
            .position(|module| module.range.contains(&address))
            .or_else(|| {
                self.kernel
                    .contains(&address)
                    .then_some(image.modules.len())
            })
    }

    /// What is added to an address in a module's file to get the one in memory.
    pub(crate) fn bias(&self, image: &Image, module: usize) -> u64 {
        image
            .modules
            .get(module)
            .map_or(self.kernel.start, |m| m.bias)
    }

    fn open(&mut self, image: &Image, memory: &Memory, program: &Path, index: usize) {
        let found = match image.modules.get(index) {
            Some(module) => self.file(memory, program, module, index),
            None => memory
                .bytes(self.kernel.start, self.kernel.end - self.kernel.start)
                .and_then(|bytes| Binary::of_bytes(bytes, &self.allowance)),
        };
        self.binaries[index] = found;
    }

    fn file(
        &mut self,
        memory: &Memory,
        program: &Path,
        module: &Module,
        index: usize,
    ) -> Option<Binary> {
        use std::os::unix::ffi::OsStrExt;
        let header = memory.array(module.range.start)?;
        if index == 0
            && let Some(binary) = Binary::open(program, Owner::Anyone, &header, &self.allowance)
        {
            self.is_program = true;
            return Some(binary);
        }
        let path = Path::new(std::ffi::OsStr::from_bytes(&module.path));
        Binary::open(path, Owner::RootOrUs, &header, &self.allowance)
    }
}

/// How one step outwards went.
enum Step {
    Caller {
        values: Values,
        interrupted: bool,
    },
    /// There is no caller.
    End,
    /// It cannot be told.
    Lost,
}

/// Unwinds the stack of one task.
pub(crate) struct Unwinder<'a> {
    memory: &'a Memory,
    image: &'a Image,
    program: &'a Path,
    steps: &'a Steps,
    pub(crate) files: Files,
    tables: Vec<Option<FrameTables>>,
    block: RefCell<(u64, Vec<u8>)>,
}

impl<'a> Unwinder<'a> {
    pub(crate) fn new(
        memory: &'a Memory,
        image: &'a Image,
        program: &'a Path,
        steps: &'a Steps,
    ) -> Unwinder<'a> {
        let files = Files::of(image);
        Unwinder {
            memory,
            image,
            program,
            steps,
            tables: files.binaries.iter().map(|_| None).collect(),
            files,
            block: RefCell::default(),
        }
    }

    /// A word of memory; what was read around the last one is kept.
    fn word(&self, address: u64) -> Option<u64> {
        let mut block = self.block.borrow_mut();
        let within = |start: u64, bytes: &[u8]| {
            let at = usize::try_from(address.checked_sub(start)?).ok()?;
            super::memory::u64_in(bytes, at)
        };
        if let Some(word) = within(block.0, &block.1) {
            return Some(word);
        }
        let start = address & !(BLOCK - 1);
        let bytes = self.memory.prefix(start, BLOCK as usize);
        *block = (start, bytes);
        // A word may lie across the edge of the block.
        within(block.0, &block.1).or_else(|| self.memory.u64(address))
    }

    fn is_code(&self, address: u64) -> bool {
        let mapping = self.image.mapping_at(address);
        mapping.is_some_and(|mapping| mapping.executable)
    }

    /// The place where a frame is, and its caller.
    fn step(&mut self, values: &Values, called: bool) -> (Place, Step) {
        let mut place = Place {
            address: values[RIP],
            called,
            module: None,
            function: None,
            top: values[RSP],
        };
        let address = place.within();
        if !self.is_code(address) {
            // A call of an address that is none: what was called has not moved the stack yet.
            let step = match self.word(values[RSP]) {
                Some(back) if !called && self.is_code(back) => {
                    let mut caller = *values;
                    caller[RIP] = back;
                    caller[RSP] += 8;
                    Step::Caller {
                        values: caller,
                        interrupted: false,
                    }
                }
                _ => Step::Lost,
            };
            return (place, step);
        }
        place.module = self.files.module(self.image, address);
        if let Some(caller) = self.by_tables(&place, address, values) {
            place.function = Some(caller.function);
            let step = caller.values.map_or(Step::End, |values| Step::Caller {
                values,
                interrupted: caller.interrupted,
            });
            return (place, step);
        }
        let step = self.by_frame_pointer(values);
        (place, step)
    }

    fn by_tables(&mut self, place: &Place, address: u64, values: &Values) -> Option<Caller> {
        let module = place.module?;
        if self.tables[module].is_none() {
            let (image, memory, program) = (self.image, self.memory, self.program);
            self.files.open(image, memory, program, module);
            let tables = self.files.binaries[module]
                .as_ref()
                .map(|binary| FrameTables::of(binary, &self.files.allowance, self.steps));
            self.tables[module] = Some(tables.unwrap_or_default());
        }
        let bias = self.files.bias(self.image, module);
        let read = |address| self.word(address);
        let tables = self.tables[module].as_ref()?;
        let mut caller = tables.caller(address.wrapping_sub(bias), values, self.steps, &read)?;
        let function = &caller.function;
        caller.function = function.start.wrapping_add(bias)..function.end.wrapping_add(bias);
        Some(caller)
    }

    fn by_frame_pointer(&self, values: &Values) -> Step {
        let frame = values[RBP];
        if frame == 0 {
            return Step::End;
        }
        if frame < values[RSP] || !frame.is_multiple_of(8) {
            return Step::Lost;
        }
        let (Some(outer), Some(back)) = (self.word(frame), self.word(frame.wrapping_add(8))) else {
            return Step::Lost;
        };
        if back == 0 {
            return Step::End;
        }
        let mut caller = *values;
        (caller[RBP], caller[RIP], caller[RSP]) = (outer, back, frame.wrapping_add(16));
        match self.is_code(back) {
            true => Step::Caller {
                values: caller,
                interrupted: false,
            },
            false => Step::Lost,
        }
    }

    /// Unwinds from these registers, which are those of an instruction that was interrupted.
    pub(crate) fn unwind(&mut self, values: &Values) -> Unwound {
        let mut unwound = Unwound::default();
        let mut seen = Vec::new();
        let ended = self.run(*values, false, DEEP, &mut unwound.inner, &mut seen);
        let Ended::Full(values, called) = ended else {
            unwound.cut = matches!(ended, Ended::Lost);
            return unwound;
        };
        if let Some((jumped, skipped)) = self.jump(&unwound.inner, &seen) {
            unwound.skipped = skipped;
            let ended = self.run(jumped, true, FRAMES, &mut unwound.outer, &mut Vec::new());
            unwound.cut = !matches!(ended, Ended::Complete);
        } else {
            let ended = self.run(values, called, FRAMES - DEEP, &mut unwound.inner, &mut seen);
            unwound.cut = !matches!(ended, Ended::Complete);
        }
        unwound
    }

    fn run(
        &mut self,
        mut values: Values,
        mut called: bool,
        most: usize,
        places: &mut Vec<Place>,
        seen: &mut Vec<Values>,
    ) -> Ended {
        for _ in 0..most {
            let (place, step) = self.step(&values, called);
            // An address that is no code is a frame only if it is where the task is.
            if called && !self.is_code(place.within()) {
                return Ended::Lost;
            }
            places.push(place);
            seen.push(values);
            match step {
                Step::End => return Ended::Complete,
                Step::Lost => return Ended::Lost,
                Step::Caller {
                    values: caller,
                    interrupted,
                } => {
                    // Callers lie higher, except where a handler has a stack of its own.
                    if caller[RSP] <= values[RSP] && !interrupted {
                        return Ended::Lost;
                    }
                    if caller[RIP] == 0 {
                        return Ended::Complete;
                    }
                    values = caller;
                    called = !interrupted;
                }
            }
        }
        Ended::Full(values, called)
    }

    /// If the last calls repeat, the registers near the outer end of the repetition, and how many
    /// calls lie between.
    fn jump(&self, places: &[Place], seen: &[Values]) -> Option<(Values, u64)> {
        let last = places.len().checked_sub(1)?;
        let period = (1..=PERIOD).find(|period| repeats(places, *period))?;
        let before = last - period;
        let distance = places[last].top.checked_sub(places[before].top)?;
        let function = places[last].function.clone()?;
        // The word below the top of a caller's stack is where it goes on.
        let slot = |times: u64| {
            let offset = times
                .checked_mul(distance)
                .filter(|offset| *offset < STACK)?;
            places[last].top.checked_add(offset)?.checked_sub(8)
        };
        let again = |times: u64| {
            let back = slot(times).and_then(|slot| self.word(slot));
            back.is_some_and(|back| function.contains(&back.wrapping_sub(1)))
        };
        let mut more = 1;
        while again(more) {
            more *= 2;
        }
        let mut good = more / 2;
        while more - good > 1 {
            let middle = good + (more - good) / 2;
            match again(middle) {
                true => good = middle,
                false => more = middle,
            }
        }
        let times = good.checked_sub(MARGIN).filter(|times| *times >= MARGIN)?;
        let mut values = [0; REGISTERS];
        for (register, value) in values.iter_mut().enumerate() {
            let (now, then) = (seen[last][register], seen[before][register]);
            let moves = now == then.wrapping_add(distance);
            *value = now.wrapping_add(if moves { times * distance } else { 0 });
        }
        values[RIP] = self.word(slot(times)?)?;
        Some((values, times * period as u64 - 1))
    }
}

enum Ended {
    /// The last call has no caller.
    Complete,
    Lost,
    /// There are more.
    Full(Values, bool),
}

/// True if the last calls are in functions that come again after each `period`, each time in the
/// same distance.
fn repeats(places: &[Place], period: usize) -> bool {
    let needed = period * REPEATS;
    let Some(recent) = places.len().checked_sub(needed) else {
        return false;
    };
    let recent = &places[recent..];
    let distance = |at: usize| recent[at + period].top.checked_sub(recent[at].top);
    let all = distance(0).filter(|distance| *distance > 0);
    all.is_some()
        && (0..needed - period).all(|at| {
            let (one, next) = (&recent[at], &recent[at + period]);
            one.function.is_some()
                && one.function == next.function
                && one.called
                && distance(at) == all
        })
}
