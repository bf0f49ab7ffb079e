//! Where a task stood: the calls that had not returned, with function, file and line.
//!
//! The task must be stopped and its memory still there: in a ptrace stop, at the latest
//! `PTRACE_EVENT_EXIT`. Nothing is written to it. Everything about it may be hostile, and its
//! program may have been made so: memory is read within the budget of [`Memory`], files within an
//! allowance, debug information within a number of steps. When one is used up, the stack is what
//! was found until then.

use std::path::Path;

use super::frame_table::{REGISTERS, Values};
use super::image::Image;
use super::lines::{DebugSections, Located};
use super::memory::Memory;
use super::names::{is_librarys_file, is_librarys_function, readable, short};
use super::steps::Steps;
use super::symbols;
use super::unwind::{Place, Unwinder};
use crate::sys::Pid;
use crate::transcript::amount;

/// The registers of a task as the kernel tells them.
pub type Registers = libc::user_regs_struct;

/// How many steps the lookup of functions and lines may take: some twenty times what a program
/// with all of the C++ library included needs.
const LOOKUP_STEPS: u64 = 4_000_000;
/// How many steps the unwinding may take.
const UNWIND_STEPS: u64 = 2_000_000;
/// Of a deep recursion, how many calls are told of at its inner end.
const INNERMOST: usize = 8;
/// And at most how many beyond its outer end.
const OUTERMOST: usize = 8;
/// How many of them still belong to the recursion.
const LAST_REPEATS: usize = 2;

/// A call that has not returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Where it is; or, if it has called the frame before it, where it goes on after that.
    pub address: u64,
    /// Its function, demangled, without parameters.
    pub function: Option<String>,
    /// The name of the source file, without folders.
    pub file: Option<String>,
    /// The line in that file.
    pub line: Option<u32>,
    /// The name of the program's or library's file, without folders.
    pub module: Option<String>,
    /// The compiler made it a part of the next frame.
    pub inlined: bool,
    /// It is of the program's author, as far as that can be told: neither of a library nor of
    /// what a language puts into every program.
    pub own: bool,
}

/// The calls of a task that had not returned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stack {
    /// The innermost first.
    pub frames: Vec<Frame>,
    /// Calls that were left out of the middle: before which of the frames, and how many. Calls that
    /// the compiler made part of others are not counted.
    pub omitted: Option<Omitted>,
    /// The outermost calls could not be found.
    pub cut: bool,
}

/// Calls that were left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omitted {
    /// The index of the frame that comes after them.
    pub before: usize,
    /// How many they are.
    pub count: u64,
}

/// The stack of a stopped task.
///
/// `registers` are those of the moment that matters: for a crash, those at the signal, because at
/// the exit stop they may have changed. `program` is what our side was told to run, by a path that
/// the task cannot change; if it is not what the task runs, no frame is its author's own. For a
/// program that an interpreter runs, that is the interpreter, and the frames are of no use.
pub fn stack(task: Pid, registers: &Registers, program: &Path) -> Stack {
    let memory = Memory::of(task);
    match Image::of(&memory) {
        Some(image) => of_image(&memory, &image, registers, program),
        None => Stack {
            cut: true,
            ..Stack::default()
        },
    }
}

fn of_image(memory: &Memory, image: &Image, registers: &Registers, program: &Path) -> Stack {
    let steps = Steps::new(UNWIND_STEPS);
    let mut unwinder = Unwinder::new(memory, image, program, &steps);
    let mut unwound = unwinder.unwind(&values(registers));
    let mut omitted = unwound.skipped;
    if omitted > 0 {
        omitted += unwound.inner.len().saturating_sub(INNERMOST) as u64;
        unwound.inner.truncate(INNERMOST);
        let repeats = repeats_in(&unwound.inner, &unwound.outer);
        let drop = repeats.saturating_sub(LAST_REPEATS);
        let drop = drop.max(unwound.outer.len().saturating_sub(OUTERMOST));
        omitted += unwound.outer.drain(..drop).count() as u64;
    }
    let inner = unwound.inner.len();
    let places: Vec<&Place> = unwound.inner.iter().chain(&unwound.outer).collect();
    let mut stack = Stack {
        cut: unwound.cut,
        ..Stack::default()
    };
    let named = name(&unwinder, image, &places);
    for (index, frames) in named.into_iter().enumerate() {
        if index == inner && omitted > 0 {
            stack.omitted = Some(Omitted {
                before: stack.frames.len(),
                count: omitted,
            });
        }
        stack.frames.extend(frames);
    }
    stack
}

