//! Recognises masked values in outgoing text by keyed hashes alone. It cannot give a value back.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// The shortest value, in bytes, that is looked for: shorter ones stand everywhere by chance.
pub const MIN_BYTES: usize = 12;
/// The modulus of the rolling hash: the Mersenne prime 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// The values that must not leave, as hashes.
#[derive(Clone)]
pub(crate) struct Tripwire {
    key: RandomState,
    /// The secret base of the rolling hash, and its power that drops a byte from the window.
    base: u64,
    drop: u64,
    /// By the rolling hash of their first [`MIN_BYTES`] bytes: lengths and keyed hashes of whole values.
    watched: HashMap<u64, Vec<(usize, u64)>>,
}

impl Default for Tripwire {
    fn default() -> Self {
        let key = RandomState::new();
        let base = key.hash_one("base") % (PRIME - 512) + 256;
        let drop = (1..MIN_BYTES).fold(1, |power, _| multiply(power, base));
        Tripwire { key, base, drop, watched: HashMap::new() }
    }
}

impl Tripwire {
    pub(crate) fn watch(&mut self, value: &str) {
        let Some(lead) = value.as_bytes().get(..MIN_BYTES) else { return };
        let rolling = lead.iter().fold(0, |hash, &byte| self.push(hash, byte));
        self.watched.entry(rolling).or_default().push((value.len(), self.key.hash_one(value.as_bytes())));
    }

    /// How many places of `text` hold a watched value, raw or with JSON escapes undone; the larger count.
    pub(crate) fn leaks(&self, text: &str) -> usize {
        if self.watched.is_empty() {
            return 0;
        }
        let raw = self.count(text.as_bytes());
        if memchr::memchr(b'\\', text.as_bytes()).is_none() {
            return raw;
        }
        raw.max(self.count(unescape(text).as_bytes()))
    }

    fn count(&self, bytes: &[u8]) -> usize {
        let mut hash = 0;
        let mut count = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if let Some(out) = at.checked_sub(MIN_BYTES) {
                hash = subtract(hash, multiply(self.drop, u64::from(bytes[out]) + 1));
            }
            hash = self.push(hash, byte);
            if at + 1 < MIN_BYTES {
                continue;
            }
            if let Some(values) = self.watched.get(&hash) {
                let start = at + 1 - MIN_BYTES;
                let same = |(length, whole): &(usize, u64)| {
                    bytes.get(start..start + length).is_some_and(|value| self.key.hash_one(value) == *whole)
                };
                count += usize::from(values.iter().any(same));
            }
        }
        count
    }

    fn push(&self, hash: u64, byte: u8) -> u64 {
        let sum = multiply(hash, self.base) + u64::from(byte) + 1;
        if sum >= PRIME { sum - PRIME } else { sum }
    }
}

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let sum = (product as u64 & PRIME) + (product >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn subtract(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

/// Undoes JSON string escapes wherever a backslash stands.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let digits: String = chars.clone().take(4).collect();
                match u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32) {
                    Some(c) if digits.len() == 4 => {
                        out.push(c);
                        chars.nth(3);
                    }
                    _ => out.push('u'),
                }
            }
            Some(c) => out.push(c),
            None => {}
        }
    }
    out
}
