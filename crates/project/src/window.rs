//! Matching lines with their context, as `grep -C` prints them, under a cap (spec `project.md` 5.9 and 15). It
//! does not know how a match is found, only where.

use memchr::{memchr, memrchr};

use crate::cut::{self, PLACEHOLDER_BYTES_MAX};
use crate::escape::push_line;

/// A matching line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchLine {
    /// The line, from 0.
    pub line: usize,
    /// A byte inside the line (its start, or a hit in it).
    pub at: usize,
}

/// How much a search answer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowLimits {
    /// Lines of context on each side.
    pub context_lines: usize,
    /// Matching lines that are shown.
    pub max_results: usize,
    /// Characters of the answer.
    pub max_chars: usize,
}

/// A search answer in the making: files in ordinal order, each with its matching lines.
#[derive(Clone, Debug)]
pub struct Windows {
    limits: WindowLimits,
    text: String,
    chars: usize,
    matching: u64,
    chosen: usize,
    shown: u64,
    is_full: bool,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The lines, without a final line end.
    pub text: String,
    /// Matching lines of all files.
    pub matching_lines: u64,
    /// Matching lines whose window was written completely.
    pub shown_lines: u64,
}

impl Found {
    /// `[N more matching lines not shown ...]`, when there are any.
    pub fn not_shown_trailer(&self) -> Option<String> {
        let lines = match self.matching_lines - self.shown_lines {
            0 => return None,
            1 => "1 more matching line".to_owned(),
            more => format!("{more} more matching lines"),
        };
        Some(format!("[{lines} not shown; narrow the pattern or the globs, or raise max_results]"))
    }
}

/// The trailer of an answer without a match. `filters` are the arguments in force, written as `name=value`;
/// values are the caller's own and are escaped to one line here.
pub fn no_match_trailer(files_searched: u64, filters: &[String]) -> String {
    let mut trailer = format!("[No matching line in {files_searched} file");
    trailer.push_str(if files_searched == 1 { " searched" } else { "s searched" });
    for (at, filter) in filters.iter().enumerate() {
        trailer.push_str(if at == 0 { "; filters in force: " } else { ", " });
        let echo = cut::prefix(filter, fault::ARGUMENT_ECHO_CHARS);
        crate::escape::push_visible(echo, &mut trailer);
        if echo.len() < filter.len() {
            trailer.push('…');
        }
    }
    trailer.push(']');
    trailer
}

impl Windows {
    /// An empty answer.
    pub fn new(limits: WindowLimits) -> Windows {
        Windows { limits, text: String::new(), chars: 0, matching: 0, chosen: 0, shown: 0, is_full: false }
    }

    /// Whether no further match can be shown, so that [`Windows::count`] is enough for the files to come.
    pub fn is_full(&self) -> bool {
        self.is_full || self.chosen >= self.limits.max_results
    }

    /// Counts matching lines that are not shown.
    pub fn count(&mut self, matching_lines: u64) {
        self.matching += matching_lines;
    }

    /// Adds a file. `label` is its path as it is printed ([`crate::escape::search_label`]), `text` its whole
    /// prepared text, `matches` its matching lines in ascending order.
    pub fn file(&mut self, label: &str, text: &str, matches: &[MatchLine]) {
        self.matching += matches.len() as u64;
        if self.is_full() {
            return;
        }
        let chosen = &matches[..matches.len().min(self.limits.max_results - self.chosen)];
        self.chosen += chosen.len();
        let context = self.limits.context_lines;
        let mut from = 0;
        while from < chosen.len() && !self.is_full {
            // Windows that touch or overlap are one group, as grep prints them.
            let gap = |pair: &[MatchLine]| pair[1].line - pair[0].line > 2 * context + 1;
            let length = chosen[from..].windows(2).position(gap).map_or(chosen.len() - from, |at| at + 1);
            self.group(label, text, &chosen[from..from + length]);
            from += length;
        }
    }

    /// The answer.
    pub fn finish(self) -> Found {
        Found { text: self.text, matching_lines: self.matching, shown_lines: self.shown }
    }

    fn group(&mut self, label: &str, text: &str, group: &[MatchLine]) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
        let context = self.limits.context_lines;
        if context > 0 && !self.text.is_empty() && !self.put("--") {
            return;
        }
        let (mut start, mut number) = (line_start(text, first.at), first.line);
        while number > 0 && first.line - number < context {
            start = line_start(text, start - 1);
            number -= 1;
        }
        // Matches whose own line is written and whose window is not finished yet.
        let (mut begun, mut finished) = (0, 0);
        let mut out = String::new();
        let mut next_start = Some(start);
        while let Some(start) = next_start
            && number <= last.line + context
        {
            let end = memchr(b'\n', &text.as_bytes()[start..]).map(|ahead| start + ahead);
            let line = &text[start..end.unwrap_or(text.len())];
            let line = if end.is_some() { line.strip_suffix('\r').unwrap_or(line) } else { line };
            // Escapes only lengthen a line, so what lies further is cut below in any case.
            let reach = self.limits.max_chars + PLACEHOLDER_BYTES_MAX;
            let line = line.char_indices().nth(reach).map_or(line, |(at, _)| &line[..at]);
            let is_match = group.get(begun).is_some_and(|next| next.line == number);
            let mark = if is_match { ':' } else { '-' };
            out.clear();
            out.push_str(label);
            out.push(mark);
            out.push_str(&(number + 1).to_string());
            out.push(mark);
            push_line(line, &mut out);
            if !self.put(&out) {
                return;
            }
            begun += usize::from(is_match);
            next_start = end.map(|end| end + 1);
            while finished < begun && (next_start.is_none() || number >= group[finished].line + context) {
                finished += 1;
                self.shown += 1;
            }
            number += 1;
        }
    }

    /// Writes one more line, or as much of it as the cap leaves; says whether it was written completely.
    fn put(&mut self, line: &str) -> bool {
        let separator = usize::from(!self.text.is_empty());
        let room = self.limits.max_chars.saturating_sub(self.chars + separator);
        let kept = cut::prefix(line, room);
        if !kept.is_empty() {
            if separator > 0 {
                self.text.push('\n');
            }
            self.text.push_str(kept);
            self.chars += separator + kept.chars().count();
        }
        self.is_full = kept.len() < line.len();
        !self.is_full
    }
}

/// The start of the line that holds the byte at `at`.
fn line_start(text: &str, at: usize) -> usize {
    memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests;
