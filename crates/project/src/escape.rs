//! How names, addresses and bodies are written so that they stay literal data in each format
//! (spec `project.md` 5.4, 5.5, 5.9). It does not know which document they stand in.

use fault::{is_unprintable, one_line};

/// A name or address on one line: control, bidirectional and zero-width characters become visible escapes.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    one_line(text, &mut out);
    out
}

/// Appends [`visible`] text, copying at once what needs no escape.
pub fn push_visible(text: &str, out: &mut String) {
    if text.bytes().all(|byte| matches!(byte, 0x20..=0x7E)) {
        out.push_str(text);
    } else {
        one_line(text, out);
    }
}

/// The path column of a search answer. `utf8` is the name when it is UTF-8: its backslashes are doubled.
/// A name that is not UTF-8 is its `address`, whose escapes already say which byte they stand for.
pub fn search_label(utf8: Option<&str>, address: &str) -> String {
    match utf8 {
        Some(path) if path.contains('\\') => visible(&path.replace('\\', "\\\\")),
        Some(path) => visible(path),
        None => visible(address),
    }
}

/// Appends one line of a file to a search answer: as [`visible`], but tabs stay.
pub fn push_line(line: &str, out: &mut String) {
    if line.bytes().all(|byte| matches!(byte, 0x20..=0x7E | b'\t')) {
        out.push_str(line);
        return;
    }
    for (at, piece) in line.split('\t').enumerate() {
        if at > 0 {
            out.push('\t');
        }
        one_line(piece, out);
    }
}

/// Appends a name or a root so that Markdown shows it literally (5.4): visible escapes first, then a
/// backslash before every character that could be markup where it stands.
pub fn push_markdown(text: &str, out: &mut String) {
    let line = visible(text);
    let mut before = Before::Blank;
    for c in line.chars() {
        let escaped = match c {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '^' | '$' => true,
            '-' | '+' | '#' | '!' => before == Before::Blank,
            '.' | ')' => before == Before::Number,
            _ => false,
        };
        if escaped {
            out.push('\\');
        }
        out.push(c);
        before = match (before, c) {
            (Before::Blank, ' ') => Before::Blank,
            (Before::Blank | Before::Number, '0'..='9') => Before::Number,
            _ => Before::Text,
        };
    }
}

/// Appends a name as the text of a Markdown heading: as [`push_markdown`], and a run of `#` at its end is not taken
/// for the end of the heading.
pub fn push_heading(text: &str, out: &mut String) {
    push_markdown(text, out);
    let before_run = out.trim_end_matches(' ').trim_end_matches('#');
    let at = before_run.len();
    if before_run.ends_with(' ') && out[at..].starts_with('#') {
        out.insert(at, '\\');
    }
}

/// What stands before a character of a Markdown label.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Blank,
    Number,
    Text,
}

/// Appends a path as a Markdown code span: on one line, between more backticks than it holds in a row, padded
/// where Markdown would otherwise join a backtick with the delimiter or strip a space.
pub fn push_code_span(path: &str, out: &mut String) {
    let line = visible(path);
    let delimiter = longest_backtick_run(&line) + 1;
    let both_spaces = line.starts_with(' ') && line.ends_with(' ') && line.bytes().any(|byte| byte != b' ');
    let padded = line.starts_with('`') || line.ends_with('`') || both_spaces;
    push_backticks(delimiter, out);
    if padded {
        out.push(' ');
    }
    out.push_str(&line);
    if padded {
        out.push(' ');
    }
    push_backticks(delimiter, out);
}

/// Appends a run of backticks.
pub fn push_backticks(count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n('`', count));
}

/// The length of the longest run of backticks.
pub fn longest_backtick_run(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut longest = 0;
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'`', &bytes[from..]) {
        let start = from + found;
        let run = bytes[start..].iter().take_while(|byte| **byte == b'`').count();
        longest = longest.max(run);
        from = start + run;
    }
    longest
}

/// The info string of a fence: the lower-cased extension without its dot, or nothing when there is none or
/// when it holds anything but ASCII letters, digits, `-` and `_`. A name such as `.env` has none.
pub fn info_string(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, extension))
            if !stem.is_empty()
                && extension.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')) =>
        {
            extension.to_ascii_lowercase()
        }
        _ => String::new(),
    }
}

/// Appends a JSON string with its quotes. Non-ASCII stays as it is, apart from the invisible characters of
/// [`is_unprintable`], which are written as `\u` escapes: the value is the same and a reader sees them.
pub fn push_json_name(text: &str, out: &mut String) {
    fault::push_json(text, out);
}

