//! Finds every occurrence of many short literals in one pass: the prefilter of all rules. It does not know what an anchor
//! stands for, only its bytes, its case and its owner's number.
//!
//! Of each literal the four neighbouring bytes that source code holds least are hashed, letters without case, into a table;
//! at every place of the text the four bytes there are looked up. Only where the table says so are literals compared.
//! Literals of three bytes are registered with every byte that can follow them. The hashes of a block are computed
//! together, in 16-bit lanes, so that the compiler can use vectors.

use crate::rarity;

/// A literal to look for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    /// At least three ASCII bytes; lower case when `fold` is set.
    pub(crate) bytes: &'static [u8],
    /// Whether ASCII letters of either case count.
    pub(crate) fold: bool,
    /// Whether it begins a token: of three bytes, it is found only where a character of tokens follows.
    pub(crate) token: bool,
    /// What the finder reports: one literal may have several owners.
    pub(crate) owner: u16,
}

#[derive(Clone, Copy)]
struct Entry {
    anchor: u16,
    /// Where in the anchor the four bytes stand.
    offset: u8,
}

/// How many places are hashed together.
const BLOCK: usize = 32;
/// Slots of the exact table; a power of two well above the number of grams.
const SLOT_BITS: u32 = 13;
/// Takes the case out of ASCII letters. Other bytes may fall together, which the comparison sorts out.
const FOLD: u8 = 0x20;
const FOLD_BOTH: u16 = 0x2020;
/// Multipliers of the two halves of a gram.
const LOW: u16 = 0x9E35;
const HIGH: u16 = 0x6A4D;

/// The compiled literals.
pub(crate) struct Anchors {
    anchors: Vec<Anchor>,
    /// By the hash of a gram: the [`class`]es of the first bytes of the registered grams with this hash.
    filter: Box<[u8; 1 << 16]>,
    /// By byte: its [`class`].
    classes: [u8; 256],
    /// Hashed by folded gram: the gram, and its range in `entries`; an empty range is free.
    slots: Vec<(u32, u16, u16)>,
    entries: Vec<Entry>,
}

/// The hash of the four bytes whose halves are `low` and `high`.
#[inline(always)]
const fn hash(low: u16, high: u16) -> u16 {
    low.wrapping_mul(LOW).wrapping_add(high.wrapping_mul(HIGH))
}

/// One of eight bits for a folded byte: it tells apart most grams that share a hash.
const fn class(byte: u8) -> u8 {
    1 << ((byte | FOLD).wrapping_mul(0x5B) >> 5)
}

impl Anchors {
    /// Compiles the literals.
    ///
    /// # Panics
    /// When a literal has fewer than three bytes, or there are thousands of them: the literals are our own data.
    pub(crate) fn new(anchors: Vec<Anchor>) -> Anchors {
        let mut pairs: Vec<(u32, Entry)> = Vec::new();
        for (index, anchor) in anchors.iter().enumerate() {
            let index = u16::try_from(index).expect("there are fewer than 65,536 anchors");
            let entry =
                |offset: usize| Entry { anchor: index, offset: u8::try_from(offset).unwrap_or(u8::MAX) };
            match *anchor.bytes {
                [a, b, c] => {
                    let follows = |next: &u8| {
                        !anchor.token || next.is_ascii_alphanumeric() || b"_-.~+/=".contains(next)
                    };
                    let nexts = (0..=u8::MAX).filter(follows);
                    pairs.extend(nexts.map(|next| (gram([a, b, c, next]), entry(0))));
                }
                [_, _, _, _, ..] => {
                    let at = rarest(anchor.bytes);
                    let four = [0, 1, 2, 3].map(|i| anchor.bytes[at + i]);
                    pairs.push((gram(four), entry(at)));
                }
                _ => panic!("an anchor has at least three bytes"),
            }
        }
        pairs.sort_by_key(|(gram, entry)| (*gram, entry.anchor));
        pairs.dedup_by_key(|(gram, entry)| (*gram, entry.anchor));
        let mut filter: Box<[u8; 1 << 16]> = Box::new([0; 1 << 16]);
        let mut slots = vec![(0u32, 0u16, 0u16); 1 << SLOT_BITS];
        let mut entries: Vec<Entry> = Vec::with_capacity(pairs.len());
        for group in pairs.chunk_by(|a, b| a.0 == b.0) {
            let gram = group[0].0;
            filter[usize::from(hash(gram as u16, (gram >> 16) as u16))] |= class(gram as u8);
            let place = |length: usize| u16::try_from(length).expect("there are fewer than 65,536 entries");
            let from = place(entries.len());
            entries.extend(group.iter().map(|pair| pair.1));
            let mut slot = first_slot(gram);
            while slots[slot].2 != 0 {
                slot = (slot + 1) & ((1 << SLOT_BITS) - 1);
            }
            slots[slot] = (gram, from, place(entries.len()));
        }
        assert!(entries.len() < (1 << SLOT_BITS) / 4 * 3, "the exact table keeps free slots");
        let mut classes = [0; 256];
        for (class_of, byte) in classes.iter_mut().zip(0..=u8::MAX) {
            *class_of = class(byte);
        }
        Anchors { anchors, filter, classes, slots, entries }
    }

