//! Names of functions as their authors wrote them, and whose they are.

use std::fmt::{self, Write};

use cpp_demangle::{BorrowedSymbol, DemangleOptions, ParseOptions};

/// How long a name may be that is shown.
const LONGEST: usize = 120;
/// How long a name may become before it is shortened. A short mangled name can stand for one that
/// fills all memory.
const EXPANDED: usize = 4096;

/// Text up to a length; what would make it longer fails.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > EXPANDED {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// A function's name for a person, from the one that the linker knows: without its parameters, and
/// without what is in angle brackets where it would be too long.
pub(crate) fn readable(linkage: &str) -> String {
    let name = rust(linkage).or_else(|| cpp(linkage));
    let name = name.unwrap_or_else(|| without_clones(linkage).to_owned());
    let name: String = name
        .chars()
        .filter(|c| !c.is_control())
        .take(EXPANDED)
        .collect();
    match name.chars().count() <= LONGEST {
        true => name,
        false => shortened(&without_brackets(&name)),
    }
}

fn rust(linkage: &str) -> Option<String> {
    let symbol = rustc_demangle::try_demangle(linkage).ok()?;
    let mut name = Bounded(String::new());
    // The alternate form leaves out the hash.
    write!(name, "{symbol:#}").ok()?;
    Some(without_clones(&name.0).to_owned())
}

fn cpp(linkage: &str) -> Option<String> {
    let mangled = without_clones(linkage);
    if !mangled.starts_with("_Z") {
        return None;
    }
    let limits = ParseOptions::default().recursion_limit(96);
    let (symbol, _) = BorrowedSymbol::with_tail_and_options(mangled.as_bytes(), &limits).ok()?;
    let options = DemangleOptions::new()
        .no_params()
        .no_return_type()
        .recursion_limit(128);
    let mut name = Bounded(String::new());
    symbol.structured_demangle(&mut name, &options).ok()?;
    Some(name.0)
}

/// What compilers append to the copies of a function that they make: `solve.part.0`, `.llvm.77`.
fn without_clones(name: &str) -> &str {
    match name.find('.') {
        Some(at) if at > 0 => &name[..at],
        _ => name,
    }
}

/// A name in which `<...>` stands for what was in brackets.
fn without_brackets(name: &str) -> String {
    let mut short = String::new();
    let mut depth = 0u32;
    for c in name.chars() {
        match c {
            '<' => {
                if depth == 0 {
                    short.push_str("<...>");
                }
                depth += 1;
            }
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => short.push(c),
            _ => {}
        }
    }
    short
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &name[..at]),
        None => name.to_owned(),
    }
}

/// True if a source file belongs to a compiler or an installed library.
pub(crate) fn is_librarys_file(path: &str) -> bool {
    const FOLDERS: [&str; 6] = [
        "/usr/include/",
        "/usr/lib/",
        "/usr/local/include/",
        "/usr/local/lib/",
        "/rustc/",
        "/nix/store/",
    ];
    let within = [
        "/rustlib/src/",
        "/.cargo/registry/",
        "/sysdeps/",
        "/library/std/",
    ];
    FOLDERS.iter().any(|folder| path.starts_with(folder))
        || within.iter().any(|part| path.contains(part))
}

/// True if a function is one that a language's library or the C library has in every program. Only
/// good where nothing better is known than the name.
pub(crate) fn is_librarys_function(name: &str) -> bool {
    const NAMESPACES: [&str; 6] = ["std::", "__gnu_cxx::", "core::", "alloc::", "runtime.", "<"];
    const CALLS: [&str; 13] = [
        "start_thread",
        "abort",
        "raise",
        "gsignal",
        "malloc",
        "free",
        "calloc",
        "realloc",
        "exit",
        "read",
        "write",
        "clone",
        "clone3",
    ];
    name.starts_with('_')
        || name.starts_with("operator ")
        || NAMESPACES.iter().any(|space| name.starts_with(space))
        || CALLS.contains(&name)
}

/// The file's name without its folders.
pub(crate) fn short(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_their_authors_wrote() {
        for (linkage, name) in [
            ("solve", "solve"),
            ("solve.part.0", "solve"),
            ("solve.constprop.0.isra.0", "solve"),
            ("_Z5solvei", "solve"),
            ("_Z5solvei.part.0", "solve"),
            ("_ZN5Graph3dfsEii", "Graph::dfs"),
            (
                "_ZNSt6vectorIiSaIiEE2atEm",
                "std::vector<int, std::allocator<int> >::at",
            ),
            ("_Z3maxIiET_S0_S0_", "max<int>"),
            ("_ZN8solution5solve17h0123456789abcdefE", "solution::solve"),
            ("_RNvCsaZ_8solution5solve", "solution::solve"),
            ("_start", "_start"),
            ("main.main", "main"),
            ("_Znonsense", "_Znonsense"),
            ("", ""),
        ] {
            assert_eq!(readable(linkage), name, "{linkage}");
        }
    }

    #[test]
    fn long_names_lose_what_is_in_brackets() {
        // std::map<int, std::map<int, std::map<...>>>::at
        let mut inner = "i".to_owned();
        for _ in 0..12 {
            inner = format!("St3mapIi{inner}E");
        }
        assert_eq!(readable(&format!("_ZN{inner}2atEi")), "std::map<...>::at");
        let long = readable(&"a".repeat(5000));
        assert_eq!(long.len(), LONGEST + 3);
    }

    #[test]
    fn names_that_expand_without_end_are_left_as_they_are() {
        // Each level doubles what the one before stands for.
        let mut bomb = "_Z1fI1aE".to_owned() + "v";
        for level in 0..36u32 {
            let digit = char::from_digit(level, 36).unwrap().to_ascii_uppercase();
            bomb += &format!("1xIS{digit}_S{digit}_E");
        }
        assert!(readable(&bomb).len() <= LONGEST + 3);
        let deep = format!("_Z1f{}i", "P".repeat(100_000));
        assert!(readable(&deep).len() <= LONGEST + 3);
        let deep = format!("_ZN{}E", "1aI".repeat(100_000));
        assert!(readable(&deep).len() <= LONGEST + 3);
        let rust = format!("_RNvC1a{}", "I".repeat(100_000));
        assert!(readable(&rust).len() <= LONGEST + 3);
    }

    #[test]
    fn whose_a_function_is() {
        assert!(is_librarys_file("/usr/include/c++/12/bits/stl_vector.h"));
        assert!(is_librarys_file(
            "/rustc/59807616e/library/core/src/panicking.rs"
        ));
        assert!(!is_librarys_file("/home/ann/usr/lib/solve.cpp"));
        assert!(is_librarys_function("__libc_start_main"));
        assert!(is_librarys_function("std::terminate"));
        assert!(!is_librarys_function("standard"));
        assert_eq!(short("/home/ann/solve.cpp"), "solve.cpp");
    }
}
