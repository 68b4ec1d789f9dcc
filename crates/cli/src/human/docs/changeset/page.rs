//! Lines for people: text of documents that steers no terminal, values as they stand in a file, colour where a terminal
//! shows it and nobody asked for none. It knows no changeset.

use std::io::{self, IsTerminal as _};

use docs::lines::Hunk;
use fault::one_line;
use serde_json::Value;

use super::super::project::shown;
use crate::wire::is_colour_unwanted;

/// How a line is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// As any other.
    Plain,
    /// It comes.
    Added,
    /// It goes.
    Removed,
    /// A place in a text.
    Place,
    /// What a part is about.
    Head,
}

impl Look {
    const fn code(self) -> &'static str {
        match self {
            Look::Plain => "",
            Look::Added => "32",
            Look::Removed => "31",
            Look::Place => "36",
            Look::Head => "1",
        }
    }
}

/// Lines that are put together before they are printed.
#[derive(Debug)]
pub(super) struct Page {
    text: String,
    is_coloured: bool,
}

impl Page {
    /// An empty page for standard output.
    pub(super) fn new() -> Page {
        Page { text: String::new(), is_coloured: io::stdout().is_terminal() && !is_colour_unwanted() }
    }

    /// A page without colour.
    #[cfg(test)]
    pub(super) fn plain() -> Page {
        Page { text: String::new(), is_coloured: false }
    }

    /// Adds one line. Whatever the text holds, it stays one line.
    pub(super) fn line(&mut self, look: Look, text: &str) {
        let is_coloured = self.is_coloured && look != Look::Plain;
        if is_coloured {
            self.text.push_str(&format!("\u{1B}[{}m", look.code()));
        }
        for (at, piece) in text.split('\t').enumerate() {
            if at > 0 {
                self.text.push('\t');
            }
            one_line(piece, &mut self.text);
        }
        if is_coloured {
            self.text.push_str("\u{1B}[0m");
        }
        self.text.push('\n');
    }

    /// Adds a plain line.
    pub(super) fn plain_line(&mut self, text: &str) {
        self.line(Look::Plain, text);
    }

    /// Adds lines of a text that differ, with their places.
    pub(super) fn hunks(&mut self, indent: &str, hunks: &[Hunk]) {
        for hunk in hunks {
            let range = |start: usize, count: usize| {
                if count == 1 { start.to_string() } else { format!("{start},{count}") }
            };
            let (old, new) = (range(hunk.old_start, hunk.old_lines), range(hunk.new_start, hunk.new_lines));
            self.line(Look::Place, &format!("{indent}@@ -{old} +{new} @@"));
            for line in &hunk.lines {
                let text = line.strip_suffix('\n').unwrap_or(line);
                self.line(look_of(text), &format!("{indent}{text}"));
            }
        }
    }

    /// What was added so far.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// How a line of a difference looks.
pub(super) fn look_of(line: &str) -> Look {
    match line.as_bytes().first() {
        Some(b'+') => Look::Added,
        Some(b'-') => Look::Removed,
        Some(b'@') => Look::Place,
        _ => Look::Plain,
    }
}

/// A value as people read it: text as it is, everything else as JSON.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let texts: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            format!("[{}]", texts.join(", "))
        }
        other => other.to_string(),
    }
}

/// A text between quotes that stays on its line.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", shown(text))
}

/// A number with its noun.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_text_steers_the_terminal_or_leaves_its_line() {
        let mut page = Page::plain();
        page.plain_line("a\u{1B}[2Jb\r\nc\u{202E}d\te");
        page.hunks("  ", &docs::lines::hunks("one\u{7}\ntwo\n", "one\u{7}\n\u{1B}]0;x\u{7}\n"));
        let text = page.into_text();
        assert_eq!(
            text,
            "a\\u001B[2Jb\\r\\nc\\u202Ed\te\n  @@ -1,2 +1,2 @@\n   one\\u0007\n  -two\n  +\\u001B]0;x\\u0007\n"
        );
    }

    #[test]
    fn colour_is_around_a_line_and_never_inside() {
        let mut page = Page { text: String::new(), is_coloured: true };
        page.line(Look::Added, "+a\u{1B}[0mb");
        page.line(Look::Plain, "c");
        assert_eq!(page.into_text(), "\u{1B}[32m+a\\u001B[0mb\u{1B}[0m\nc\n");
    }

    #[test]
    fn values_read_as_in_a_file() {
        assert_eq!(value(&json!("draft")), "draft");
        assert_eq!(value(&json!(["a", "b"])), "[a, b]");
        assert_eq!(value(&json!([1, "b"])), "[1,\"b\"]");
        assert_eq!(value(&json!(true)), "true");
    }
}
