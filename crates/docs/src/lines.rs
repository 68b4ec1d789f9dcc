//! Which lines differ between two texts, and two changes of one text put together where they do not meet. It knows no
//! node and no file.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Lines of one side times lines of the other above which two texts count as wholly different in their middle, so that
/// no pair of texts takes long to compare.
const EFFORT_MAX: usize = 16_000_000;
/// Lines of context around a hunk.
const CONTEXT_LINES: usize = 3;

/// A run of lines that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Lines of the old text, from 0.
    pub old: Range<usize>,
    /// Lines of the new text, from 0.
    pub new: Range<usize>,
}

/// The lines of a text, each with its line end.
pub fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The runs that differ, in order; equal texts have none.
pub fn changes(old: &[&str], new: &[&str]) -> Vec<Change> {
    let same_start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[same_start..], &new[same_start..]);
    let same_end =
        old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let old_middle = &old_rest[..old_rest.len() - same_end];
    let new_middle = &new_rest[..new_rest.len() - same_end];
    if old_middle.is_empty() && new_middle.is_empty() {
        return Vec::new();
    }
    if old_middle.len().saturating_mul(new_middle.len()) > EFFORT_MAX {
        let whole = Change {
            old: same_start..same_start + old_middle.len(),
            new: same_start..same_start + new_middle.len(),
        };
        return vec![whole];
    }
    // Only what is equal is asked for: the runs between are the changes, whatever the library calls them.
    let mut changes: Vec<Change> = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    let mut push = |old: Range<usize>, new: Range<usize>| {
        if !old.is_empty() || !new.is_empty() {
            let shift = |range: Range<usize>| range.start + same_start..range.end + same_start;
            changes.push(Change { old: shift(old), new: shift(new) });
        }
    };
    for op in capture_diff_slices(Algorithm::Myers, old_middle, new_middle) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            push(old_at..old_index, new_at..new_index);
            (old_at, new_at) = (old_index + len, new_index + len);
        }
    }
    push(old_at..old_middle.len(), new_at..new_middle.len());
    changes
}

/// Two changes of `base` put together line by line; `None` where they meet and are not the same.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let (base, ours, theirs) = (lines(base), lines(ours), lines(theirs));
    let our_changes = changes(&base, &ours);
    let their_changes = changes(&base, &theirs);
    let mut out = String::new();
    let mut at = 0;
    let (mut our, mut their) = (our_changes.iter().peekable(), their_changes.iter().peekable());
    loop {
        let (change, side) = match (our.peek(), their.peek()) {
            (None, None) => break,
            (Some(one), None) => (*one, &ours),
            (None, Some(other)) => (*other, &theirs),
            (Some(one), Some(other)) => {
                let is_same = one.old == other.old && ours[one.new.clone()] == theirs[other.new.clone()];
                if is_same {
                    their.next();
                    (*one, &ours)
                } else if one.old.end < other.old.start {
                    (*one, &ours)
                } else if other.old.end < one.old.start {
                    (*other, &theirs)
                } else {
                    // Changes that only touch meet too: nobody can tell which comes first.
                    return None;
                }
            }
        };
        if our.peek().is_some_and(|one| std::ptr::eq(*one, change)) {
            our.next();
        } else {
            their.next();
        }
        out.extend(base[at..change.old.start].iter().copied());
        out.extend(side[change.new.clone()].iter().copied());
        at = change.old.end;
    }
    out.extend(base[at..].iter().copied());
    Some(out)
}

/// A run of changes with the lines around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// First line of the old text, from 1; 0 when the hunk has none of them and stands at the start.
    pub old_start: usize,
    /// Lines of the old text.
    pub old_lines: usize,
    /// First line of the new text, as `old_start`.
    pub new_start: usize,
    /// Lines of the new text.
    pub new_lines: usize,
    /// Each line with ` `, `-` or `+` in front, and with its line end.
    pub lines: Vec<String>,
}

/// The hunks between two texts, with three lines around each.
pub fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    let (old, new) = (lines(old), lines(new));
    let changes = changes(&old, &new);
    let mut groups: Vec<Vec<Change>> = Vec::new();
    for change in changes {
        match groups.last_mut() {
            Some(group)
                if group.last().is_some_and(|last| change.old.start - last.old.end <= 2 * CONTEXT_LINES) =>
            {
                group.push(change);
            }
            _ => groups.push(vec![change]),
        }
    }
    groups.iter().filter_map(|group| hunk(&old, &new, group)).collect()
}

