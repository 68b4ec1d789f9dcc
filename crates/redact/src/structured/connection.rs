//! Passwords of connection strings, in any text: `Server=db;User Id=app;Password=…`, `jdbc:…&password=…`, and calls that
//! name a host and a password. It knows no file shape.

use std::collections::VecDeque;
use std::ops::Range;

use super::trimmed;
use crate::effort::Effort;
use crate::finding::Uninspectable;
use crate::template::is_template;

pub(crate) const RULE: &str = "connection-password";
/// How far a connection string reaches to either side of its password.
const REACH_BYTES: usize = 1_024;
/// How many blanks may stand between a key and its sign.
const MAX_BLANKS: usize = 16;

/// What stands in reach of a password. Passwords come in the order of the text, so a long line is read once, however
/// many passwords stand on it.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// How far the text was read.
    read: usize,
    /// Where `name=value` pairs have their sign.
    pairs: VecDeque<usize>,
    /// Where keys of a connection begin.
    keys: VecDeque<usize>,
    /// Where `jdbc:` stands.
    jdbc: VecDeque<usize>,
}

impl Reach {
    /// Reads on to the end of `line` and forgets what stands before it; gives the number of bytes read.
    fn move_to(&mut self, text: &str, line: &Range<usize>) -> usize {
        let from = self.read.max(line.start);
        self.read = from.max(line.end);
        for at in memchr::memchr2_iter(b'=', b':', &text.as_bytes()[from..self.read]).map(|i| from + i) {
            if text.as_bytes()[at] == b':' {
                if text[..at].ends_with("jdbc") {
                    self.jdbc.push_back(at - 4);
                }
                continue;
            }
            if is_pair(text.as_bytes(), at) {
                self.pairs.push_back(at);
            }
            if let Some(key) = connection_key(text, at) {
                self.keys.push_back(key);
            }
        }
        for places in [&mut self.pairs, &mut self.keys, &mut self.jdbc] {
            while places.front().is_some_and(|&at| at < line.start) {
                places.pop_front();
            }
        }
        self.read - from
    }
}

/// The value of the assignment whose `password` or `pwd` stands at `word`. What is read for it is counted as work.
///
/// # Errors
/// When the text costs too much.
pub(crate) fn password(
    text: &str,
    word: Range<usize>,
    reach: &mut Reach,
    effort: &mut Effort<'_>,
) -> Result<Option<Range<usize>>, Uninspectable> {
    let Some((line, at)) = assignment(text, word.clone()) else { return Ok(None) };
    effort.spend(reach.move_to(text, &line))?;
    let jdbc = !reach.jdbc.is_empty();
    if !(jdbc || reach.pairs.len() >= 2 && !reach.keys.is_empty()) {
        return Ok(None);
    }
    effort.spend(line.len())?;
    Ok(value(text, word, line, at, jdbc))
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

fn value(text: &str, word: Range<usize>, line: Range<usize>, at: usize, jdbc: bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let Range { start: line_start, end: line_end } = line;
    let spaces = bytes[at..].iter().take(3).take_while(|&&b| b == b' ').count();
    let line = &text[line_start..line_end];
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

/// Whether the `=` at `at` gives a value to a name; comparisons do not.
fn is_pair(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map_or(b' ', |i| bytes[i]);
    let after = bytes.get(at + 1).copied().unwrap_or(b' ');
    !matches!(before, b'=' | b'!' | b'<' | b'>' | b':') && !matches!(after, b'=' | b'>' | b'~')
}

/// Where the key of a connection begins that stands in front of the `=` at `at`.
fn connection_key(text: &str, at: usize) -> Option<usize> {
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
    let bytes = text.as_bytes();
    let blanks = bytes[..at].iter().rev().take(MAX_BLANKS).take_while(|b| matches!(b, b' ' | b'\t')).count();
    let end = at - blanks;
    KEYS.iter().find_map(|key| {
        let start = end.checked_sub(key.len())?;
        let is_whole = || !text[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        (bytes[start..end].eq_ignore_ascii_case(key.as_bytes()) && is_whole()).then_some(start)
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
