//! Settings written in a language: `*.tfvars` and `settings.py`. Only literals count, never expressions.

use std::ops::Range;

use super::json::RULE;
use super::key::Keys;
use super::{Found, LineEnd, lines, quoted, trimmed};
use crate::template::is_template;

/// Terraform variables: `name = "value"`, also inside maps, and here-documents.
pub(crate) fn find_terraform(text: &str, keys: &Keys, found: &mut Found<'_>) {
    let all: Vec<Range<usize>> = lines(text).collect();
    let mut index = 0;
    while index < all.len() {
        let line = trimmed(text, all[index].clone());
        index += 1;
        let mut at = line.start;
        // Several pairs may stand on one line: { user = "a", password = "b" }
        while at < line.end {
            let Some(equals) = text[at..line.end].find(['=', ':']).map(|i| at + i) else { break };
            let key = key_before(text, at, equals);
            let value = trimmed(text, equals + 1..line.end);
            at = equals + 1;
            let sensitive = key.as_ref().is_some_and(|key| keys.is_sensitive(&text[key.clone()]));
            let body = &text[value.clone()];
            if let Some(word) = body.strip_prefix("<<").filter(|_| sensitive) {
                let word = word.trim_start_matches(['-', '~']).trim();
                let last =
                    all[index..].iter().position(|line| text[line.clone()].trim() == word).unwrap_or(0);
                if last > 0 {
                    let range = trimmed(text, all[index].start..all[index + last - 1].end);
                    index += last;
                    if !is_template(&text[range.clone()]) && !found(range, RULE) {
                        return;
                    }
                }
                break;
            }
            if body.starts_with('"') {
                let Some(inside) = quoted(text, value.start, line.end) else { break };
                at = inside.end + 1;
                if sensitive && !is_template(&text[inside.clone()]) && !found(inside, RULE) {
                    return;
                }
            } else if sensitive && body.starts_with('[') {
                let mut item = value.start + 1;
                while let Some(open) = text[item..line.end].find('"').map(|i| item + i) {
                    let Some(inside) = quoted(text, open, line.end) else { break };
                    item = inside.end + 1;
                    if !is_template(&text[inside.clone()]) && !found(inside, RULE) {
                        return;
                    }
                }
                at = line.end;
            } else if sensitive && body.starts_with(|c: char| c.is_ascii_digit()) {
                let length = body.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'.').count();
                if !found(value.start..value.start + length, RULE) {
                    return;
                }
            }
        }
    }
}

/// The name or quoted name that ends in front of `mark`.
fn key_before(text: &str, from: usize, mark: usize) -> Option<Range<usize>> {
    // `DATABASES["default"]["PASSWORD"]`: the key is the last subscript.
    let before = text[from..mark].trim_end().trim_end_matches(']');
    let end = from + before.len();
    if let Some(inner) = before.strip_suffix(['"', '\'']) {
        let quote = *text.as_bytes().get(end - 1)?;
        let open = inner.rfind(char::from(quote))?;
        return Some(from + open + 1..end - 1);
    }
    let length = before
        .bytes()
        .rev()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.') || *b >= 0x80)
        .count();
    (length > 0).then(|| text.ceil_char_boundary(end - length)..end)
}

/// The longest type between a name and its value.
const MAX_TYPE_BYTES: usize = 200;

/// Python settings: `NAME = 'literal'`, `'NAME': 'literal'`, `name='literal'`, with prefixes, triple quotes and literals
/// that stand beside each other.
pub(crate) fn find_python(text: &str, keys: &Keys, found: &mut Found<'_>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut ends = LineEnd::default();
    let (mut line_start, mut seen) = (0, 0);
    while let Some(mark) = memchr::memchr3(b'=', b':', b'#', &bytes[at..]).map(|i| at + i) {
        line_start = memchr::memrchr(b'\n', &bytes[seen..mark]).map_or(line_start, |i| seen + i + 1);
        seen = mark;
        at = mark + 1;
        if bytes[mark] == b'#' {
            continue;
        }
        // `==`, `!=`, `<=` compare; `+=` adds to a value that is still one.
        if matches!(bytes.get(at), Some(b'='))
            || matches!(bytes[..mark].last(), Some(b'=' | b'!' | b'<' | b'>' | b':'))
        {
            continue;
        }
        let Some(key) = key_before(text, line_start, mark) else { continue };
        if !keys.is_sensitive(&text[key]) {
            continue;
        }
        let mut open = false;
        let mut value = skip_to_literal(bytes, mark + 1, &mut open);
        // `NAME: str = 'literal'`
        if bytes[mark] == b':' && literal(text, value).is_none() {
            let near = text.floor_char_boundary(value + MAX_TYPE_BYTES);
            let line_end = ends.behind(bytes, value).min(near);
            match text[value..line_end].find('=') {
                Some(equals)
                    if text[value..value + equals]
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b" _[].|,".contains(&b)) =>
                {
                    value = skip_to_literal(bytes, value + equals + 1, &mut open);
                }
                _ => continue,
            }
        }
        if matches!(bytes.get(value), Some(b'"' | b'\'')) && literal(text, value).is_none() {
            // A literal that never ends: every quote behind it on this line is escaped.
            at = ends.behind(bytes, value);
            continue;
        }
        while let Some((range, end)) = literal(text, value) {
            at = end;
            value = skip_to_literal(bytes, end, &mut open);
            if !is_template(&text[range.clone()]) && !found(range, RULE) {
                return;
            }
        }
    }
}

/// Skips blanks, opening brackets and line ends inside them.
fn skip_to_literal(bytes: &[u8], mut at: usize, open: &mut bool) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\\' => {}
            b'(' => *open = true,
            b'\r' | b'\n' if *open || bytes[..at].ends_with(b"\\") || bytes[..at].ends_with(b"\\\r") => {}
            _ => break,
        }
        at += 1;
    }
    at
}

/// The inside of a string literal at `at`, and where the literal ends.
fn literal(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let bytes = text.as_bytes();
    let prefix = bytes.get(at..)?.iter().take(2).take_while(|b| b"rRbBuUfF".contains(b)).count();
    let open = at + prefix;
    let quote = *bytes.get(open).filter(|b| matches!(b, b'"' | b'\''))?;
    if bytes.get(open..open + 3)? == [quote; 3] {
        let inside = open + 3;
        let length = memchr::memmem::find(&bytes[inside..], &[quote; 3])?;
        return Some((trimmed(text, inside..inside + length), inside + length + 3));
    }
    let line_end = memchr::memchr(b'\n', &bytes[open..]).map_or(bytes.len(), |n| open + n);
    let inside = quoted(text, open, line_end)?;
    Some((inside.clone(), inside.end + 1))
}
