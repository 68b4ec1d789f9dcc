//! From bytes of a text to lines and columns. It knows no format.

use std::ops::Range;

use crate::diagnose::Place;
use crate::tree::Span;

/// Where the lines of a text begin.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Lines<'t> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Lines { text, starts: std::iter::once(0).chain(ends).collect() }
    }

    /// The place of a range of bytes.
    pub(crate) fn span(&self, range: Range<usize>) -> Span {
        let start = range.start.min(self.text.len());
        let line = self.starts.partition_point(|begin| *begin <= start);
        let begin = self.starts[line - 1];
        let column = self.text.get(begin..start).map_or(start - begin, |before| before.chars().count()) + 1;
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Span {
            start,
            end: range.end.min(self.text.len()).max(start),
            line: small(line),
            column: small(column),
        }
    }
}

impl Span {
    /// The place of a finding here.
    pub(crate) fn place(&self, path: &str) -> Place {
        Place { path: Some(path.to_owned()), line: Some(self.line), column: Some(self.column) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_columns_in_characters() {
        let text = "a\nbä c\n";
        let lines = Lines::of(text);
        let at = |byte: usize| {
            let span = lines.span(byte..byte + 1);
            (span.line, span.column)
        };
        assert_eq!((at(0), at(1), at(2), at(6), at(8)), ((1, 1), (1, 2), (2, 1), (2, 4), (3, 1)));
        assert_eq!(lines.span(100..200).start, text.len());
    }
}
