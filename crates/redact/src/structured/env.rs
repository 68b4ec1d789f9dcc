//! `.env` and `.npmrc` files: `KEY=value`, with `export`, quotes and comments. It judges keys through [`Keys`].

use std::ops::Range;

use super::key::Keys;
use super::{Found, lines, quoted, trimmed};
use crate::template::is_template;

const RULE: &str = "environment-secret";
/// A quoted value may run over several lines, up to this many bytes.
const MAX_VALUE_BYTES: usize = 16 << 10;

pub(crate) fn find(text: &str, keys: &Keys, found: &mut Found<'_>) {
    let mut done = 0;
    for line in lines(text) {
        if line.start < done {
            continue;
        }
        let Some((key, value)) = assignment(text, line.clone()) else { continue };
        if !keys.is_sensitive(&text[key]) {
            continue;
        }
        let range = value_range(text, value, line.end);
        done = range.end;
        if !is_template(&text[range.clone()]) && !found(range, RULE) {
            return;
        }
    }
}

/// The key of a line and where its value begins.
pub(crate) fn assignment(text: &str, line: Range<usize>) -> Option<(Range<usize>, usize)> {
    let line = trimmed(text, line);
    let mut body = &text[line.clone()];
    if body.starts_with(['#', ';']) {
        // A setting that is commented out still shows its value; prose does not look like one.
        body = body.trim_start_matches(['#', ';', ' ', '\t']);
    }
    for lead in ["export ", "set ", "setx "] {
        if let Some(rest) = body.strip_prefix(lead) {
            body = rest.trim_start();
        }
    }
    let start = line.end - body.len();
    let at = body.find(['=', ':']).filter(|&at| at > 0)?;
    // `//registry.example/:_authToken=…`: the name of an npm setting holds colons.
    let at = if body.starts_with("//") { body.find('=')? } else { at };
    let key = body[..at].trim_end();
    let named = key.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-/:@[]%".contains(&b) || b >= 0x80);
    (named && !key.is_empty()).then(|| (start..start + key.len(), start + at + 1))
}

/// The value that begins at `from`: inside its quotes, over several lines if they say so, or up to a comment.
pub(crate) fn value_range(text: &str, from: usize, line_end: usize) -> Range<usize> {
    let range = trimmed(text, from..line_end.max(from));
    if let Some(b'"' | b'\'' | b'`') = text.as_bytes().get(range.start).filter(|_| !range.is_empty()) {
        let far = text.floor_char_boundary((range.start + MAX_VALUE_BYTES).min(text.len()));
        if let Some(inside) = quoted(text, range.start, line_end).or_else(|| quoted(text, range.start, far)) {
            // A quote that closes lines later must not take other settings with it.
            if inside.end <= line_end
                || !text[inside.clone()]
                    .lines()
                    .skip(1)
                    .any(|line| line.contains('=') && !line.ends_with('='))
            {
                return inside;
            }
        }
        return range.start + 1..range.end.max(range.start + 1);
    }
    let body = &text[range.clone()];
    let end = body
        .match_indices('#')
        .find(|(at, _)| *at == 0 || body[..*at].ends_with([' ', '\t']))
        .map_or(body.len(), |(at, _)| at);
    trimmed(text, range.start..range.start + end)
}
