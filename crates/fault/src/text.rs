//! Text that a server says in its own voice. It is put together from literals, numbers, roots and
//! the caller's own arguments, so that project text cannot enter an error or a warning by accident.

use std::fmt::{self, Write as _};
use std::path::Path;

/// How many scalars of a caller's own argument an error repeats.
pub const ARGUMENT_ECHO_CHARS: usize = 200;

/// A message of ours. There is deliberately no way to append an arbitrary string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(String);

impl Text {
    /// Starts a message with a literal.
    pub fn new(literal: &'static str) -> Self {
        Text(literal.to_owned())
    }

    /// Appends a literal, or a name that is fixed at compile time.
    #[must_use]
    pub fn and(mut self, literal: &'static str) -> Self {
        self.0.push_str(literal);
        self
    }

    /// Appends a number in decimal digits.
    #[must_use]
    pub fn number(mut self, number: impl Into<i128>) -> Self {
        let _ = write!(self.0, "{}", number.into());
        self
    }

    /// Appends a count in decimal digits.
    #[must_use]
    pub fn count(self, count: usize) -> Self {
        self.number(count as u64)
    }

    /// Appends a code of ours.
    #[must_use]
    pub fn code(mut self, code: crate::Code) -> Self {
        self.0.push_str(code.as_str());
        self
    }

    /// Appends the address of a root, escaped to one line. Roots are addresses and are shown as they are.
    #[must_use]
    pub fn root(mut self, root: &Path) -> Self {
        one_line(&root.to_string_lossy(), &mut self.0);
        self
    }

    /// Appends another message of ours.
    #[must_use]
    pub fn text(mut self, other: &Text) -> Self {
        self.0.push_str(&other.0);
        self
    }

    /// Repeats the caller's own argument: escaped to one line and cut to [`ARGUMENT_ECHO_CHARS`] scalars.
    /// Only what the caller sent may go through here, never what a file holds.
    #[must_use]
    pub fn argument(mut self, argument: &str) -> Self {
        let cut = argument.char_indices().nth(ARGUMENT_ECHO_CHARS).map(|(at, _)| at);
        one_line(&argument[..cut.unwrap_or(argument.len())], &mut self.0);
        if cut.is_some() {
            self.0.push('…');
        }
        self
    }

    /// The message.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Appends `text` to `out` with every character that could break a line or steer a terminal written
/// as a visible escape: CR, LF and TAB as `\r`, `\n`, `\t`; other controls, U+2028, U+2029, bidirectional
/// controls, zero-width characters and tag characters as `\u` and four (or `\u{…}` and more) upper-case
/// hexadecimal digits. The form is that of tree names (spec `project.md` 5.4).
pub fn one_line(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\r' => out.push_str("\\r"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_unprintable(c) => {
                let number = u32::from(c);
                let _ = if number > 0xFFFF {
                    write!(out, "\\u{{{number:X}}}")
                } else {
                    write!(out, "\\u{number:04X}")
                };
            }
            c => out.push(c),
        }
    }
}

/// Whether [`one_line`] writes this character as a visible escape. Tree and pack documents in JSON and XML
/// ask it, because they write the same characters in the escapes of their own format.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
            | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{061C}' | '\u{E0000}'..='\u{E007F}')
}

/// Appends a JSON string with its quotes. Non-ASCII stays as it is, apart from the invisible characters of
/// [`is_unprintable`], which are written as `\u` escapes: the value is the same and a reader sees them.
pub fn push_json(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_unprintable(c) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_escaped_and_cut() {
        let text = Text::new("path '").argument("a\nb\u{1b}[2J\u{202e}\u{e0041}").and("'");
        assert_eq!(text.as_str(), "path 'a\\nb\\u001B[2J\\u202E\\u{E0041}'");
        let long = "é".repeat(ARGUMENT_ECHO_CHARS + 1);
        assert_eq!(Text::default().argument(&long).as_str().chars().count(), ARGUMENT_ECHO_CHARS + 1);
        let fits = "é".repeat(ARGUMENT_ECHO_CHARS);
        assert_eq!(Text::default().argument(&fits).as_str(), fits);
    }

    #[test]
    fn json_escapes_what_must_be_and_what_cannot_be_seen() {
        let mut out = String::new();
        push_json("é\"\\\n\r\t\u{1b}\u{7f}\u{202e}\u{e0041}", &mut out);
        assert_eq!(out, r#""é\"\\\n\r\t\u001b\u007f\u202e\udb40\udc41""#);
    }
}
