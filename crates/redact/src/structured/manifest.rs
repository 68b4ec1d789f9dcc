//! Values of Kubernetes secrets: every entry below `data:` and `stringData:` of a YAML document of the kind `Secret`, whatever its
//! key. It is no YAML parser, and judges no value.

use std::ops::Range;

use super::json::RULE;
use super::yaml::{block, indent, pair, scalar};
use super::{Found, lines, trimmed};
use crate::template::is_template;

pub(crate) fn find(text: &str, found: &mut Found<'_>) {
    if memchr::memmem::find(text.as_bytes(), b"Secret").is_none() {
        return;
    }
    let all: Vec<Range<usize>> = lines(text).collect();
    for document in all.split(|line| text[line.clone()].starts_with("---")) {
        let is_secret = document.iter().any(|line| {
            let kind = text[line.clone()].trim().trim_start_matches("- ").strip_prefix("kind:");
            kind.is_some_and(|kind| kind.trim().trim_matches(['"', '\'']) == "Secret")
        });
        if is_secret && !entries(text, document, found) {
            return;
        }
    }
}

/// Reports every entry of the sections of one document; `false` when no more is wanted.
fn entries(text: &str, document: &[Range<usize>], found: &mut Found<'_>) -> bool {
    let mut index = 0;
    let mut section: Option<usize> = None;
    while let Some(line) = document.get(index) {
        index += 1;
        let body = text[line.clone()].trim();
        if body.is_empty() || body.starts_with('#') {
            continue;
        }
        let margin = indent(text, line);
        if matches!(body, "data:" | "stringData:" | "- data:" | "- stringData:") {
            section = Some(margin + if body.starts_with('-') { 2 } else { 0 });
            continue;
        }
        let Some(outer) = section else { continue };
        if margin <= outer {
            section = None;
            continue;
        }
        let Some((_, b':', value)) = pair(text, line.start + margin, line.end) else { continue };
        let rest = trimmed(text, value..line.end);
        let range = if text[rest.clone()].starts_with(['|', '>']) {
            let (range, taken) = block(text, document, index, margin);
            index += taken;
            range
        } else {
            Some(scalar(text, rest, &[]))
        };
        if let Some(range) = range
            && !is_template(&text[range.clone()])
            && !found(range, RULE)
        {
            return false;
        }
    }
    true
}
