//! Finds every occurrence of many short literals in one pass that skips: the prefilter of all rules.
//! It does not know what an anchor stands for, only its bytes, its case and its owner's number.
//!
//! Every second position is looked at: the three bytes there are hashed into a bit table. A literal of
//! four bytes or more holds a registered trigram at an even position wherever it begins; of three-byte
//! literals the two last bytes are registered with every byte that can follow.

/// A literal to look for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    /// At least three ASCII bytes; lower case when `fold` is set.
    pub(crate) bytes: &'static [u8],
    /// Whether ASCII letters of either case count.
    pub(crate) fold: bool,
    /// What the finder reports: one literal may have several owners.
    pub(crate) owner: u16,
}

#[derive(Clone, Copy)]
struct Entry {
    anchor: u16,
    /// Where in the anchor the trigram stands.
    offset: u8,
}

/// The bit table has 2^17 bits: 16 KiB, which stays in the first-level cache.
const FILTER_BITS: u32 = 17;
/// Slots of the exact table; a power of two well above the number of trigrams.
const SLOT_BITS: u32 = 14;

/// The compiled literals.
pub(crate) struct Anchors {
    anchors: Vec<Anchor>,
    filter: Box<[u64; 1 << (FILTER_BITS - 6)]>,
    /// Hashed by trigram: the trigram + 1, and its range in `entries`; 0 is free.
    slots: Vec<(u32, u32, u32)>,
    entries: Vec<Entry>,
}

const fn hash(trigram: u32) -> u32 {
    trigram.wrapping_mul(0x9E37_79B1)
}

impl Anchors {
    /// Compiles the literals.
    ///
    /// # Panics
    /// When a literal has fewer than three bytes: the literals are our own data.
    pub(crate) fn new(anchors: Vec<Anchor>) -> Anchors {
        let mut pairs: Vec<(u32, Entry)> = Vec::new();
        for (index, anchor) in anchors.iter().enumerate() {
            let index = u16::try_from(index).expect("there are fewer than 65,536 anchors");
            let bytes = anchor.bytes;
            assert!(bytes.len() >= 3, "an anchor has at least three bytes");
            let mut put = |trigram: [u8; 3], offset: usize| {
                let entry = Entry { anchor: index, offset: u8::try_from(offset).unwrap_or(u8::MAX) };
                for spelled in spellings(trigram, anchor.fold) {
                    pairs.push((spelled, entry));
                }
            };
            if bytes.len() == 3 {
                put([bytes[0], bytes[1], bytes[2]], 0);
                for next in 0..=u8::MAX {
                    // An upper-case letter is a spelling of its lower-case one.
                    if !(anchor.fold && next.is_ascii_uppercase()) {
                        put([bytes[1], bytes[2], next], 1);
                    }
                }
            } else {
                let at = rarest_pair(bytes, anchor.fold);
                put([bytes[at], bytes[at + 1], bytes[at + 2]], at);
                put([bytes[at + 1], bytes[at + 2], bytes[at + 3]], at + 1);
            }
        }
        pairs.sort_by_key(|(trigram, entry)| (*trigram, entry.anchor, entry.offset));
        let mut filter = Box::new([0u64; 1 << (FILTER_BITS - 6)]);
        let mut slots = vec![(0u32, 0u32, 0u32); 1 << SLOT_BITS];
        let mut entries: Vec<Entry> = Vec::with_capacity(pairs.len());
        for group in pairs.chunk_by(|a, b| a.0 == b.0) {
            let trigram = group[0].0;
            let bit = hash(trigram) >> (32 - FILTER_BITS);
            filter[(bit >> 6) as usize] |= 1 << (bit & 63);
            let from = entries.len() as u32;
            entries.extend(group.iter().map(|pair| pair.1));
            let mut slot = (hash(trigram) >> (32 - SLOT_BITS)) as usize;
            while slots[slot].0 != 0 {
                slot = (slot + 1) & ((1 << SLOT_BITS) - 1);
            }
            slots[slot] = (trigram + 1, from, entries.len() as u32);
        }
        Anchors { anchors, filter, slots, entries }
    }

    #[inline(always)]
    fn passes(&self, trigram: u32) -> bool {
        let bit = hash(trigram) >> (32 - FILTER_BITS);
        self.filter[(bit >> 6) as usize] & (1 << (bit & 63)) != 0
    }

    /// Calls `found` with the anchor and its place for every occurrence, roughly from left to right:
    /// places of neighbours may be swapped by a few bytes. `false` ends the scan.
    pub(crate) fn scan(&self, text: &[u8], mut found: impl FnMut(&Anchor, usize) -> bool) {
        let mut at = 0;
        while let Some(window) = text.get(at..at + 8) {
            let word = u64::from_le_bytes(window.try_into().expect("a window has eight bytes"));
            let first = word as u32 & 0xFF_FFFF;
            let second = (word >> 16) as u32 & 0xFF_FFFF;
            let third = (word >> 32) as u32 & 0xFF_FFFF;
            let passed = [self.passes(first), self.passes(second), self.passes(third)];
            if passed[0] | passed[1] | passed[2] {
                for (i, trigram) in [first, second, third].into_iter().enumerate() {
                    if passed[i] && !self.verify(text, at + 2 * i, trigram, &mut found) {
                        return;
                    }
                }
            }
            at += 6;
        }
        while let Some(window) = text.get(at..at + 3) {
            let trigram = u32::from_le_bytes([window[0], window[1], window[2], 0]);
            if self.passes(trigram) && !self.verify(text, at, trigram, &mut found) {
                return;
            }
            at += 2;
        }
    }