/// How many calls at the beginning of `outer` are in functions of the recursion in `inner`.
fn repeats_in(inner: &[Place], outer: &[Place]) -> usize {
    let belongs = |place: &Place| inner.iter().any(|other| place.is_in_function_of(other));
    outer.iter().take_while(|place| belongs(place)).count()
}

/// In the order of DWARF's numbers.
fn values(registers: &Registers) -> Values {
    let r = registers;
    let values: [u64; REGISTERS] = [
        r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8, r.r9, r.r10, r.r11, r.r12,
        r.r13, r.r14, r.r15, r.rip,
    ];
    values
}

/// The frames at each place: more than one where functions were made part of others.
fn name(unwinder: &Unwinder<'_>, image: &Image, places: &[&Place]) -> Vec<Vec<Frame>> {
    let files = &unwinder.files;
    let steps = Steps::new(LOOKUP_STEPS);
    let mut frames: Vec<Vec<Frame>> = places.iter().map(|_| Vec::new()).collect();
    let mut modules: Vec<usize> = places.iter().filter_map(|place| place.module).collect();
    // The program's own come first, whatever the libraries hold.
    modules.sort_unstable();
    modules.dedup();
    for module in modules {
        let Some(binary) = &files.binaries[module] else {
            continue;
        };
        let here: Vec<usize> = (0..places.len())
            .filter(|index| places[*index].module == Some(module))
            .collect();
        let bias = files.bias(image, module);
        let mut addresses: Vec<u64> = here
            .iter()
            .map(|index| places[*index].within().wrapping_sub(bias))
            .collect();
        let of_place = addresses.clone();
        addresses.sort_unstable();
        addresses.dedup();
        let sections = DebugSections::of(binary, &files.allowance);
        let located = sections.locate(&addresses, &steps);
        let symbols = symbols::functions(binary, &addresses, &files.allowance);
        let is_program = module == 0 && files.is_program;
        for (index, address) in here.into_iter().zip(of_place) {
            let at = addresses.partition_point(|other| *other < address);
            let symbol = symbols[at].as_deref();
            frames[index] = at_place(places[index], &located[at], symbol, is_program);
        }
    }
    // Where the source that was written has lines, a function without is not of it: the program is
    // linked statically.
    let has_lines = frames.iter().flatten().any(|f| f.own && f.line.is_some());
    // The `main` that Rust's runtime is started from was made by the compiler.
    let mut functions = (frames.iter().flatten()).filter_map(|frame| frame.function.as_deref());
    let is_rust = functions.any(|name| name.starts_with("std::rt::lang_start"));
    for frame in frames.iter_mut().flatten() {
        let is_made = is_rust && frame.function.as_deref() == Some("main");
        frame.own &= !is_made && (!has_lines || frame.line.is_some());
    }
    for (place, frames) in places.iter().zip(&mut frames) {
        if frames.is_empty() {
            *frames = at_place(place, &[], None, false);
        }
        let module = place.module.and_then(|module| image.modules.get(module));
        let module = module.map(|module| String::from_utf8_lossy(&module.path).into_owned());
        for frame in frames {
            frame.module = module.as_deref().map(|path| short(path).to_owned());
        }
    }
    frames
}

fn at_place(
    place: &Place,
    located: &[Located],
    symbol: Option<&str>,
    is_program: bool,
) -> Vec<Frame> {
    let unknown = [Located::default()];
    let located = if located.is_empty() {
        &unknown
    } else {
        located
    };
    let outermost = located.len() - 1;
    let frame = |(index, located): (usize, &Located)| {
        let function = located.function.as_deref();
        // The symbol's name is that of the function that the others are a part of.
        let function = function.or(symbol.filter(|_| index == outermost));
        let function = function.map(readable);
        let by_file = located.file.as_deref().map(|path| !is_librarys_file(path));
        let by_name = || {
            function
                .as_deref()
                .is_some_and(|name| !is_librarys_function(name))
        };
        Frame {
            address: place.address,
            own: is_program && by_file.unwrap_or_else(by_name),
            file: located
                .file
                .as_deref()
                .map(|path| readable_file(short(path))),
            line: located.line,
            module: None,
            inlined: index < outermost,
            function,
        }
    };
    located.iter().enumerate().map(frame).collect()
}

