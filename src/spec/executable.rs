//! What a file is that somebody wants to execute, by its first bytes: an ELF program, a script
//! that names its interpreter, or neither. See `elf(5)` and `execve(2)`.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What a file begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An ELF program for this machine.
    Program,
    /// An ELF file that this machine cannot execute; the text says what it is.
    Foreign(String),
    /// A script with a `#!` line.
    Script(Shebang),
    /// Nothing at all.
    Empty,
    /// Something else; the text says what, if that is known.
    Other(Option<&'static str>),
}

/// The first line of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shebang {
    /// The interpreter's path.
    pub(crate) interpreter: OsString,
    /// The one argument that may follow; blanks in it are part of it.
    pub(crate) argument: Option<OsString>,
}

/// Looks at the beginning of a file.
pub(crate) fn inspect(path: &Path) -> std::io::Result<Kind> {
    let mut bytes = Vec::new();
    // The kernel reads 256 bytes to decide (`BINPRM_BUF_SIZE` in linux/binfmts.h).
    File::open(path)?.take(256).read_to_end(&mut bytes)?;
    Ok(classify(&bytes))
}

fn classify(bytes: &[u8]) -> Kind {
    if bytes.is_empty() {
        Kind::Empty
    } else if bytes.starts_with(b"\x7fELF") {
        match foreign(bytes) {
            Some(what) => Kind::Foreign(what),
            None => Kind::Program,
        }
    } else if let Some(rest) = bytes.strip_prefix(b"#!") {
        shebang(rest).map_or(Kind::Other(None), Kind::Script)
    } else {
        let known: [(&[u8], &str); 4] = [
            (b"MZ", "a Windows program"),
            (b"PK\x03\x04", "a ZIP or JAR file"),
            (b"\xca\xfe\xba\xbe", "a compiled Java class"),
            (b"!<arch>", "a static library"),
        ];
        let what = known.iter().find(|(magic, _)| bytes.starts_with(magic));
        Kind::Other(what.map(|(_, what)| *what))
    }
}

/// What an ELF file is, unless it is a 64-bit x86-64 program.
fn foreign(bytes: &[u8]) -> Option<String> {
    let Some(header) = bytes.get(..20) else {
        return Some("a cut ELF file".to_owned());
    };
    let half = |at: usize| match header[5] {
        2 => u16::from_be_bytes([header[at], header[at + 1]]),
        _ => u16::from_le_bytes([header[at], header[at + 1]]),
    };
    let (class, kind, machine) = (header[4], half(16), half(18));
    if (class, machine) == (1, 62) {
        return Some("an x32 program, whose system calls are not supported".to_owned());
    }
    if (class, machine) != (2, 62) {
        let bits = if class == 1 { 32 } else { 64 };
        let name = match machine {
            3 => "x86",
            8 => "MIPS",
            20 | 21 => "PowerPC",
            22 => "S/390",
            40 | 183 => "ARM",
            243 => "RISC-V",
            258 => "LoongArch",
            _ => return Some(format!("a program for ELF machine number {machine}")),
        };
        return Some(format!("a {bits}-bit {name} program"));
    }
    match kind {
        1 => Some("an object file that is not linked".to_owned()),
        4 => Some("a core dump".to_owned()),
        _ => None,
    }
}

/// Splits what follows `#!` as the kernel does: an interpreter and at most one argument.
fn shebang(rest: &[u8]) -> Option<Shebang> {
    let line = rest.split(|byte| *byte == b'\n').next()?;
    let blank = |byte: &u8| *byte == b' ' || *byte == b'\t';
    let start = line.iter().position(|byte| !blank(byte))?;
    let line = &line[start..];
    let end = line.iter().rposition(|byte| !blank(byte))? + 1;
    let line = &line[..end];
    let name_end = line.iter().position(blank).unwrap_or(line.len());
    let (name, argument) = line.split_at(name_end);
    let argument = argument.iter().position(|byte| !blank(byte));
    Some(Shebang {
        interpreter: os(name),
        argument: argument.map(|at| os(&line[name_end + at..])),
    })
}

fn os(bytes: &[u8]) -> OsString {
    std::ffi::OsStr::from_bytes(bytes).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elf(class: u8, order: u8, kind: u16, machine: u16) -> Kind {
        let mut bytes = vec![0; 64];
        bytes[..4].copy_from_slice(b"\x7fELF");
        bytes[4] = class;
        bytes[5] = order;
        let put = |number: u16| match order {
            2 => number.to_be_bytes(),
            _ => number.to_le_bytes(),
        };
        bytes[16..18].copy_from_slice(&put(kind));
        bytes[18..20].copy_from_slice(&put(machine));
        classify(&bytes)
    }

    fn script(line: &str) -> Kind {
        classify(line.as_bytes())
    }

    fn parts(interpreter: &str, argument: Option<&str>) -> Kind {
        Kind::Script(Shebang {
            interpreter: interpreter.into(),
            argument: argument.map(OsString::from),
        })
    }

    #[test]
    fn programs_of_this_machine_are_taken() {
        assert_eq!(elf(2, 1, 2, 62), Kind::Program);
        assert_eq!(elf(2, 1, 3, 62), Kind::Program);
    }

    #[test]
    fn other_elf_files_are_named() {
        for (class, order, kind, machine, what) in [
            (2, 1, 2, 183, "a 64-bit ARM program"),
            (1, 1, 2, 3, "a 32-bit x86 program"),
            (1, 2, 2, 8, "a 32-bit MIPS program"),
            (2, 2, 2, 22, "a 64-bit S/390 program"),
            (
                1,
                1,
                2,
                62,
                "an x32 program, whose system calls are not supported",
            ),
            (2, 1, 1, 62, "an object file that is not linked"),
            (2, 1, 4, 62, "a core dump"),
            (2, 1, 2, 999, "a program for ELF machine number 999"),
        ] {
            assert_eq!(elf(class, order, kind, machine), Kind::Foreign(what.into()));
        }
        let cut = Kind::Foreign("a cut ELF file".into());
        assert_eq!(classify(b"\x7fELF\x02\x01"), cut);
    }

    #[test]
    fn a_script_names_its_interpreter() {
        assert_eq!(script("#!/bin/sh\necho"), parts("/bin/sh", None));
        assert_eq!(script("#!/bin/sh"), parts("/bin/sh", None));
        assert_eq!(
            script("#! \t/usr/bin/env  python3 -u \t\n"),
            parts("/usr/bin/env", Some("python3 -u"))
        );
        assert_eq!(script("#!/bin/sh\r\n"), parts("/bin/sh\r", None));
        assert_eq!(script("#!\n/bin/sh"), Kind::Other(None));
        assert_eq!(script("#!   \n"), Kind::Other(None));
    }

    #[test]
    fn the_rest_is_named_where_it_is_known() {
        assert_eq!(classify(b""), Kind::Empty);
        assert_eq!(classify(b"print(1)"), Kind::Other(None));
        assert_eq!(classify(b"MZ\x90"), Kind::Other(Some("a Windows program")));
    }
}
