//! Runs a pattern over the lines of a text, under a clock. It knows which ranges must not match, not why.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fault::{Stop, Watch};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::backtrack;
use regex_automata::{Anchored, Input, MatchErrorKind};

use crate::pattern::Pattern;

/// How much text is scanned between two looks at the clock, in bytes.
const STRIDE_BYTES: usize = 64 * 1024;

/// Why a scan ended before the end of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchStop {
    /// The pattern needs too much work for its text, or the clock ran out.
    #[error("the pattern is too expensive for this text")]
    TooExpensive,
    /// The call was stopped from outside.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// Matching time that all scans of one call share. Reading and redacting do not count.
#[derive(Debug)]
pub struct Clock {
    spent_nanos: AtomicU64,
    limit_nanos: u64,
}

impl Clock {
    /// A clock that allows `limit` of matching.
    pub fn new(limit: Duration) -> Self {
        Clock {
            spent_nanos: AtomicU64::new(0),
            limit_nanos: u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX),
        }
    }

    fn charge(&self, since: Instant) -> Result<Instant, SearchStop> {
        let now = Instant::now();
        let nanos = u64::try_from((now - since).as_nanos()).unwrap_or(u64::MAX);
        let before = self.spent_nanos.fetch_add(nanos, Ordering::Relaxed);
        if before.saturating_add(nanos) > self.limit_nanos { Err(SearchStop::TooExpensive) } else { Ok(now) }
    }
}

/// One thread's scanning state for a pattern.
#[derive(Debug)]
pub struct Matcher<'p> {
    pattern: &'p Pattern,
    states: Cache,
    line_states: Cache,
    ascii_states: Option<Cache>,
    exact_states: Option<backtrack::Cache>,
}

impl<'p> Matcher<'p> {
    /// A fresh state for `pattern`.
    pub fn new(pattern: &'p Pattern) -> Self {
        Matcher {
            states: pattern.scanner.create_cache(),
            line_states: pattern.judge.create_cache(),
            ascii_states: pattern.boundary.as_ref().map(|boundary| boundary.ascii.create_cache()),
            exact_states: pattern.boundary.as_ref().map(|boundary| boundary.exact.create_cache()),
            pattern,
        }
    }

    /// Calls `found` with the number (from 0) and the range (without its line end) of every line of `text`
    /// that holds a match outside the `excluded` ranges, which are sorted and disjoint.
    ///
    /// LF and CRLF end a line; the piece after the last line end is a line too, even when it is empty, and an
    /// empty text has no line (contract "Tools", spec `project.md` 5.8 and 5.9).
    ///
    /// # Errors
    /// [`SearchStop`] when the pattern is too expensive or the call was stopped; lines reported so far stand.
    pub fn matching_lines(
        &mut self,
        text: &str,
        excluded: &[Range<usize>],
        clock: &Clock,
        watch: &dyn Watch,
        found: &mut dyn FnMut(usize, Range<usize>),
    ) -> Result<(), SearchStop> {
        if text.is_empty() {
            return Ok(());
        }
        let bytes = text.as_bytes();
        let mut since = Instant::now();
        let (mut at, mut line) = (0, 0);
        loop {
            watch.check()?;
            since = clock.charge(since)?;
            let stride_end = stride_end(bytes, at);
            // A match may look at the byte after its line, so the haystack goes on past the stride.
            let input = Input::new(text).range(at..stride_end).anchored(Anchored::No).earliest(true);
            let hit = match self.pattern.scanner.try_search_fwd(&mut self.states, &input) {
                Ok(hit) => hit.map(|half| (half.offset(), true)),
                Err(error) => match error.kind() {
                    // A byte that the scanner cannot judge: its line is judged alone.
                    MatchErrorKind::Quit { offset, .. } => Some((*offset, false)),
                    _ => return Err(SearchStop::TooExpensive),
                },
            };
            let (next, is_line_next) = match hit {
                None if stride_end == bytes.len() => {
                    clock.charge(since)?;
                    return Ok(());
                }
                None => (stride_end, false),
                Some((offset, is_match)) => {
                    let range = line_around(bytes, offset);
                    line += newlines(&bytes[at..range.start]);
                    let is_exact = is_match && is_plain(bytes, &range, excluded);
                    if is_exact || self.line_matches(text, range.clone(), excluded)? {
                        found(line, range.clone());
                    }
                    match memchr::memchr(b'\n', &bytes[range.end..]) {
                        Some(ahead) => (range.end + ahead + 1, true),
                        None => {
                            clock.charge(since)?;
                            return Ok(());
                        }
                    }
                }
            };
            line += if is_line_next { 1 } else { newlines(&bytes[at..next]) };
            at = next;
        }
    }

