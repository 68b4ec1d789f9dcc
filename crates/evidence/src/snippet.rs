//! The part of a long line that a hit shows. It counts UTF-16 code units and knows no terms.

use std::ops::Range;

use crate::limits::SNIPPET_UTF16_MAX;

/// The bytes of `line` that a snippet shows: all of a line of at most 500 units; else 500 with `hit` as near the
/// middle as the ends of the line allow, or 499 where one more would split a surrogate pair.
pub(crate) fn around(line: &str, hit: &Range<usize>) -> Range<usize> {
    if line.len() <= SNIPPET_UTF16_MAX {
        return 0..line.len();
    }
    let units = utf16(line);
    if units <= SNIPPET_UTF16_MAX {
        return 0..line.len();
    }
    let before = utf16(&line[..hit.start]);
    let beside = SNIPPET_UTF16_MAX.saturating_sub(utf16(&line[hit.clone()]));
    let start = before.saturating_sub(beside / 2).min(units - SNIPPET_UTF16_MAX);
    let end = start + SNIPPET_UTF16_MAX;
    match (place(line, start), place(line, end)) {
        (Place::Between(start), Place::Between(end)) => start..end,
        (Place::Inside(_, after), Place::Between(end)) => after..end,
        (Place::Between(start), Place::Inside(before, _)) => start..before,
        // One unit to the left splits neither pair.
        (Place::Inside(start, _), Place::Inside(end, _)) => start..end,
    }
}

pub(crate) fn utf16(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// A place in a line: between two characters, or inside of one that takes two units.
enum Place {
    Between(usize),
    /// The bytes where the character begins and ends.
    Inside(usize, usize),
}

fn place(line: &str, unit: usize) -> Place {
    let mut at = 0;
    for (byte, c) in line.char_indices() {
        if at == unit {
            return Place::Between(byte);
        }
        at += c.len_utf16();
        if at > unit {
            return Place::Inside(byte, byte + c.len_utf8());
        }
    }
    Place::Between(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(line: &str, hit: &str) -> String {
        let at = line.find(hit).unwrap();
        line[around(line, &(at..at + hit.len()))].to_owned()
    }

    #[test]
    fn a_line_of_500_units_is_whole_and_one_of_501_is_cut() {
        for (units, expected) in [(499, 499), (500, 500), (501, 500)] {
            let line = format!("needle{}", "x".repeat(units - 6));
            assert_eq!(shown(&line, "needle").len(), expected, "{units}");
        }
        let wide = format!("needle{}", "😀".repeat(247));
        assert_eq!((utf16(&wide), shown(&wide, "needle")), (500, wide.clone()));
    }

    #[test]
    fn a_match_at_the_start_the_middle_and_the_end_of_10_000_characters() {
        let line = |before: usize| format!("{}needle{}", "a".repeat(before), "b".repeat(9_994 - before));
        let start = shown(&line(0), "needle");
        assert_eq!(start, format!("needle{}", "b".repeat(494)));
        let middle = shown(&line(5_000), "needle");
        assert_eq!(middle, format!("{}needle{}", "a".repeat(247), "b".repeat(247)));
        let end = shown(&line(9_994), "needle");
        assert_eq!(end, format!("{}needle", "a".repeat(494)));
        // Near an end, the match moves out of the middle and the snippet stays whole.
        let near = shown(&line(100), "needle");
        assert_eq!(near, format!("{}needle{}", "a".repeat(100), "b".repeat(394)));
    }

    #[test]
    fn a_pair_at_either_cut_is_left_out_and_two_of_them_move_the_snippet() {
        let at_end = format!("x{}{}", "y".repeat(498), "😀".repeat(300));
        assert_eq!(utf16(&shown(&at_end, "x")), 499);
        let at_start = format!("{}{}x", "😀".repeat(300), "y".repeat(498));
        assert_eq!(utf16(&shown(&at_start, "x")), 499);
        let both = format!("{}x{}y{}", "😀".repeat(400), "", "😀".repeat(400));
        let cut = shown(&both, "x");
        assert!(utf16(&cut) >= 499 && cut.contains('x'), "{}", utf16(&cut));
        let all = "😀".repeat(1_000);
        let odd = all.len() / 2;
        assert_eq!(utf16(&all[around(&all, &(odd..odd + 4))]), 500);
    }

    proptest! {
        #[test]
        fn a_snippet_has_its_length_and_its_match(before in "[a😀é]{0,400}", after in "[a😀é]{0,400}") {
            let line = format!("{before}needle{after}");
            let hit = before.len()..before.len() + 6;
            let cut = around(&line, &hit);
            let length = utf16(&line[cut.clone()]);
            prop_assert!(cut.start <= hit.start && hit.end <= cut.end);
            match utf16(&line) {
                whole @ 0..=500 => prop_assert_eq!(length, whole),
                _ => prop_assert!(length == 500 || length == 499),
            }
        }
    }
}