fn hunk(old: &[&str], new: &[&str], group: &[Change]) -> Option<Hunk> {
    let (first, last) = (group.first()?, group.last()?);
    let start = first.old.start.saturating_sub(CONTEXT_LINES);
    let end = (last.old.end + CONTEXT_LINES).min(old.len());
    let new_start = first.new.start - (first.old.start - start);
    let new_end = last.new.end + (end - last.old.end);
    let mut out = Vec::new();
    let mut at = start;
    for change in group {
        out.extend(old[at..change.old.start].iter().map(|line| format!(" {line}")));
        out.extend(old[change.old.clone()].iter().map(|line| format!("-{line}")));
        out.extend(new[change.new.clone()].iter().map(|line| format!("+{line}")));
        at = change.old.end;
    }
    out.extend(old[at..end].iter().map(|line| format!(" {line}")));
    let from_one = |start: usize, end: usize| if start == end { start } else { start + 1 };
    Some(Hunk {
        old_start: from_one(start, end),
        old_lines: end - start,
        new_start: from_one(new_start, new_end),
        new_lines: new_end - new_start,
        lines: out,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Applies hunks the way a patch program does.
    fn apply(old: &str, hunks: &[Hunk]) -> String {
        let old = lines(old);
        let mut out = String::new();
        let mut at = 0;
        for hunk in hunks {
            let start = if hunk.old_lines == 0 { hunk.old_start } else { hunk.old_start - 1 };
            out.extend(old[at..start].iter().copied());
            at = start;
            for line in &hunk.lines {
                let (sign, text) = line.split_at(1);
                if sign != "+" {
                    assert_eq!(old[at], text);
                    at += 1;
                }
                if sign != "-" {
                    out.push_str(text);
                }
            }
        }
        out.extend(old[at..].iter().copied());
        out
    }

    #[test]
    fn changes_apart_are_put_together_and_changes_that_meet_are_not() {
        let base = "a\nb\nc\nd\ne\n";
        assert_eq!(merge(base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n").as_deref(), Some("A\nb\nc\nd\nE\n"));
        assert_eq!(merge(base, "A\nb\nc\nd\ne\n", "x\nb\nc\nd\ne\n"), None);
        assert_eq!(merge(base, "A\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n").as_deref(), Some("A\nb\nc\nd\ne\n"));
        assert_eq!(merge(base, "A\nb\nc\nd\ne\n", "a\nB\nc\nd\ne\n"), None, "they touch");
        assert_eq!(merge(base, "a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\ne\ng\n"), None, "both add at one place");
        assert_eq!(merge(base, "", "a\nb\nc\nd\nE\n"), None);
        assert_eq!(merge(base, "a\nc\nd\ne\n", "a\nb\nc\nd\n").as_deref(), Some("a\nc\nd\n"));
        assert_eq!(merge("", "x\n", "").as_deref(), Some("x\n"));
    }

    #[test]
    fn hunks_have_three_lines_around_and_join_when_they_are_close() {
        let text = |changed: &[usize]| -> String {
            (1..=20)
                .map(|line| if changed.contains(&line) { format!("x{line}\n") } else { format!("{line}\n") })
                .collect()
        };
        let two = hunks(&text(&[]), &text(&[4, 12]));
        let heads: Vec<_> =
            two.iter().map(|one| (one.old_start, one.old_lines, one.new_start, one.new_lines)).collect();
        assert_eq!(heads, [(1, 7, 1, 7), (9, 7, 9, 7)]);
        assert_eq!(hunks(&text(&[]), &text(&[4, 11])).len(), 1);
        let new = hunks("", "a\nb\n");
        assert_eq!((new[0].old_start, new[0].old_lines, new[0].new_start, new[0].new_lines), (0, 0, 1, 2));
        assert!(hunks("a\n", "a\n").is_empty());
    }

    #[test]
    fn large_texts_that_have_nothing_in_common_are_one_change() {
        let old: String = (0..5_000).map(|line| format!("a{line}\n")).collect();
        let new: String = (0..5_000).map(|line| format!("b{line}\n")).collect();
        let (old, new) = (format!("same\n{old}end\n"), format!("same\n{new}end\n"));
        let changes = changes(&lines(&old), &lines(&new));
        assert_eq!(changes, [Change { old: 1..5_001, new: 1..5_001 }]);
    }

    fn text() -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(vec!["a\n", "b\n", "c\n", "d\n", "\n"]), 0..12)
            .prop_map(|lines| lines.concat())
    }

    proptest! {
        #[test]
        fn hunks_lead_from_the_old_text_to_the_new(old in text(), new in text()) {
            prop_assert_eq!(apply(&old, &hunks(&old, &new)), new);
        }

        #[test]
        fn a_merge_with_nothing_is_the_other_side(base in text(), other in text()) {
            prop_assert_eq!(merge(&base, &other, &base), Some(other.clone()));
            prop_assert_eq!(merge(&base, &base, &other), Some(other.clone()));
            prop_assert_eq!(merge(&base, &other, &other), Some(other));
        }

        #[test]
        fn a_merge_does_not_depend_on_who_is_asked_first(base in text(), one in text(), other in text()) {
            prop_assert_eq!(merge(&base, &one, &other), merge(&base, &other, &one));
        }
    }
}
