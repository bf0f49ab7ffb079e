//! From addresses to functions by a file's tables of symbols, where there is no debug information.

use super::binary::{Allowance, Binary};
use super::memory::{u16_in, u32_in, u64_in};

const SYMBOL: usize = 24;
const STT_FUNC: u8 = 2;
const STT_GNU_IFUNC: u8 = 10;
const STT_NOTYPE: u8 = 0;
/// How long a name may be.
const NAME: usize = 16 << 10;

/// The name of the function at each of the addresses, which the file counts.
pub(crate) fn functions(
    binary: &Binary,
    addresses: &[u64],
    allowance: &Allowance,
) -> Vec<Option<String>> {
    let mut found = vec![None; addresses.len()];
    for table in [".symtab", ".dynsym"] {
        if found.iter().all(Option::is_some) {
            break;
        }
        if let Some((symbols, names)) = binary.symbols(table, allowance) {
            let missing = search(&symbols, &names, addresses);
            for (found, new) in found.iter_mut().zip(missing) {
                *found = found.take().or(new);
            }
        }
    }
    found
}

fn search(symbols: &[u8], names: &[u8], addresses: &[u64]) -> Vec<Option<String>> {
    /// The nearest symbol below an address: where, how good, and its name.
    type Best = Option<(u64, bool, u32)>;
    let mut best: Vec<Best> = vec![None; addresses.len()];
    for symbol in symbols.chunks_exact(SYMBOL) {
        let fields = (
            u32_in(symbol, 0),
            u16_in(symbol, 6),
            u64_in(symbol, 8),
            u64_in(symbol, 16),
        );
        let (Some(name), Some(section), Some(value), Some(size)) = fields else {
            continue;
        };
        let kind = symbol[4] & 0xf;
        let is_function = kind == STT_FUNC || kind == STT_GNU_IFUNC;
        // Labels in assembly have neither kind nor size.
        if section == 0 || value == 0 || !(is_function || kind == STT_NOTYPE) {
            continue;
        }
        let end = value.saturating_add(if size == 0 { 4096 } else { size });
        for (address, best) in addresses.iter().zip(&mut best) {
            let candidate = (value, is_function && size > 0, name);
            let better = match best {
                Some((old, sure, _)) => (candidate.1, value) > (*sure, *old),
                None => true,
            };
            if (value..end).contains(address) && better {
                *best = Some(candidate);
            }
        }
    }
    let text = |(_, _, name): (u64, bool, u32)| {
        let name = names
            .get(name as usize..)?
            .split(|byte| *byte == 0)
            .next()?;
        let is_name = !name.is_empty() && name.len() <= NAME;
        is_name.then(|| String::from_utf8_lossy(name).into_owned())
    };
    best.into_iter().map(|best| best.and_then(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: u32, kind: u8, value: u64, size: u64) -> Vec<u8> {
        let mut bytes = name.to_le_bytes().to_vec();
        bytes.extend([kind, 0, 1, 0]);
        bytes.extend(value.to_le_bytes());
        bytes.extend(size.to_le_bytes());
        bytes
    }

    #[test]
    fn the_function_around_an_address() {
        let names = b"\0main\0solve\0label\0";
        let table = [
            symbol(1, STT_FUNC, 0x1000, 0x100),
            symbol(6, STT_FUNC, 0x1100, 0x10),
            symbol(12, STT_NOTYPE, 0x1104, 0),
            symbol(999, STT_FUNC, 0x9000, 8),
        ];
        let found = search(
            &table.concat(),
            names,
            &[0x1000, 0x10ff, 0x1104, 0x1110, 0x9000, 1],
        );
        let found: Vec<_> = found.iter().map(Option::as_deref).collect();
        let expected = [
            Some("main"),
            Some("main"),
            Some("solve"),
            Some("label"),
            None,
            None,
        ];
        assert_eq!(found, expected);
    }
}
