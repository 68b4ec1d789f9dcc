//! Settings in XML: sensitive attributes, `value` beside a sensitive `key` or `name`, and the text of sensitive
//! elements. It checks no well-formedness: a tag is read where one stands.

use std::ops::Range;

use super::json::RULE;
use super::key::{Keys, plain};
use super::{Found, trimmed};
use crate::template::is_template;

pub(crate) fn find(text: &str, keys: &Keys, found: &mut Found<'_>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    // Whether the element around names something sensitive: `<setting name="ApiKey"><value>…`.
    let mut told = false;
    // No section ends between the last one that was read and this place.
    let mut unclosed = 0;
    while let Some(i) = memchr::memchr(b'<', &bytes[at..]) {
        let open = at + i;
        at = open + 1;
        let Some(&next) = bytes.get(at) else { return };
        if !(next.is_ascii_alphabetic() || next == b'_') {
            if next == b'/' {
                told &= !text[at..].starts_with("/setting") && !text[at..].starts_with("/add");
            }
            continue;
        }
        let name_end = at + bytes[at..].iter().take_while(|&&b| is_name(b)).count();
        let element = &text[at..name_end];
        let mut attributes = Vec::new();
        let end = read_attributes(text, name_end, &mut attributes);
        let named = attributes.iter().any(|(name, value)| {
            let name = &text[name.clone()];
            (name.eq_ignore_ascii_case("key") || name.eq_ignore_ascii_case("name"))
                && keys.is_sensitive(&text[value.clone()])
        });
        for (name, value) in &attributes {
            let name = &text[name.clone()];
            let label = name.eq_ignore_ascii_case("key") || name.eq_ignore_ascii_case("name");
            let beside = named && name.eq_ignore_ascii_case("value");
            let sensitive = beside || (!label && keys.is_sensitive(name) && !is_about(name));
            if sensitive && !is_template(&text[value.clone()]) && !found(value.clone(), RULE) {
                return;
            }
        }
        at = end;
        let closed = end >= 2 && bytes[end - 2] == b'/';
        let value_of_named = told && element.eq_ignore_ascii_case("value");
        if named && !closed {
            told = true;
        }
        if !closed && (keys.is_sensitive(element) || named || value_of_named) {
            let stop = memchr::memchr(b'<', &bytes[end..]).map_or(end, |n| end + n);
            let range = cdata(text, end, &mut unclosed).unwrap_or_else(|| trimmed(text, end..stop));
            if !is_template(&text[range.clone()]) && !found(range, RULE) {
                return;
            }
        }
    }
}

/// The longest CDATA section that is read.
const MAX_SECTION_BYTES: usize = 8_192;

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':') || byte >= 0x80
}

/// Attributes that describe a secret's handling and never hold one: `passwordFormat`, `requirePassword…`.
fn is_about(name: &str) -> bool {
    let name = plain(name);
    [
        "format",
        "strengthregularexpression",
        "attempts",
        "attemptwindow",
        "retrieval",
        "reset",
        "length",
        "characters",
        "provider",
        "publickeytoken",
        "path",
    ]
    .iter()
    .any(|end| name.ends_with(end))
}

/// Reads `name="value"` pairs up to the end of the tag and returns where the tag ends.
fn read_attributes(text: &str, mut at: usize, attributes: &mut Vec<(Range<usize>, Range<usize>)>) -> usize {
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        if byte == b'>' {
            return at + 1;
        }
        if byte == b'<' {
            return at;
        }
        if !is_name(byte) {
            at += 1;
            continue;
        }
        let name = at..at + bytes[at..].iter().take_while(|&&b| is_name(b)).count();
        at = name.end;
        let equals = at + bytes[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        if bytes.get(equals) != Some(&b'=') {
            continue;
        }
        let quote = equals + 1 + bytes[equals + 1..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let Some(&mark @ (b'"' | b'\'')) = bytes.get(quote) else {
            at = equals + 1;
            continue;
        };
        let Some(length) = memchr::memchr(mark, &bytes[quote + 1..]) else { return quote + 1 };
        attributes.push((name, quote + 1..quote + 1 + length));
        at = quote + length + 2;
    }
    at
}

/// The section that opens at `at`. What was read in vain for an earlier section, up to `unclosed`, is not read again.
fn cdata(text: &str, at: usize, unclosed: &mut usize) -> Option<Range<usize>> {
    let lead = text[at..].len() - text[at..].trim_start().len();
    let inside = at + lead + text[at + lead..].starts_with("<![CDATA[").then_some(9)?;
    let bytes = text.as_bytes();
    let near = bytes.len().min(inside + MAX_SECTION_BYTES);
    let from = inside.max(*unclosed);
    let Some(ahead) = memchr::memmem::find(bytes.get(from..near)?, b"]]>") else {
        *unclosed = near.saturating_sub(2).max(*unclosed);
        return None;
    };
    Some(trimmed(text, inside..from + ahead))
}
