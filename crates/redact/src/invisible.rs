//! Text without the characters that nobody sees, and the way back from its places to the original ones. Whether something
//! hidden that way is a secret is not decided here.

use std::ops::Range;

/// A text freed of invisible characters.
pub(crate) struct Stripped {
    pub(crate) text: String,
    /// Starts of copied pieces: in the stripped text and in the original.
    pieces: Vec<(usize, usize)>,
}

impl Stripped {
    /// The original range of a range of the stripped text; invisible characters inside it are part of it.
    pub(crate) fn original(&self, range: Range<usize>) -> Range<usize> {
        let at = |place: usize| {
            let piece = self.pieces.partition_point(|(start, _)| *start <= place).saturating_sub(1);
            let (start, original) = self.pieces[piece];
            original + (place - start)
        };
        if range.is_empty() {
            return at(range.start)..at(range.start);
        }
        at(range.start)..at(range.end - 1) + 1
    }
}

/// The text without invisible characters, or `None` when it holds none.
pub(crate) fn strip(text: &str) -> Option<Stripped> {
    if text.is_ascii() {
        return None;
    }
    let first = next_invisible(text, 0)?;
    let mut out = String::with_capacity(text.len());
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut next = Some(first);
    while let Some(hit) = next {
        if hit.start > at {
            pieces.push((out.len(), at));
            out.push_str(&text[at..hit.start]);
        }
        at = hit.end;
        next = next_invisible(text, at);
    }
    pieces.push((out.len(), at));
    out.push_str(&text[at..]);
    Some(Stripped { text: out, pieces })
}

/// The next invisible character at or behind `at`.
fn next_invisible(text: &str, mut at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    loop {
        while bytes.get(at..at + 16).is_some_and(<[u8]>::is_ascii) {
            at += 16;
        }
        // Most characters of any script begin with a byte that no invisible one begins with.
        let near = &bytes[at..bytes.len().min(at + 64)];
        let Some(step) = near.iter().position(|&b| LEADS[usize::from(b)]) else {
            at += near.len();
            if at >= bytes.len() {
                return None;
            }
            continue;
        };
        at += step;
        let c = text[at..].chars().next()?;
        let end = at + c.len_utf8();
        if is_invisible(c) {
            return Some(at..end);
        }
        at = end;
    }
}

/// The bytes that an invisible character may begin with.
const LEADS: [bool; 256] = {
    let mut leads = [false; 256];
    let mut i = 0;
    let bytes = [0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF3];
    while i < bytes.len() {
        leads[bytes[i]] = true;
        i += 1;
    }
    leads
};

/// Soft hyphen, zero-width and joining characters, bidirectional controls, fillers, variation selectors, tags.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_without_invisible_characters_are_left_alone() {
        for text in ["", "plain", "Grüße, 世界 🎉"] {
            assert!(strip(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn the_table_of_first_bytes_knows_every_invisible_character() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32).filter(|c| is_invisible(*c)) {
            let mut bytes = [0; 4];
            let first = c.encode_utf8(&mut bytes).as_bytes()[0];
            assert!(LEADS[usize::from(first)], "{:x}", u32::from(c));
        }
    }

    #[test]
    fn places_lead_back_to_the_original() {
        let text = "é\u{200B}a\u{202E}\u{E0041}bc\u{AD}d\u{2060}";
        let stripped = strip(text).unwrap();
        assert_eq!(stripped.text, "éabcd");
        let range = stripped.original(2..6);
        assert_eq!(&text[range], "a\u{202E}\u{E0041}bc\u{AD}d");
        assert_eq!(&text[stripped.original(0..2)], "é");
    }
}
