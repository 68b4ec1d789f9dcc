//! Recognises masked values in outgoing text by keyed hashes alone, and masks them there. It cannot give a value back.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use crate::numbering::push_line_ends;

/// The shortest value, in bytes, that is looked for: shorter ones stand everywhere by chance.
const MIN_BYTES: usize = 12;
/// The modulus of the rolling hash: the Mersenne prime 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// What stands in the place of a value that another part of the same answer masked.
const PLACEHOLDER: &str = "REDACTED[seen-masked#1]";

/// The secrets that were masked in one output, as hashes, so that its bytes can be looked through before they leave:
/// a last line of defence behind detection.
#[derive(Clone)]
pub struct Tripwire {
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
    /// Watches a value, as it is and as JSON and XML write it.
    pub(crate) fn watch(&mut self, value: &str) {
        self.watch_form(value);
        if value.contains(['"', '\\', '\t', '\n', '\r']) {
            let json: String = value.chars().map(json_escaped).collect();
            self.watch_form(&json);
        }
        if value.contains(['&', '<', '>', '"', '\'']) {
            let xml = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            self.watch_form(&xml);
            self.watch_form(&xml.replace('"', "&quot;").replace('\'', "&apos;"));
        }
    }

    fn watch_form(&mut self, value: &str) {
        let Some(lead) = value.as_bytes().get(..MIN_BYTES) else { return };
        let rolling = lead.iter().fold(0, |hash, &byte| self.push(hash, byte));
        let entry = (value.len(), self.key.hash_one(value.as_bytes()));
        let known = self.watched.entry(rolling).or_default();
        if !known.contains(&entry) {
            known.push(entry);
        }
    }

    /// How many places of `text` hold a watched value.
    pub fn leaks(&self, text: &str) -> usize {
        self.places(text.as_bytes()).len()
    }

    /// The text with a placeholder for every watched value in it, and how many there were. Anything but 0 means that
    /// detection judged two places of one value differently.
    pub fn sealed(&self, text: String) -> (String, usize) {
        let places = self.places(text.as_bytes());
        if places.is_empty() {
            return (text, 0);
        }
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for place in &places {
            out.push_str(&text[at..place.start]);
            out.push_str(PLACEHOLDER);
            push_line_ends(&text[place.clone()], &mut out);
            at = place.end;
        }
        out.push_str(&text[at..]);
        (out, places.len())
    }

    /// Where watched values stand, in order and apart.
    fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = Vec::new();
        if self.watched.is_empty() {
            return places;
        }
        let mut hash = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if let Some(out) = at.checked_sub(MIN_BYTES) {
                hash = subtract(hash, multiply(self.drop, u64::from(bytes[out]) + 1));
            }
            hash = self.push(hash, byte);
            if at + 1 < MIN_BYTES {
                continue;
            }
            let start = at + 1 - MIN_BYTES;
            if places.last().is_some_and(|place| place.end > start) {
                continue;
            }
            let Some(values) = self.watched.get(&hash) else { continue };
            let same = |(length, whole): &&(usize, u64)| {
                bytes.get(start..start + length).is_some_and(|value| self.key.hash_one(value) == *whole)
            };
            if let Some((length, _)) = values.iter().filter(same).max_by_key(|(length, _)| *length) {
                places.push(start..start + length);
            }
        }
        places
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

/// A character as JSON writes it inside a string.
fn json_escaped(c: char) -> String {
    match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c => c.to_string(),
    }
}

impl std::fmt::Debug for Tripwire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tripwire").field("watched", &self.watched.len()).finish_non_exhaustive()
    }
}
