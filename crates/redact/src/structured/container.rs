//! Dockerfiles: `ENV k=v`, `ARG k=v` and the old `ENV k v`. Other instructions are left to the other tiers.

use std::ops::Range;

use super::key::Keys;
use super::{Found, lines, quoted, trimmed};
use crate::template::is_template;

const RULE: &str = "container-secret";

pub(crate) fn find(text: &str, keys: &Keys, found: &mut Found<'_>) {
    let mut continued = None;
    for line in lines(text) {
        let mut range = trimmed(text, line);
        let mut legacy = None;
        if text[range.clone()].starts_with('#') {
            continue;
        }
        if continued.is_none() {
            let body = &text[range.clone()];
            let word_bytes = body.bytes().take_while(u8::is_ascii_alphabetic).count();
            let word = &body[..word_bytes];
            let known = word.eq_ignore_ascii_case("env") || word.eq_ignore_ascii_case("arg");
            if !known || !body[word_bytes..].starts_with([' ', '\t']) {
                // The continuation lines of another instruction are no settings.
                continued = body.ends_with('\\').then_some(false);
                continue;
            }
            range = trimmed(text, range.start + word_bytes..range.end);
            legacy = word.eq_ignore_ascii_case("env").then_some(());
        } else if continued == Some(false) {
            continued = text[range.clone()].ends_with('\\').then_some(false);
            continue;
        }
        let ends_open = text[range.clone()].ends_with('\\');
        if ends_open {
            range = trimmed(text, range.start..range.end - 1);
        }
        let first_space = text[range.clone()].find([' ', '\t']).unwrap_or(range.len());
        let is_legacy = legacy.is_some() && !text[range.clone()][..first_space].contains('=');
        let go_on = if is_legacy {
            let value = trimmed(text, range.start + first_space..range.end);
            let key = range.start..range.start + first_space;
            claim(text, key, unquoted(text, value), keys, found)
        } else {
            pairs(text, range, keys, found)
        };
        if !go_on {
            return;
        }
        continued = ends_open.then_some(true);
    }
}

fn pairs(text: &str, range: Range<usize>, keys: &Keys, found: &mut Found<'_>) -> bool {
    let bytes = text.as_bytes();
    let mut at = range.start;
    while at < range.end {
        let Some(equals) = text[at..range.end].find('=').map(|i| at + i) else { return true };
        let key_from = text[at..equals].rfind([' ', '\t']).map_or(at, |i| at + i + 1);
        let mut end = equals + 1;
        let value = match bytes.get(end) {
            Some(b'"' | b'\'') if end < range.end => {
                let inside = quoted(text, end, range.end).unwrap_or(end + 1..range.end);
                end = (inside.end + 1).min(range.end);
                inside
            }
            _ => {
                while end < range.end && !bytes[end].is_ascii_whitespace() {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                end = text.ceil_char_boundary(end.min(range.end));
                equals + 1..end
            }
        };
        if !claim(text, key_from..equals, value, keys, found) {
            return false;
        }
        at = end.max(equals + 1);
    }
    true
}

fn claim(text: &str, key: Range<usize>, value: Range<usize>, keys: &Keys, found: &mut Found<'_>) -> bool {
    !keys.is_sensitive(&text[key]) || is_template(&text[value.clone()]) || found(value, RULE)
}

fn unquoted(text: &str, range: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    match (bytes.get(range.start), range.len()) {
        (Some(mark @ (b'"' | b'\'')), 2..) if bytes[range.end - 1] == *mark => range.start + 1..range.end - 1,
        _ => range,
    }
}