/// A file's name must not steer the terminal.
fn readable_file(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(200).collect()
}

impl Stack {
    /// The innermost frame that is the author's own: where to look first. Those before it are of
    /// libraries which it called.
    pub fn first_own(&self) -> Option<&Frame> {
        self.own_index().map(|index| &self.frames[index])
    }

    fn own_index(&self) -> Option<usize> {
        self.frames.iter().position(|frame| frame.own)
    }

    /// Where it stood, in words: "in `solve` at a.cpp:12", or "in raise, abort, called from `solve`
    /// at a.cpp:12". `None` if no frame is the author's own.
    pub fn place(&self) -> Option<String> {
        /// How many functions of libraries are named.
        const NAMED: usize = 4;
        let own = self.own_index()?;
        let at = self.frames[own].to_string();
        let mut called: Vec<&str> = self.frames[..own]
            .iter()
            .filter_map(|frame| frame.function.as_deref())
            .collect();
        called.dedup();
        if called.is_empty() {
            return Some(format!("in {at}"));
        }
        let mut names = called[..called.len().min(NAMED)].join(", ");
        if called.len() > NAMED {
            names.push_str(" ...");
        }
        Some(format!("in {names}, called from {at}"))
    }

    /// Where it stood and what led there, line by line, for the author: the [place](Self::place),
    /// then the calls around it. Nothing if no frame is the author's own.
    pub fn told(&self) -> Vec<String> {
        let (Some(own), Some(place)) = (self.own_index(), self.place()) else {
            return Vec::new();
        };
        let around = self.lines_from(own).into_iter().skip(1);
        std::iter::once(place).chain(around).collect()
    }

    /// The stack line by line, the innermost call first. Calls of the same function at the same
    /// line are told of once, with their number; what runs before the author's code is left out.
    pub fn lines(&self) -> Vec<String> {
        self.lines_from(0)
    }

    fn lines_from(&self, first: usize) -> Vec<String> {
        /// How many equal frames in a row are shown before they are counted.
        const SHOWN: u64 = 3;
        let last_own = self.frames.iter().rposition(|frame| frame.own);
        let end = last_own.map_or(self.frames.len(), |last| last + 1);
        let mut lines = Vec::new();
        let mut index = first;
        while index < end {
            let frame = &self.frames[index];
            let omitted = |at: usize| match self.omitted {
                Some(omitted) if omitted.before == at => omitted.count,
                _ => 0,
            };
            let mut count = 1;
            let mut next = index + 1;
            while next < end && self.frames[next].is_same_call(frame) {
                count += 1 + omitted(next);
                next += 1;
            }
            for _ in 0..count.min(SHOWN) {
                lines.push(frame.to_string());
            }
            if count > SHOWN {
                lines.push(format!(
                    "... {} more of {frame}",
                    amount::count(count - SHOWN)
                ));
            }
            // The recursion is of several functions, and no two frames in a row are the same.
            if next < end && omitted(next) > 0 {
                lines.push(format!("... {} more calls", amount::count(omitted(next))));
            }
            index = next;
        }
        if self.cut && last_own.is_none_or(|last| last + 1 == self.frames.len()) {
            lines.push("... and what called that".to_owned());
        }
        lines
    }
}

impl Frame {
    fn is_same_call(&self, other: &Frame) -> bool {
        let of = |frame: &Frame| (frame.function.clone(), frame.file.clone(), frame.line);
        self.function.is_some() && of(self) == of(other)
    }
}

/// "`solve` at a.cpp:12", or as much of it as is known.
impl std::fmt::Display for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.function {
            Some(function) => write!(f, "`{function}`")?,
            None => write!(f, "{:#x}", self.address)?,
        }
        match (&self.file, self.line, &self.module) {
            (Some(file), Some(line), _) => write!(f, " at {file}:{line}"),
            (Some(file), None, _) => write!(f, " in {file}"),
            (None, _, Some(module)) if !self.own => write!(f, " of {module}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "stack_tests.rs"]
mod tests;
