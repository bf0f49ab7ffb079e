//! Dynamic symbols of a module, looked up in its own memory through its hash table, as a dynamic
//! linker does it (elf(5); `DT_GNU_HASH` is the common table, `DT_HASH` the old one).

use std::ops::Range;

use super::memory::{Memory, u16_in, u32_in, u64_in};

/// How many entries of a dynamic section are looked at.
const DYNAMIC_ENTRIES: usize = 128;
/// How many symbols of one hash chain are compared.
const CHAIN: u32 = 512;
const SYMBOL_SIZE: u64 = 24;

/// Where the tables of a module lie.
#[derive(Debug)]
pub(super) struct DynamicSymbols {
    symbols: u64,
    names: u64,
    names_size: u64,
    hash: Hash,
}

/// A table that leads from names to symbols.
#[derive(Debug)]
enum Hash {
    Gnu {
        buckets: u64,
        count: u32,
        chains: u64,
        /// The first symbol that is in the table.
        first: u32,
        filter: u64,
        filter_words: u32,
        filter_shift: u32,
    },
    SystemV {
        buckets: u64,
        count: u32,
        chains: u64,
        symbols: u32,
    },
}

impl DynamicSymbols {
    /// Reads where they lie, from the dynamic section at `dynamic`.
    pub(super) fn read(
        memory: &Memory,
        dynamic: u64,
        bias: u64,
        module: &Range<u64>,
    ) -> Option<Self> {
        let section = memory.prefix(dynamic, DYNAMIC_ENTRIES * 16);
        let (mut symbols, mut names, mut names_size) = (None, None, None);
        let (mut gnu, mut system_v) = (None, None);
        for entry in section.chunks_exact(16) {
            let value = u64_in(entry, 8)?;
            match u64_in(entry, 0)? {
                0 => break,
                4 => system_v = Some(value),
                5 => names = Some(value),
                6 => symbols = Some(value),
                10 => names_size = Some(value),
                0x6fff_fef5 => gnu = Some(value),
                _ => {}
            }
        }
        // Some dynamic linkers write absolute addresses into the section, others leave it alone.
        let absolute = |address: u64| match module.contains(&address) {
            true => address,
            false => bias.wrapping_add(address),
        };
        let hash = match (gnu, system_v) {
            (Some(gnu), _) => Hash::gnu(memory, absolute(gnu))?,
            (None, Some(system_v)) => Hash::system_v(memory, absolute(system_v))?,
            (None, None) => return None,
        };
        Some(DynamicSymbols {
            symbols: absolute(symbols?),
            names: absolute(names?),
            names_size: names_size?,
            hash,
        })
    }

    /// The value of a symbol that is defined here; `gnu_hash` is that of its name.
    pub(super) fn find(&self, memory: &Memory, name: &str, gnu_hash: u32) -> Option<u64> {
        match self.hash {
            Hash::Gnu {
                buckets,
                count,
                chains,
                first,
                filter,
                filter_words,
                filter_shift,
            } => {
                let word = u64::from(gnu_hash / 64 % filter_words);
                let word = memory.u64(filter.checked_add(8 * word)?)?;
                let other = gnu_hash.checked_shr(filter_shift).unwrap_or(0);
                if word >> (gnu_hash % 64) & word >> (other % 64) & 1 == 0 {
                    return None;
                }
                let bucket = u64::from(gnu_hash % count);
                let start = memory.u32(buckets.checked_add(4 * bucket)?)?;
                let start = start.checked_sub(first).filter(|_| start != 0)?;
                for step in 0..CHAIN {
                    let place = start.checked_add(step)?;
                    let found = memory.u32(chains.checked_add(4 * u64::from(place))?)?;
                    if found | 1 == gnu_hash | 1
                        && let Some(value) = self.value(memory, first.checked_add(place)?, name)
                    {
                        return Some(value);
                    }
                    if found & 1 == 1 {
                        break;
                    }
                }
                None
            }
            Hash::SystemV {
                buckets,
                count,
                chains,
                symbols,
            } => {
                let bucket = u64::from(system_v_hash(name) % count);
                let mut index = memory.u32(buckets.checked_add(4 * bucket)?)?;
                for _ in 0..CHAIN {
                    if index == 0 || index >= symbols {
                        break;
                    }
                    if let Some(value) = self.value(memory, index, name) {
                        return Some(value);
                    }
                    index = memory.u32(chains.checked_add(4 * u64::from(index))?)?;
                }
                None
            }
        }
    }

    /// The value of a symbol, if this is its name and it is defined.
    fn value(&self, memory: &Memory, index: u32, name: &str) -> Option<u64> {
        let at = self.symbols.checked_add(SYMBOL_SIZE * u64::from(index))?;
        let symbol: [u8; SYMBOL_SIZE as usize] = memory.array(at)?;
        let (section, value) = (u16_in(&symbol, 6)?, u64_in(&symbol, 8)?);
        let name_at = u64::from(u32_in(&symbol, 0)?);
        if section == 0 || value == 0 || name_at >= self.names_size {
            return None;
        }
        let length = name.len() as u64;
        let found = memory.bytes(self.names.checked_add(name_at)?, length + 1)?;
        (found.strip_suffix(b"\0") == Some(name.as_bytes())).then_some(value)
    }
}

impl Hash {
    fn gnu(memory: &Memory, at: u64) -> Option<Hash> {
        let header: [u8; 16] = memory.array(at)?;
        let [count, first, filter_words, filter_shift] =
            [0, 4, 8, 12].map(|at| u32_in(&header, at));
        let (count, filter_words) = (count?, filter_words?);
        let filter = at.checked_add(16)?;
        let buckets = filter.checked_add(8 * u64::from(filter_words))?;
        let chains = buckets.checked_add(4 * u64::from(count))?;
        (count > 0 && filter_words > 0).then_some(Hash::Gnu {
            buckets,
            count,
            chains,
            first: first?,
            filter,
            filter_words,
            filter_shift: filter_shift?,
        })
    }

    fn system_v(memory: &Memory, at: u64) -> Option<Hash> {
        let (count, symbols) = (memory.u32(at)?, memory.u32(at.checked_add(4)?)?);
        let buckets = at.checked_add(8)?;
        let chains = buckets.checked_add(4 * u64::from(count))?;
        (count > 0).then_some(Hash::SystemV {
            buckets,
            count,
            chains,
            symbols,
        })
    }
}

/// The hash of the GNU table.
pub(super) fn gnu_hash(name: &str) -> u32 {
    name.bytes().fold(5381, |hash: u32, byte| {
        hash.wrapping_mul(33).wrapping_add(u32::from(byte))
    })
}

/// The hash of the old table.
fn system_v_hash(name: &str) -> u32 {
    name.bytes().fold(0, |hash: u32, byte| {
        let hash = (hash << 4).wrapping_add(u32::from(byte));
        let high = hash & 0xf000_0000;
        (hash ^ high >> 24) & !high
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_specifications() {
        assert_eq!(gnu_hash("printf"), 0x156b_2bb8);
        assert_eq!(system_v_hash("printf"), 0x0779_05a6);
    }
}
