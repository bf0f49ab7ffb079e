//! Finds the class with a `main` method among compiled Java classes.
//!
//! A contestant's class may be called anything; its file says what it is called and whether it
//! can be started (The Java Virtual Machine Specification, chapter 4, "The class File Format").

use std::path::Path;

/// What a class file says of its `main` method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Main {
    /// `public static void main(String[])`, as every version of Java starts it.
    Classic,
    /// Another `main` that Java 25 and later start: not public, not static, or without arguments.
    Relaxed,
}

/// The name, as `java` takes it, of the class to start in a folder of compiled classes.
///
/// The class named like the source (`stem`) if it has a `main`, otherwise the first that has one,
/// in the order of the names.
pub(crate) fn main_class(folder: &Path, stem: &str) -> Option<String> {
    let mut found = Vec::new();
    collect(folder, 0, &mut found);
    found
        .into_iter()
        .map(|(name, main)| {
            let simple = name.rsplit('.').next().unwrap_or(&name);
            (main, simple != stem, name)
        })
        .min()
        .map(|(_, _, name)| name)
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<(String, Main)>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && depth < 16 {
            collect(&path, depth + 1, found);
        } else if path.extension().is_some_and(|suffix| suffix == "class")
            && let Ok(bytes) = std::fs::read(&path)
            && let Some((name, Some(main))) = parse(&bytes)
        {
            found.push((name, main));
        }
    }
}

/// The name of a class and its `main`; `None` for what is not a class file.
fn parse(bytes: &[u8]) -> Option<(String, Option<Main>)> {
    let mut reader = Reader { bytes };
    if reader.u32()? != 0xCAFE_BABE {
        return None;
    }
    reader.skip(4)?; // versions
    let constants = Constants::read(&mut reader)?;
    reader.skip(2)?; // access flags
    let name = constants.class_name(reader.u16()?)?.replace('/', ".");
    reader.skip(2)?; // the superclass
    let interfaces = reader.u16()?;
    reader.skip(2 * usize::from(interfaces))?;
    for _ in 0..reader.u16()? {
        reader.skip(6)?; // a field: flags, name, descriptor
        skip_attributes(&mut reader)?;
    }
    let mut main = None;
    for _ in 0..reader.u16()? {
        let flags = reader.u16()?;
        let method = constants.text(reader.u16()?)?;
        let descriptor = constants.text(reader.u16()?)?;
        skip_attributes(&mut reader)?;
        if method == "main" {
            main = main.into_iter().chain(rank(flags, descriptor)).min();
        }
    }
    Some((name, main))
}

fn rank(flags: u16, descriptor: &str) -> Option<Main> {
    const PUBLIC: u16 = 0x0001;
    const PRIVATE: u16 = 0x0002;
    const STATIC: u16 = 0x0008;
    match descriptor {
        "([Ljava/lang/String;)V" if flags & (PUBLIC | STATIC) == PUBLIC | STATIC => {
            Some(Main::Classic)
        }
        "([Ljava/lang/String;)V" | "()V" if flags & PRIVATE == 0 => Some(Main::Relaxed),
        _ => None,
    }
}

fn skip_attributes(reader: &mut Reader<'_>) -> Option<()> {
    for _ in 0..reader.u16()? {
        reader.skip(2)?; // the name
        let length = reader.u32()?;
        reader.skip(length as usize)?;
    }
    Some(())
}

/// The constants that matter here, by their index.
struct Constants<'a> {
    entries: Vec<Constant<'a>>,
}

enum Constant<'a> {
    Text(&'a str),
    Class(u16),
    Other,
}

impl<'a> Constants<'a> {
    fn read(reader: &mut Reader<'a>) -> Option<Self> {
        let count = usize::from(reader.u16()?);
        // Index 0 is not used.
        let mut entries = vec![Constant::Other];
        while entries.len() < count {
            let entry = match reader.u8()? {
                1 => {
                    let length = reader.u16()?;
                    let bytes = reader.take(usize::from(length))?;
                    // Modified UTF-8; a text that is not plain UTF-8 is none that is looked for.
                    std::str::from_utf8(bytes).map_or(Constant::Other, Constant::Text)
                }
                7 => Constant::Class(reader.u16()?),
                8 | 16 | 19 | 20 => reader.skip(2).map(|()| Constant::Other)?,
                15 => reader.skip(3).map(|()| Constant::Other)?,
                3 | 4 | 9..=12 | 17 | 18 => reader.skip(4).map(|()| Constant::Other)?,
                5 | 6 => {
                    // A long or a double takes two indices.
                    reader.skip(8)?;
                    entries.push(Constant::Other);
                    Constant::Other
                }
                _ => return None,
            };
            entries.push(entry);
        }
        Some(Constants { entries })
    }

