//! One replacement in a text, and what a text becomes when a list of them is carried out.
//!
//! Knows nothing of languages: it is what other crates carry from the whole text to the reduced one.

use std::borrow::Cow;
use std::ops::Range;

/// One replacement, in bytes of the text that it was made for. Both ends lie on character boundaries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; never empty.
    pub range: Range<usize>,
    /// What stands there instead; often nothing.
    pub with: Cow<'static, str>,
}

/// The text after `edits`, which are sorted and do not overlap, as [`reduce`](crate::reduce()) returns them.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut kept_to = 0;
    for edit in edits {
        out.push_str(&text[kept_to..edit.range.start]);
        out.push_str(&edit.with);
        kept_to = edit.range.end;
    }
    out.push_str(&text[kept_to..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_replace_their_ranges_and_nothing_else() {
        let edits = [Edit { range: 0..1, with: "".into() }, Edit { range: 3..5, with: "—".into() }];
        assert_eq!(apply("abcdefg", &edits), "bc—fg");
    }

    #[test]
    fn no_edits_leave_the_text_as_it_is() {
        assert_eq!(apply("a\r\nb", &[]), "a\r\nb");
    }
}
