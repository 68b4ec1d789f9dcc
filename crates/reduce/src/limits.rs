//! How much work one file may cost before it is left complete.
//!
//! The numbers are per file. Reaching one is never an error: the file stays as it is.

use std::time::Duration;

/// Longest text that is parsed, in Unicode scalars: 2 Mi.
pub(crate) const TEXT_CHARS: usize = 2 * 1024 * 1024;
/// Most comments, docstrings and bodies that are taken out of one file.
pub(crate) const CAPTURES: usize = 20_000;
/// Most replacements in one file.
pub(crate) const EDITS: usize = 10_000;
/// Most declarations in one file.
pub(crate) const DECLARATIONS: usize = 25_000;
/// Most nodes in one syntax tree.
pub(crate) const NODES: usize = 500_000;

/// Wall-clock time for both parses of one file.
pub(crate) const TIME: Duration = Duration::from_millis(750);
/// The same once the parser has met an error: hardly anything of the file would be reduced.
pub(crate) const TIME_WITH_ERROR: Duration = Duration::from_millis(350);

/// How many bytes the parser is handed at once, so that scanning to the end of a text is noticed.
pub(crate) const READ_BYTES: usize = 32 * 1024;

/// How often one parse may ask whether to go on, which it does every hundred of its steps. Dense code needs four steps a
/// node and 0.02 asks a byte; ambiguous code twice as many.
pub(crate) const fn asks(text_bytes: usize) -> usize {
    let asks = 200 + text_bytes / 16;
    if asks < 40_000 { asks } else { 40_000 }
}

/// How many pieces of [`READ_BYTES`] one parse may read. Real code needs three times its length, a short file some more.
pub(crate) const fn reads(text_bytes: usize) -> usize {
    256 + 16 * (text_bytes / READ_BYTES)
}

/// Deepest nesting of brackets, and of angles opened right behind a name, in a text that is parsed. A parser's memory
/// grows with it faster than its clock is asked, so it is known before.
pub(crate) const NESTING: usize = 1_000;

/// Whether brackets, or angles as of type arguments, nest deeper than [`NESTING`] when every one is counted, those in
/// strings and comments too. A statement's end closes all angles: most of them are comparisons.
pub(crate) fn is_too_deep(text: &str) -> bool {
    let (mut brackets, mut angles) = (0usize, 0usize);
    let mut before = b' ';
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => brackets += 1,
            b')' | b']' | b'}' => brackets = brackets.saturating_sub(1),
            b'<' if before.is_ascii_alphanumeric() || before == b'<' => angles += 1,
            b'>' => angles = angles.saturating_sub(1),
            b';' => angles = 0,
            _ => {}
        }
        if brackets > NESTING || angles > NESTING {
            return true;
        }
        before = byte;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_is_too_deep_one_above_its_limit() {
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("a<", ">")] {
            let nested = |depth: usize| format!("{}{}", open.repeat(depth), close.repeat(depth));
            assert!(!is_too_deep(&nested(NESTING - 1)) && !is_too_deep(&nested(NESTING)), "{open}");
            assert!(is_too_deep(&nested(NESTING + 1)), "{open}");
        }
        assert!(!is_too_deep(&"for (i=0;i<n;i++) a < b; ".repeat(5_000)));
        assert!(!is_too_deep(&"<p>text<b>bold</b></p>\n".repeat(5_000)));
    }
}