    fn text(&self, index: u16) -> Option<&'a str> {
        match self.entries.get(usize::from(index))? {
            Constant::Text(text) => Some(text),
            _ => Some(""),
        }
    }

    fn class_name(&self, index: u16) -> Option<&'a str> {
        match self.entries.get(usize::from(index))? {
            Constant::Class(name) => self.text(*name),
            _ => None,
        }
    }
}

/// Big-endian reading that ends with `None` where the file does.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(|_| ())
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u16(&mut self) -> Option<u16> {
        self.take(2)
            .map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn u32(&mut self) -> Option<u32> {
        let high = self.u16()?;
        let low = self.u16()?;
        Some(u32::from(high) << 16 | u32::from(low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class file with one method, written by the rules of the specification.
    fn class(name: &str, method: &str, descriptor: &str, flags: u16) -> Vec<u8> {
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61];
        bytes.extend(7u16.to_be_bytes()); // indices 1 to 6
        bytes.extend([5, 0, 0, 0, 0, 0, 0, 0, 9]); // 1 and 2: a long
        for text in [name, method, descriptor] {
            bytes.push(1); // 3, 4, 5
            bytes.extend((text.len() as u16).to_be_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes.extend([7, 0, 3]); // 6: the class named by 3
        for word in [0x21, 6, 6, 0, 0, 1, flags, 4, 5, 0, 0] {
            // flags, this, super, no interfaces, no fields, one method without attributes, none
            bytes.extend(word.to_be_bytes());
        }
        bytes
    }

    const ARGUMENTS: &str = "([Ljava/lang/String;)V";

    #[test]
    fn a_main_method_is_recognized_by_name_descriptor_and_flags() {
        let main = |method, descriptor, flags| {
            let (name, main) = parse(&class("pkg/Foo", method, descriptor, flags)).unwrap();
            assert_eq!(name, "pkg.Foo");
            main
        };
        assert_eq!(main("main", ARGUMENTS, 9), Some(Main::Classic));
        assert_eq!(main("main", ARGUMENTS, 8), Some(Main::Relaxed));
        assert_eq!(main("main", "()V", 0), Some(Main::Relaxed));
        assert_eq!(main("main", ARGUMENTS, 10), None);
        assert_eq!(main("main", "(I)V", 9), None);
        assert_eq!(main("mine", ARGUMENTS, 9), None);
    }

    #[test]
    fn a_cut_file_is_no_class() {
        let whole = class("Foo", "main", ARGUMENTS, 9);
        // All but the last word, the number of attributes, is read.
        for length in 0..whole.len() - 2 {
            assert_eq!(parse(&whole[..length]), None, "{length} bytes");
        }
        assert_eq!(parse(b"not a class file"), None);
    }

    #[test]
    fn the_class_named_like_the_source_comes_first_then_the_names_decide() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: Vec<u8>| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        };
        put("Zoo.class", class("Zoo", "main", ARGUMENTS, 9));
        put("p/Mid.class", class("p/Mid", "main", ARGUMENTS, 9));
        put("Helper.class", class("Helper", "help", ARGUMENTS, 9));
        put("Aaa.class", class("Aaa", "main", "()V", 0));
        put("README.txt", Vec::new());
        let main = |stem| main_class(folder.path(), stem);
        assert_eq!(main("Zoo").as_deref(), Some("Zoo"));
        assert_eq!(main("Mid").as_deref(), Some("p.Mid"));
        assert_eq!(main("Helper").as_deref(), Some("Zoo"));
        assert_eq!(main("other").as_deref(), Some("Zoo"));
        assert_eq!(main_class(&folder.path().join("none"), "x"), None);
    }
}