    #[inline(never)]
    fn verify(
        &self,
        text: &[u8],
        at: usize,
        trigram: u32,
        found: &mut impl FnMut(&Anchor, usize) -> bool,
    ) -> bool {
        let mut slot = (hash(trigram) >> (32 - SLOT_BITS)) as usize;
        let (from, to) = loop {
            match self.slots[slot] {
                (0, ..) => return true,
                (key, from, to) if key == trigram + 1 => break (from as usize, to as usize),
                _ => slot = (slot + 1) & ((1 << SLOT_BITS) - 1),
            }
        };
        for entry in &self.entries[from..to] {
            let anchor = &self.anchors[usize::from(entry.anchor)];
            let Some(start) = at.checked_sub(usize::from(entry.offset)) else { continue };
            let Some(candidate) = text.get(start..start + anchor.bytes.len()) else { continue };
            let same = if anchor.fold {
                candidate.eq_ignore_ascii_case(anchor.bytes)
            } else {
                candidate == anchor.bytes
            };
            if same && !found(anchor, start) {
                return false;
            }
        }
        true
    }
}

/// Every spelling of a trigram as a number, once.
fn spellings(trigram: [u8; 3], fold: bool) -> Vec<u32> {
    let both = |byte: u8| {
        if fold && byte.is_ascii_lowercase() { vec![byte, byte.to_ascii_uppercase()] } else { vec![byte] }
    };
    let mut out = Vec::new();
    for a in both(trigram[0]) {
        for b in both(trigram[1]) {
            for c in both(trigram[2]) {
                out.push(u32::from_le_bytes([a, b, c, 0]));
            }
        }
    }
    out
}

/// Where in a literal the two neighbouring trigrams stand that source code holds least.
fn rarest_pair(bytes: &[u8], fold: bool) -> usize {
    let last = (bytes.len() - 4).min(200);
    (0..=last)
        .min_by_key(|&at| {
            let weigh = |a: u8, b: u8| commonness(a, fold) * commonness(b, fold);
            weigh(bytes[at], bytes[at + 1]) * commonness(bytes[at + 2], fold)
                + weigh(bytes[at + 1], bytes[at + 2]) * commonness(bytes[at + 3], fold)
        })
        .unwrap_or(0)
}

/// How often a byte stands in source code, roughly, in thousandths.
fn commonness(byte: u8, fold: bool) -> u64 {
    match byte {
        b'e' | b't' | b'r' | b' ' => 70,
        b'a' | b'i' | b'n' | b'o' | b's' => 55,
        b'c' | b'd' | b'l' | b'u' | b'p' | b'm' | b'f' => 30,
        b'_' | b'-' | b'/' | b':' | b'=' | b'.' => 15,
        b'g' | b'h' | b'b' | b'y' | b'v' | b'w' | b'x' | b'k' => 12,
        b'0'..=b'9' => 8,
        b'A'..=b'Z' if !fold => 5,
        b'q' | b'z' | b'j' => 2,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(anchors: &Anchors, text: &str) -> Vec<(u16, usize)> {
        let mut out = Vec::new();
        anchors.scan(text.as_bytes(), |anchor, at| {
            out.push((anchor.owner, at));
            true
        });
        out.sort_unstable();
        out
    }

    fn some() -> Anchors {
        let anchor = |text: &'static str, fold, owner| Anchor { bytes: text.as_bytes(), fold, owner };
        Anchors::new(vec![
            anchor("ghp_", false, 0),
            anchor("password", true, 1),
            anchor("key", true, 2),
            anchor("-----BEGIN", false, 3),
            anchor("ghp_x", false, 4),
        ])
    }

    #[test]
    fn every_occurrence_is_reported_once_wherever_it_begins() {
        let anchors = some();
        for lead in 0..17 {
            for tail in 1..17 {
                let pad = " ".repeat(lead);
                let text = format!("{pad}ghp_{}PassWord{0}", " ".repeat(tail));
                let at = lead + 4 + tail;
                assert_eq!(places(&anchors, &text), [(0, lead), (1, at)], "{text:?}");
                let text = format!("{pad}ghp_x-----BEGIN Key {}", " ".repeat(tail));
                assert_eq!(places(&anchors, &text), [(0, lead), (2, lead + 16), (3, lead + 5), (4, lead)]);
            }
        }
    }

    #[test]
    fn case_counts_where_it_should() {
        assert_eq!(places(&some(), "GHP_ PASSWORD KEYS -----begin"), [(1, 5), (2, 14)]);
    }

    #[test]
    fn a_scan_can_be_ended() {
        let mut count = 0;
        some().scan("ghp_ghp_ghp_".repeat(10).as_bytes(), |_, _| {
            count += 1;
            count < 3
        });
        assert_eq!(count, 3);
    }

    #[test]
    fn agrees_with_a_plain_search_on_generated_text() {
        let anchors = some();
        let mut dice = crate::sample::Dice::new(7);
        for _ in 0..300 {
            let mut text = String::new();
            for _ in 0..dice.below(40) {
                let piece = ["ghp_", "pass", "word", "key", "KEY", "-----BEGIN", "gh", "p_x", " ", "é"];
                text.push_str(piece[dice.below(piece.len())]);
            }
            let mut expected = Vec::new();
            for anchor in &anchors.anchors {
                for at in 0..text.len() {
                    let end = at + anchor.bytes.len();
                    // A three-byte anchor that ends the text has nothing behind it and is not reported.
                    let Some(piece) = text.as_bytes().get(at..end) else { continue };
                    let same =
                        piece == anchor.bytes || anchor.fold && piece.eq_ignore_ascii_case(anchor.bytes);
                    if same && (end < text.len() || anchor.bytes.len() > 3 || at % 2 == 0) {
                        expected.push((anchor.owner, at));
                    }
                }
            }
            expected.sort_unstable();
            assert_eq!(places(&anchors, &text), expected, "{text:?}");
        }
    }
}
