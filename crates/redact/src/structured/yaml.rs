//! Settings in YAML, read line by line: block mappings, list items of `KEY=value`, flow mappings and block scalars.
//! It is no YAML parser: what it cannot place it leaves alone.

use std::ops::Range;

use super::json::RULE;
use super::key::Keys;
use super::{Found, lines, quoted, trimmed};
use crate::template::is_template;

pub(crate) fn find(text: &str, keys: &Keys, found: &mut Found<'_>) {
    let all: Vec<Range<usize>> = lines(text).collect();
    let mut index = 0;
    while index < all.len() {
        let line = all[index].clone();
        index += 1;
        let mut at = line.start + indent(text, &line);
        // A setting that is commented out still shows its value.
        at += text[at..line.end].len() - text[at..line.end].trim_start_matches(['#', ' ', '\t']).len();
        while text[at..line.end].starts_with("- ") {
            at += 2;
            at += text[at..line.end].len() - text[at..line.end].trim_start().len();
        }
        let Some((key, mark, value)) = pair(text, at, line.end) else { continue };
        let sensitive = keys.is_sensitive(&text[key.clone()]);
        let rest = trimmed(text, value..line.end);
        if text[rest.clone()].starts_with('{') || text[key.start..].starts_with('{') {
            let from = if text[key.start..].starts_with('{') { key.start } else { rest.start };
            if !flow(text, from + 1, line.end, keys, found) {
                return;
            }
            continue;
        }
        if !sensitive {
            continue;
        }
        let plain = skip_properties(text, rest.clone());
        if mark == b':' && text[plain.clone()].starts_with(['|', '>']) {
            let margin = at - line.start;
            let block = block(text, &all, index, margin);
            index += block.1;
            if let Some(range) = block.0
                && !is_template(&text[range.clone()])
                && !found(range, RULE)
            {
                return;
            }
            continue;
        }
        let range = scalar(text, plain, &[]);
        if !is_template(&text[range.clone()]) && !is_alias(&text[range.clone()]) && !found(range, RULE) {
            return;
        }
    }
}

pub(super) fn indent(text: &str, line: &Range<usize>) -> usize {
    text[line.clone()].len() - text[line.clone()].trim_start().len()
}

/// A key, the mark behind it (`:` or `=`) and where the value begins.
pub(super) fn pair(text: &str, at: usize, end: usize) -> Option<(Range<usize>, u8, usize)> {
    let bytes = text.as_bytes();
    if at >= end {
        return None;
    }
    if bytes[at] == b'{' {
        return Some((at..at + 1, b':', at + 1));
    }
    if let b'"' | b'\'' = bytes[at] {
        let inside = quoted(text, at, end)?;
        let behind = text[inside.end + 1..end].trim_start_matches(' ');
        if behind.starts_with(':') {
            return Some((inside, b':', end - behind.len() + 1));
        }
        // - "KEY=value"
        let equals = text[inside.clone()].find('=')?;
        return Some((inside.start..inside.start + equals, b'=', inside.start + equals + 1));
    }
    let body = &text[at..end];
    let place = body.find([':', '=']).filter(|&place| {
        body.as_bytes()[place] == b'=' || matches!(body.as_bytes().get(place + 1), None | Some(b' ' | b'\t'))
    })?;
    let key = body[..place].trim_end();
    let named = !key.is_empty()
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-/[]".contains(&b) || b >= 0x80);
    named.then(|| (at..at + key.len(), body.as_bytes()[place], at + place + 1))
}

/// Leaves out tags and anchors in front of a value.
fn skip_properties(text: &str, mut range: Range<usize>) -> Range<usize> {
    while text[range.clone()].starts_with(['!', '&']) {
        let body = &text[range.clone()];
        let Some(space) = body.find(' ') else { break };
        range = trimmed(text, range.start + space..range.end);
    }
    range
}

/// A scalar on one line: inside its quotes, or up to a comment or one of `ends`.
pub(super) fn scalar(text: &str, range: Range<usize>, ends: &[char]) -> Range<usize> {
    let body = &text[range.clone()];
    if body.starts_with(['"', '\'']) {
        return quoted(text, range.start, range.end).unwrap_or(range.start + 1..range.end);
    }
    let mut end = body
        .match_indices('#')
        .find(|(at, _)| *at == 0 || body[..*at].ends_with([' ', '\t']))
        .map_or(body.len(), |(at, _)| at);
    if let Some(at) = body[..end].find(ends) {
        end = at;
    }
    let range = trimmed(text, range.start..range.start + end);
    // - "KEY=value" leaves its closing quote behind.
    if text[range.clone()].ends_with(['"', '\'']) && !text[range.clone()].starts_with(['"', '\'']) {
        let opened = text[..range.start]
            .bytes()
            .rev()
            .take_while(|&b| b != b'\n')
            .filter(|&b| Some(&b) == text[range.clone()].as_bytes().last())
            .count();
        if opened % 2 == 1 {
            return range.start..range.end - 1;
        }
    }
    range
}

/// `*name` refers to an anchor.
fn is_alias(value: &str) -> bool {
    value.len() > 1
        && value.starts_with('*')
        && value[1..].bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// The pairs of a flow mapping on one line.
fn flow(text: &str, mut at: usize, end: usize, keys: &Keys, found: &mut Found<'_>) -> bool {
    while at < end {
        at += text[at..end].len() - text[at..end].trim_start_matches([' ', ',', '{', '}']).len();
        let Some((key, _, value)) = pair(text, at, end) else { return true };
        let rest = trimmed(text, value..end);
        let range = scalar(text, rest.clone(), &[',', '}']);
        if keys.is_sensitive(&text[key]) && !is_template(&text[range.clone()]) && !found(range.clone(), RULE)
        {
            return false;
        }
        let Some(comma) = text[range.end..end].find(',') else { return true };
        at = range.end + comma + 1;
    }
    true
}

/// The lines of a block scalar: deeper than `margin`, blank ones between them included. Also how many lines that are.
pub(super) fn block(
    text: &str,
    all: &[Range<usize>],
    from: usize,
    margin: usize,
) -> (Option<Range<usize>>, usize) {
    let mut range: Option<Range<usize>> = None;
    let mut used = 0;
    for (count, line) in all[from..].iter().enumerate() {
        if text[line.clone()].trim().is_empty() {
            continue;
        }
        if indent(text, line) <= margin {
            break;
        }
        let inner = trimmed(text, line.clone());
        range = Some(range.map_or(inner.start, |r| r.start)..inner.end);
        used = count + 1;
    }
    (range, used)
}