    /// Calls `found` with the anchor and its place for every occurrence, roughly from left to right: places of neighbours
    /// may be swapped by the length of an anchor. `false` ends the scan.
    pub(crate) fn scan(&self, text: &[u8], mut found: impl FnMut(&Anchor, usize) -> bool) {
        let mut at = 0;
        while let Some(block) = text.get(at..).and_then(|rest| rest.first_chunk::<{ BLOCK + 4 }>()) {
            if !self.block(text, at, block, &mut found) {
                return;
            }
            at += BLOCK;
        }
        // The rest is shorter than a block: padded, it is one.
        while at + 4 <= text.len() {
            let rest = &text[at..text.len().min(at + BLOCK + 4)];
            let mut block = [0; BLOCK + 4];
            block[..rest.len()].copy_from_slice(rest);
            if !self.block(text, at, &block, &mut found) {
                return;
            }
            at += BLOCK;
        }
    }

    /// Verifies the places of a block where a registered gram may stand.
    #[inline(always)]
    fn block(
        &self,
        text: &[u8],
        at: usize,
        block: &[u8; BLOCK + 4],
        found: &mut impl FnMut(&Anchor, usize) -> bool,
    ) -> bool {
        let half = |at: usize| u16::from_le_bytes([block[at], block[at + 1]]) | FOLD_BOTH;
        let mut even = [0; BLOCK / 2];
        for (k, out) in even.iter_mut().enumerate() {
            *out = hash(half(2 * k), half(2 * k + 2));
        }
        let mut odd = [0; BLOCK / 2];
        for (k, out) in odd.iter_mut().enumerate() {
            *out = hash(half(2 * k + 1), half(2 * k + 3));
        }
        let look = |hashes: &[u16; BLOCK / 2], i: usize| {
            self.filter[usize::from(hashes[i / 2])] & self.classes[usize::from(block[i])]
        };
        for from in (0..BLOCK).step_by(8) {
            // The bytes are gathered in a register: written one by one and read together they would stall.
            let mut passed = 0u64;
            for k in 0..4 {
                let two = u64::from(look(&even, from + 2 * k)) | u64::from(look(&odd, from + 2 * k + 1)) << 8;
                passed |= two << (16 * k);
            }
            while passed != 0 {
                let i = passed.trailing_zeros() as usize / 8;
                if !self.verify(text, at + from + i, found) {
                    return false;
                }
                passed &= !(0xFF << (8 * i));
            }
        }
        true
    }

    #[inline(never)]
    fn verify(&self, text: &[u8], at: usize, found: &mut impl FnMut(&Anchor, usize) -> bool) -> bool {
        let Some(four) = text.get(at..).and_then(|rest| rest.first_chunk::<4>()) else { return true };
        let gram = gram(*four);
        let mut slot = first_slot(gram);
        let (from, to) = loop {
            match self.slots[slot] {
                (_, _, 0) => return true,
                (key, from, to) if key == gram => break (usize::from(from), usize::from(to)),
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

/// Four bytes without the case of their letters.
fn gram(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes.map(|byte| byte | FOLD))
}

/// Where a gram is looked for first in the exact table.
fn first_slot(gram: u32) -> usize {
    (gram.wrapping_mul(0x9E37_79B1) >> (32 - SLOT_BITS)) as usize
}

/// Where in a literal the four neighbouring bytes stand that source code holds least.
fn rarest(bytes: &[u8]) -> usize {
    let bits = |at: usize| rarity::four_bits([0, 1, 2, 3].map(|i| bytes[at + i]));
    (0..=(bytes.len() - 4).min(200)).max_by(|&a, &b| bits(a).total_cmp(&bits(b))).unwrap_or(0)
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
        let anchor =
            |text: &'static str, fold, owner| Anchor { bytes: text.as_bytes(), fold, token: false, owner };
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
                    if same && (end < text.len() || anchor.bytes.len() > 3) {
                        expected.push((anchor.owner, at));
                    }
                }
            }
            expected.sort_unstable();
            assert_eq!(places(&anchors, &text), expected, "{text:?}");
        }
    }
}
