//! The one line model of every tool: LF and CRLF end a line, nothing else does. It knows no limits.

use std::ops::Range;

/// The lines of a text, without their line ends. See [`lines`].
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    at: Option<usize>,
}

/// The ranges of the lines of `text` without their line ends.
///
/// A text has one line more than it has line ends, so a final line end opens an empty last line; an empty text has
/// none. A lone carriage return, a form feed and the Unicode separators end nothing (spec `project.md`,
/// decision 18 and 5.8).
pub fn lines(text: &str) -> Lines<'_> {
    Lines { text, at: (!text.is_empty()).then_some(0) }
}

/// How many lines [`lines`] yields.
pub fn count_lines(text: &str) -> usize {
    if text.is_empty() { 0 } else { memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1 }
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.at?;
        let bytes = self.text.as_bytes();
        match memchr::memchr(b'\n', &bytes[start..]) {
            Some(ahead) => {
                let feed = start + ahead;
                self.at = Some(feed + 1);
                let has_return = feed > start && bytes[feed - 1] == b'\r';
                Some(start..if has_return { feed - 1 } else { feed })
            }
            None => {
                self.at = None;
                Some(start..bytes.len())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = lines(text).map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text:?}");
        assert_eq!(count_lines(text), expected.len(), "{text:?}");
    }

    #[test]
    fn lf_and_crlf_end_a_line_and_nothing_else_does() {
        check("", &[]);
        check("a", &["a"]);
        check("a\n", &["a", ""]);
        check("\n", &["", ""]);
        check("a\r\nb\n\r\n", &["a", "b", "", ""]);
        check("a\rb\u{2028}c\u{0085}d\u{000C}e", &["a\rb\u{2028}c\u{0085}d\u{000C}e"]);
        check("a\r\r\nb\r", &["a\r", "b\r"]);
    }
}