fn push_hex_escape(unit: u16, out: &mut String) {
    out.push_str("\\u");
    for shift in [12, 8, 4, 0] {
        out.push(char::from(b"0123456789abcdef"[usize::from((unit >> shift) & 0xF)]));
    }
}

/// Appends the inside of a JSON string (no quotes) for a file's body.
pub fn push_json_body(text: &str, out: &mut String) {
    let special = |word| below(word, 0x20) | equal(word, b'"') | equal(word, b'\\');
    push_replaced(text, out, special, |at, out| {
        match text.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0C => out.push_str("\\f"),
            other => push_hex_escape(u16::from(other), out),
        }
        1
    });
}

/// Appends an XML attribute value (between double quotes) or the text of a name element. Invisible characters
/// become character references, so that a parser gives them back; what XML cannot carry becomes U+FFFD.
pub fn push_xml_name(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if is_illegal_in_xml(c) => out.push('\u{FFFD}'),
            c if is_unprintable(c) => {
                out.push_str("&#x");
                let number = u32::from(c);
                let digits = (32 - number.leading_zeros()).div_ceil(4).max(1);
                for digit in (0..digits).rev() {
                    let nibble = (number >> (digit * 4)) & 0xF;
                    out.push(char::from_digit(nibble, 16).unwrap_or('0').to_ascii_uppercase());
                }
                out.push(';');
            }
            c => out.push(c),
        }
    }
}

/// Appends a file's body as XML text. A carriage return is written as a reference, because a parser turns a
/// bare one into a line feed; what XML 1.0 cannot carry becomes U+FFFD.
pub fn push_xml_body(text: &str, out: &mut String) {
    let special = |word| {
        (below(word, 0x20) & !equal(word, b'\n') & !equal(word, b'\t'))
            | equal(word, b'<')
            | equal(word, b'>')
            | equal(word, b'&')
            | equal(word, 0xEF)
    };
    push_replaced(text, out, special, |at, out| {
        let (with, length) = match text.as_bytes()[at..] {
            [b'<', ..] => ("&lt;", 1),
            [b'>', ..] => ("&gt;", 1),
            [b'&', ..] => ("&amp;", 1),
            [b'\r', ..] => ("&#xD;", 1),
            // U+FFFE and U+FFFF, the only characters that end so after 0xEF.
            [0xEF, 0xBF, 0xBE | 0xBF, ..] => ("\u{FFFD}", 3),
            [0xEF, ..] => ("", 0),
            _ => ("\u{FFFD}", 1),
        };
        out.push_str(with);
        length
    });
}

fn is_illegal_in_xml(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}')
}

const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
const SEVEN_BITS: u64 = !HIGH_BITS;

/// The high bit of each byte of `word` that is below `limit` (at most 0x80), exactly.
fn below(word: u64, limit: u8) -> u64 {
    // Adding to seven bits cannot carry into the next byte, so each byte is judged alone.
    !(((word & SEVEN_BITS) + LOW_BITS * u64::from(0x80 - limit)) | word) & HIGH_BITS
}

/// The high bit of each byte of `word` that is `byte`, exactly.
fn equal(word: u64, byte: u8) -> u64 {
    let differing = word ^ (LOW_BITS * u64::from(byte));
    !(((differing & SEVEN_BITS) + SEVEN_BITS) | differing) & HIGH_BITS
}

/// Appends `text`, with `replace` called for each byte that `mark` marks, eight bytes looked at at once. `replace`
/// appends what stands instead and says how many bytes it stands for; 0 leaves the byte. Bytes inside a character
/// are not marked. The tail is padded with spaces, so a space is not marked either.
fn push_replaced(
    text: &str,
    out: &mut String,
    mark: impl Fn(u64) -> u64,
    replace: impl Fn(usize, &mut String) -> usize,
) {
    let (words, tail) = text.as_bytes().as_chunks::<8>();
    let mut last = [b' '; 8];
    last[..tail.len()].copy_from_slice(tail);
    let mut from = 0;
    for (index, word) in words.iter().chain([&last]).enumerate() {
        let mut marks = mark(u64::from_le_bytes(*word));
        while marks != 0 {
            let at = index * 8 + (marks.trailing_zeros() / 8) as usize;
            marks &= marks - 1;
            out.push_str(&text[from..at]);
            from = at + replace(at, out);
        }
    }
    out.push_str(&text[from..]);
}

#[cfg(test)]
mod tests;
