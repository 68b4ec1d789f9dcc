//! Passwords of connection strings, in any text: `Server=db;User Id=app;Password=…`, `jdbc:…&password=…`, and calls that
//! name a host and a password. It knows no file shape.

use std::ops::Range;

use super::trimmed;
use crate::effort::Effort;
use crate::finding::Uninspectable;
use crate::template::is_template;

pub(crate) const RULE: &str = "connection-password";
/// How far a connection string reaches to either side of its password.
const REACH_BYTES: usize = 1_024;

/// The value of the assignment whose `password` or `pwd` stands at `word`. The line around it is counted as work: on a
/// long line every further password reads much of it again.
///
/// # Errors
/// When the text costs too much.
pub(crate) fn password(
    text: &str,
    word: Range<usize>,
    effort: &mut Effort<'_>,
) -> Result<Option<Range<usize>>, Uninspectable> {
    let Some((line, at)) = assignment(text, word.clone()) else { return Ok(None) };
    effort.spend(line.len())?;
    Ok(value(text, word, line, at))
}

/// The part of the line that is looked at around the assignment, and where its value begins.
fn assignment(text: &str, word: Range<usize>) -> Option<(Range<usize>, usize)> {
    let bytes = text.as_bytes();
    // The key is the whole word, alone: `Password`, not `PasswordHash` or `my_password`.
    if bytes[..word.start]
        .last()
        .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'$'))
    {
        return None;
    }
    let mut at = word.end;
    at += bytes[at..].iter().take(3).take_while(|&&b| b == b' ').count();
    if bytes.get(at) != Some(&b'=') || bytes.get(at + 1) == Some(&b'=') {
        return None;
    }
    at += 1;
    let low = text.ceil_char_boundary(word.start.saturating_sub(REACH_BYTES));
    let line_start = memchr::memrchr(b'\n', &bytes[low..word.start]).map_or(low, |i| low + i + 1);
    let high = text.floor_char_boundary((at + REACH_BYTES).min(bytes.len()));
    let line_end = memchr::memchr2(b'\n', b'\r', &bytes[at..high]).map_or(high, |i| at + i);
    Some((line_start..line_end, at))
}

fn value(text: &str, word: Range<usize>, line: Range<usize>, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let Range { start: line_start, end: line_end } = line;
    let spaces = bytes[at..].iter().take(3).take_while(|&&b| b == b' ').count();
    let line = &text[line_start..line_end];
    let jdbc = line.contains("jdbc:");
    let is_connection = jdbc || assignments(line) >= 2 && names_a_connection(line);
    if !is_connection {
        return None;
    }

    let value_from = at + spaces;
    if let Some(b'"' | b'\'') = bytes.get(value_from) {
        // A literal of its own, unless its quote is the one that closes the whole connection string.
        let inside = super::quoted(text, value_from, line_end)?;
        let opened = line_opens(&bytes[line_start..value_from]);
        if opened == Some(bytes[value_from]) {
            return None;
        }
        return claim(text, inside);
    }
    // Without quotes of its own the value must stand inside a connection string: between separators or in a literal.
    let opened = line_opens(&bytes[line_start..word.start]);
    let ends: &[u8] = if jdbc { b";&\"'`<>" } else { b";\"'`<>" };
    let mut end = at;
    while end < line_end
        && !ends.contains(&bytes[end])
        && !bytes[end..line_end].starts_with(b"&quot;")
        && !bytes[end..line_end].starts_with(b"\\\"")
    {
        end += 1;
    }
    let chained = text[line_start..word.start].trim_end().ends_with([';', '&', '?', '"', '\''])
        || bytes.get(end) == Some(&b';');
    let range = trimmed(text, at..end);
    if text[range.clone()].contains(' ') && !text[line_start..word.start].contains(';') {
        // libpq: `host=db user=app password=… dbname=x`
        let stop = text[range.clone()].find(' ').map_or(range.end, |i| range.start + i);
        return if opened.is_some() || is_plain_pairs(line) { claim(text, range.start..stop) } else { None };
    }
    if opened.is_none() && !(chained && (is_tight(line) || is_separated_pairs(line))) && !is_plain_pairs(line)
    {
        return None;
    }
    claim(text, range)
}

fn claim(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let value = &text[range.clone()];
    let filled_in = (value.starts_with('{') && value.ends_with('}'))
        || (value.starts_with('[') && value.ends_with(']'))
        || matches!(value, "%s" | "?" | "@p" | "..." | "***");
    let shell = value
        .strip_prefix('$')
        .is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
    (!is_template(value) && !filled_in && !shell).then_some(range)
}

/// How many `name=value` pairs stand on a line; comparisons do not count.
fn assignments(line: &str) -> usize {
    let bytes = line.as_bytes();
    memchr::memchr_iter(b'=', bytes)
        .filter(|&at| {
            let before = at.checked_sub(1).map_or(b' ', |i| bytes[i]);
            let after = bytes.get(at + 1).copied().unwrap_or(b' ');
            !matches!(before, b'=' | b'!' | b'<' | b'>' | b':') && !matches!(after, b'=' | b'>' | b'~')
        })
        .take(2)
        .count()
}

/// Whether one of the keys of a connection stands on the line, in front of `=`.
fn names_a_connection(line: &str) -> bool {
    const KEYS: &[&str] = &[
        "host",
        "hostname",
        "server",
        "data source",
        "datasource",
        "database",
        "initial catalog",
        "user id",
        "userid",
        "username",
        "uid",
        "addr",
        "address",
        "dbname",
    ];
    memchr::memchr_iter(b'=', line.as_bytes()).any(|at| {
        let before = line[..at].trim_end();
        KEYS.iter().any(|key| {
            before.len() >= key.len()
                && before.is_char_boundary(before.len() - key.len())
                && before[before.len() - key.len()..].eq_ignore_ascii_case(key)
                && !before[..before.len() - key.len()].ends_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    })
}

/// The quote that is open at the end of `before`, if one is.
fn line_opens(before: &[u8]) -> Option<u8> {
    let mut open = None;
    let mut escaped = false;
    for &byte in before {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' | b'\'' | b'`' => match open {
                None => open = Some(byte),
                Some(mark) if mark == byte => open = None,
                Some(_) => {}
            },
            _ => {}
        }
    }
    open
}

/// `a=b;c=d`: no space around any sign, as in a connection string and unlike in code.
fn is_tight(line: &str) -> bool {
    !line.contains(" = ") && line.matches(';').count() >= 2
}

/// `a=b;c d=e`: a line of nothing but pairs between semicolons.
fn is_separated_pairs(line: &str) -> bool {
    !line.contains(" = ")
        && line.trim().trim_end_matches(';').split(';').all(|pair| {
            pair.split_once('=').is_some_and(|(key, value)| {
                let key = key.trim();
                !key.is_empty()
                    && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'_'))
                    && !value.is_empty()
                    && !value.contains(['(', ')', '{', '}', '"', '\''])
            })
        })
}

/// A line of nothing but words and `name=value` pairs without brackets, as in a `.pgservice` or a shell variable.
fn is_plain_pairs(line: &str) -> bool {
    !line.contains(['(', ')', '{', '}', ',', '[', '<', '>', '+'])
        && !line.contains(" = ")
        && !line.contains(";")
}