    /// Judges one line as a text of its own, skipping the excluded ranges.
    fn line_matches(
        &mut self,
        text: &str,
        line: Range<usize>,
        excluded: &[Range<usize>],
    ) -> Result<bool, SearchStop> {
        let first = excluded.partition_point(|range| range.end <= line.start);
        let mut from = line.start;
        for range in excluded[first..].iter().take_while(|range| range.start < line.end) {
            if self.piece_matches(text, &line, from..range.start.max(from))? {
                return Ok(true);
            }
            from = range.end.min(line.end);
        }
        self.piece_matches(text, &line, from..line.end)
    }

    fn piece_matches(
        &mut self,
        text: &str,
        line: &Range<usize>,
        piece: Range<usize>,
    ) -> Result<bool, SearchStop> {
        // An excluded neighbour leaves no room for even an empty match.
        if piece.is_empty() && !line.is_empty() {
            return Ok(false);
        }
        let haystack = &text[line.clone()];
        let span = piece.start - line.start..piece.end - line.start;
        let input = Input::new(haystack).range(span).earliest(true);
        match search(&self.pattern.judge, &mut self.line_states, &input)? {
            Some(is_match) => Ok(is_match),
            None => self.judge_beyond_ascii(&input),
        }
    }

    /// Judges a piece on which the scanner met non-ASCII text beside a word boundary.
    fn judge_beyond_ascii(&mut self, input: &Input<'_>) -> Result<bool, SearchStop> {
        let (Some(boundary), Some(exact), Some(ascii)) =
            (&self.pattern.boundary, &mut self.exact_states, &mut self.ascii_states)
        else {
            return Err(SearchStop::TooExpensive);
        };
        match boundary.exact.try_is_match(exact, input.clone()) {
            Ok(is_match) => Ok(is_match),
            Err(_) => search(&boundary.ascii, ascii, input)?.ok_or(SearchStop::TooExpensive),
        }
    }
}

/// `None` when the automaton quits at a byte that it cannot judge.
fn search(dfa: &DFA, states: &mut Cache, input: &Input<'_>) -> Result<Option<bool>, SearchStop> {
    match dfa.try_search_fwd(states, input) {
        Ok(hit) => Ok(Some(hit.is_some())),
        Err(error) => match error.kind() {
            MatchErrorKind::Quit { .. } => Ok(None),
            _ => Err(SearchStop::TooExpensive),
        },
    }
}

/// The end of the piece that is scanned next: just behind a line feed, or the end of the text.
fn stride_end(bytes: &[u8], at: usize) -> usize {
    let wanted = at + STRIDE_BYTES;
    if wanted >= bytes.len() {
        return bytes.len();
    }
    memchr::memchr(b'\n', &bytes[wanted..]).map_or(bytes.len(), |ahead| wanted + ahead + 1)
}

/// The line that holds `offset`, without its line end.
fn line_around(bytes: &[u8], offset: usize) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &bytes[..offset]).map_or(0, |before| before + 1);
    let feed = memchr::memchr(b'\n', &bytes[offset..]).map(|ahead| offset + ahead);
    let mut end = feed.unwrap_or(bytes.len());
    if feed.is_some() && end > start && bytes[end - 1] == b'\r' {
        end -= 1;
    }
    start..end
}

/// Whether a match on this line, found among many lines, is a match on the line alone: without a carriage
/// return its ends look the same from both sides, and nothing on it is excluded.
fn is_plain(bytes: &[u8], line: &Range<usize>, excluded: &[Range<usize>]) -> bool {
    let next = excluded.partition_point(|range| range.end <= line.start);
    excluded.get(next).is_none_or(|range| range.start >= line.end)
        && bytes.get(line.end) != Some(&b'\r')
        && memchr::memchr(b'\r', &bytes[line.clone()]).is_none()
}

fn newlines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

#[cfg(test)]
mod tests;
