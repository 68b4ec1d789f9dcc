//! Settings in JSON, comments allowed: strings and numbers beside a sensitive key. A broken text costs only the
//! value that is broken.

use super::key::Keys;
use super::{Found, LineEnd, quoted};
use crate::template::is_template;

pub(crate) const RULE: &str = "config-secret";

/// The longest comment between a key and its value.
const MAX_COMMENT_BYTES: usize = 1_024;

pub(crate) fn find(text: &str, keys: &Keys, found: &mut Found<'_>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut ends = LineEnd::default();
    while let Some(i) = memchr::memchr(b'"', &bytes[at..]) {
        let open = at + i;
        let line_end = ends.behind(bytes, open);
        let Some(name) = quoted(text, open, line_end) else {
            // Every quote behind it on this line is escaped.
            at = line_end;
            continue;
        };
        at = name.end + 1;
        let colon = skip_space(bytes, at);
        if bytes.get(colon) != Some(&b':') {
            continue;
        }
        if !keys.is_sensitive(&text[name]) {
            at = colon + 1;
            continue;
        }
        let mut value = skip_space(bytes, colon + 1);
        let list = bytes.get(value) == Some(&b'[');
        if list {
            value = skip_space(bytes, value + 1);
        }
        loop {
            let line_end = ends.behind(bytes, value);
            let range = match bytes.get(value) {
                Some(b'"') => match quoted(text, value, line_end) {
                    Some(range) => {
                        at = range.end + 1;
                        range
                    }
                    None => break,
                },
                Some(b'0'..=b'9' | b'-') => {
                    let length = bytes[value..]
                        .iter()
                        .take_while(|b| b.is_ascii_alphanumeric() || b".+-".contains(b))
                        .count();
                    at = value + length;
                    value..at
                }
                _ => break,
            };
            if !is_template(&text[range.clone()]) && !found(range, RULE) {
                return;
            }
            let next = skip_space(bytes, at);
            if !list || bytes.get(next) != Some(&b',') {
                break;
            }
            value = skip_space(bytes, next + 1);
        }
        at = at.max(colon + 1);
    }
}

/// The first place at or behind `at` that is neither white space nor a comment. A comment has an end nearby.
fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    let near = |at: usize| &bytes[at..bytes.len().min(at + MAX_COMMENT_BYTES)];
    loop {
        match bytes.get(at..) {
            Some([b' ' | b'\t' | b'\r' | b'\n', ..]) => at += 1,
            Some([b'/', b'/', ..]) => match memchr::memchr(b'\n', near(at)) {
                Some(n) => at += n,
                None => return at,
            },
            Some([b'/', b'*', ..]) => match memchr::memmem::find(&near(at)[2..], b"*/") {
                Some(n) => at += n + 4,
                None => return at,
            },
            _ => return at,
        }
    }
}
