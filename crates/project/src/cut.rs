//! Cuts that split neither a scalar nor a placeholder (spec `project.md`, decision 19), and the shares of a
//! stored response (5.7). It does not know what kind of text it cuts.

/// The longest placeholder that a cut looks for, in bytes: `REDACTED[`, a rule, `#`, a number, `]`.
pub const PLACEHOLDER_BYTES_MAX: usize = 128;

const OPENING: &str = "REDACTED[";

/// The longest beginning of `text` with at most `max_chars` characters that ends inside no placeholder.
pub fn prefix(text: &str, max_chars: usize) -> &str {
    if text.len() <= max_chars {
        return text;
    }
    match text.char_indices().nth(max_chars) {
        None => text,
        Some((at, _)) => &text[..placeholder_around(text, at).unwrap_or(at)],
    }
}

/// Where the placeholder begins that starts before `at` and ends after it.
fn placeholder_around(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let from = at.saturating_sub(PLACEHOLDER_BYTES_MAX);
    (from..at).rev().filter(|start| bytes[*start] == b'R').find_map(|start| {
        let end = start + placeholder_length(&bytes[start..])?;
        (end > at).then_some(start)
    })
}

/// The length of the placeholder `REDACTED[rule#n]` at the start of `bytes`.
fn placeholder_length(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.strip_prefix(OPENING.as_bytes())?;
    let rest = &rest[..rest.len().min(PLACEHOLDER_BYTES_MAX - OPENING.len())];
    let rule =
        rest.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')).count();
    let number = rest.get(rule + 1..)?;
    let digits = number.iter().take_while(|b| b.is_ascii_digit()).count();
    let is_whole = rule > 0 && rest[rule] == b'#' && digits > 0 && number.get(digits) == Some(&b']');
    is_whole.then_some(OPENING.len() + rule + 1 + digits + 1)
}

/// The beginning of `text` with at most `max_lines` lines and `max_chars` characters, and whether anything was
/// left out. Whole lines, unless the first line alone is too long.
pub fn share(text: &str, max_lines: usize, max_chars: usize) -> (&str, bool) {
    let by_lines = match memchr::memchr_iter(b'\n', text.as_bytes()).nth(max_lines.saturating_sub(1)) {
        Some(end) if end + 1 < text.len() => &text[..end],
        _ => text,
    };
    let mut kept = prefix(by_lines, max_chars);
    if kept.len() < by_lines.len()
        && by_lines.as_bytes()[kept.len()] != b'\n'
        && let Some(end) = kept.rfind('\n')
    {
        kept = &kept[..end];
    }
    (kept, kept.len() < text.len())
}

#[cfg(test)]
mod tests;
