//! Literal terms and the lines of a text that hold them. It knows which bytes must not match, not why, and no file.

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem::Finder;

/// A line that holds at least one term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// From 1.
    pub(crate) line: u64,
    /// The line without its line end, in bytes of the text.
    pub(crate) range: Range<usize>,
    /// Distinct terms in the line.
    pub(crate) score: usize,
    /// The first match in the line: the earliest one, and the longest of those.
    pub(crate) first: Range<usize>,
    /// Whether no line follows.
    pub(crate) is_last: bool,
}

/// The distinct terms of one search.
pub(crate) struct Terms {
    any: AhoCorasick,
    each: Vec<Finder<'static>>,
}

impl Terms {
    /// Duplicates collapse. `None` when no automaton can be made of the terms.
    pub(crate) fn new(terms: &[String]) -> Option<Terms> {
        let mut distinct: Vec<&str> = terms.iter().map(String::as_str).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let any = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(&distinct).ok()?;
        let each = distinct.into_iter().map(|term| Finder::new(term).into_owned()).collect();
        Some(Terms { any, each })
    }

    /// The first `most` lines of `text` that hold a term outside of the `excluded` ranges, which are sorted and
    /// disjoint.
    pub(crate) fn lines(&self, text: &str, excluded: &[Range<usize>], most: usize) -> Vec<Found> {
        let bytes = text.as_bytes();
        let mut found = Vec::new();
        let (mut at, mut line) = (0, 1);
        while found.len() < most {
            let input = aho_corasick::Input::new(bytes).range(at..);
            let Some(hit) = self.any.find(input) else { break };
            let start = memchr::memrchr(b'\n', &bytes[at..hit.start()]).map_or(at, |before| at + before + 1);
            line += memchr::memchr_iter(b'\n', &bytes[at..start]).count() as u64;
            let feed = memchr::memchr(b'\n', &bytes[hit.end()..]).map(|ahead| hit.end() + ahead);
            let range = start..without_return(bytes, start, feed);
            let next = feed.map_or(bytes.len(), |feed| feed + 1);
            if let Some((score, first)) = self.judge(text, &range, excluded) {
                found.push(Found { line, range, score, first, is_last: next == bytes.len() });
            }
            if next == bytes.len() {
                break;
            }
            (at, line) = (next, line + 1);
        }
        found
    }

    /// How many terms the line holds and where the first one stands.
    fn judge(
        &self,
        text: &str,
        line: &Range<usize>,
        excluded: &[Range<usize>],
    ) -> Option<(usize, Range<usize>)> {
        let mut score = 0;
        let mut first: Option<Range<usize>> = None;
        for term in &self.each {
            let Some(at) = self.find(term, text, line, excluded) else { continue };
            let range = at..at + term.needle().len();
            score += 1;
            let is_better = first.as_ref().is_none_or(|best| {
                range.start < best.start || range.start == best.start && range.end > best.end
            });
            if is_better {
                first = Some(range);
            }
        }
        first.map(|first| (score, first))
    }

    /// The first place of a term in the pieces of the line between excluded ranges.
    fn find(
        &self,
        term: &Finder<'_>,
        text: &str,
        line: &Range<usize>,
        excluded: &[Range<usize>],
    ) -> Option<usize> {
        let skip = excluded.partition_point(|range| range.end <= line.start);
        let inside = excluded[skip..].iter().take_while(|range| range.start < line.end);
        let mut from = line.start;
        for range in inside {
            let piece = from..range.start.max(from);
            if let Some(at) = term.find(&text.as_bytes()[piece]) {
                return Some(from + at);
            }
            from = range.end.min(line.end);
        }
        term.find(&text.as_bytes()[from..line.end]).map(|at| from + at)
    }
}

/// Where the line ends without its carriage return, which counts only before a line feed.
fn without_return(bytes: &[u8], start: usize, feed: Option<usize>) -> usize {
    match feed {
        Some(feed) if feed > start && bytes[feed - 1] == b'\r' => feed - 1,
        Some(feed) => feed,
        None => bytes.len(),
    }
}

#[cfg(test)]
mod tests;
