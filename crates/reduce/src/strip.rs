//! From what is taken out to the edits of a text: lines that are left empty go, white space is joined, blank lines are
//! removed or kept to one.
//!
//! Knows no syntax: it sees lines, removals, and ranges that nothing else may touch.

use std::ops::Range;

use crate::edit::Edit;
use crate::survey::{How, Removal};
use crate::tier::Wanted;

/// The edits for `removals` (sorted, disjoint), and for blank lines outside `protected` as far as `wanted` asks.
///
/// `joint` stands for a comment that kept two tokens apart. Edits that touch are one.
pub(crate) fn edits(
    text: &str,
    removals: &[Removal],
    protected: &[Range<usize>],
    wanted: Wanted,
    joint: &'static str,
) -> Vec<Edit> {
    let mut out = Vec::with_capacity(removals.len());
    let mut removals = removals.iter().peekable();
    while let Some(removal) = removals.next() {
        let mut range = removal.cut.range.clone();
        if removal.how == How::Exactly {
            out.push(Edit { range, with: removal.cut.with.clone() });
            continue;
        }
        // Comments with nothing but blanks between them go together.
        while let Some(next) = removals.next_if(|next| {
            next.how == How::Tidily
                && next.cut.with.is_empty()
                && text[range.end..next.cut.range.start].bytes().all(|byte| byte == b' ' || byte == b'\t')
        }) {
            range.end = next.cut.range.end;
        }
        out.push(tidy(text, range, joint));
    }
    with_blank_lines(text, out, protected, wanted)
}

/// The edit that removes a comment together with what it leaves behind.
fn tidy(text: &str, range: Range<usize>, joint: &'static str) -> Edit {
    let blank = |c: char| c == ' ' || c == '\t' || c == '\x0c';
    let line_start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    let before = &text[line_start..range.start];
    let after = text[range.end..line_end].strip_suffix('\r').unwrap_or(&text[range.end..line_end]);
    let left = range.start - (before.len() - before.trim_end_matches(blank).len());
    let right = range.end + (after.len() - after.trim_start_matches(blank).len());
    let (alone_before, alone_after) = (before.trim().is_empty(), after.trim().is_empty());
    let remove = |range, with: &'static str| Edit { range, with: with.into() };
    match (alone_before, alone_after) {
        (true, true) => remove(line_start..(line_end + 1).min(text.len()), ""),
        (true, false) => remove(range.start..right, ""),
        (false, true) => remove(left..range.end + after.len(), ""),
        (false, false) if text[range.clone()].contains('\n') && !joint.is_empty() => {
            let ending = if text[range.clone()].contains("\r\n") { "\r\n" } else { "\n" };
            remove(left..right, ending)
        }
        (false, false) if left < range.start && after.trim_start().starts_with([')', ']', ',', ';']) => {
            remove(left..range.end, "")
        }
        (false, false) if left < range.start => remove(range.start..right, ""),
        (false, false) if right > range.end && before.ends_with(['(', '[']) => remove(range.start..right, ""),
        (false, false) if right > range.end => remove(range, ""),
        (false, false)
            if before.ends_with(['(', '[', '{', ',', ';']) || after.starts_with([')', ']', ',', ';']) =>
        {
            remove(range, "")
        }
        (false, false) => remove(range, joint),
    }
}

/// Adds the removal of blank lines: of all, or of those beyond one around lines that went.
fn with_blank_lines(
    text: &str,
    mut edits: Vec<Edit>,
    protected: &[Range<usize>],
    wanted: Wanted,
) -> Vec<Edit> {
    let mut blank = Vec::new();
    let mut run = Run { at_start: true, ..Run::default() };
    let mut edits_from = 0;
    let mut protected_from = 0;
    let mut continued = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        edits_from += edits[edits_from..].iter().take_while(|edit| edit.range.end <= start).count();
        protected_from += protected[protected_from..].iter().take_while(|range| range.end <= start).count();
        let edit = edits.get(edits_from).filter(|edit| edit.range.start < end);
        let is_content = protected.get(protected_from).is_some_and(|range| range.start < end);
        match edit {
            Some(edit) if is_whole_lines(text, edit) => run.gone = true,
            None if line.trim().is_empty() && !continued && !is_content => run.blank.push(start..end),
            _ => run.finish(wanted, &mut blank),
        }
        // A blank line ends what a backslash before it goes on with.
        continued = line.trim_end().ends_with('\\');
        start = end;
    }
    run.finish(wanted, &mut blank);
    edits.extend(blank.into_iter().map(|range| Edit { range, with: "".into() }));
    edits.sort_by_key(|edit| edit.range.start);
    merged(edits)
}

fn is_whole_lines(text: &str, edit: &Edit) -> bool {
    let at_line_start = |at: usize| at == 0 || text.as_bytes()[at - 1] == b'\n';
    edit.with.is_empty()
        && at_line_start(edit.range.start)
        && (at_line_start(edit.range.end) || edit.range.end == text.len())
}

/// Neighbouring lines that are blank or went.
#[derive(Default)]
struct Run {
    blank: Vec<Range<usize>>,
    gone: bool,
    at_start: bool,
}

impl Run {
    fn finish(&mut self, wanted: Wanted, removed: &mut Vec<Range<usize>>) {
        let kept = match (wanted.blank_lines, self.gone) {
            (true, _) => 0,
            // Nothing comes before the first line that a blank one would keep apart.
            (false, true) => usize::from(!self.at_start),
            (false, false) => self.blank.len(),
        };
        removed.extend(self.blank.drain(..).skip(kept));
        *self = Run::default();
    }
}

fn merged(edits: Vec<Edit>) -> Vec<Edit> {
    let mut out: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match out.last_mut() {
            Some(last)
                if last.range.end == edit.range.start && last.with.is_empty() && edit.with.is_empty() =>
            {
                last.range.end = edit.range.end;
            }
            _ => out.push(edit),
        }
    }
    out
}

#[cfg(test)]
mod tests;
