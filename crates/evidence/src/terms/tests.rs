//! Lines and matches, compared with the plainest way to find them.

use super::*;
use proptest::prelude::*;

fn terms(terms: &[&str]) -> Terms {
    Terms::new(&terms.iter().map(|term| (*term).to_owned()).collect::<Vec<_>>()).unwrap()
}

fn found(text: &str, wanted: &[&str]) -> Vec<(u64, usize, String)> {
    let lines = terms(wanted).lines(text, &[], usize::MAX);
    lines.into_iter().map(|found| (found.line, found.score, text[found.first].to_owned())).collect()
}

fn hit(line: u64, score: usize, first: &str) -> (u64, usize, String) {
    (line, score, first.to_owned())
}

#[test]
fn a_line_scores_its_distinct_terms_and_the_earliest_longest_match_is_first() {
    assert_eq!(found("a b\nb\nc a a a\n", &["a", "b"]), [hit(1, 2, "a"), hit(2, 1, "b"), hit(3, 1, "a")]);
    assert_eq!(found("xRETRY_LIMIT", &["RETRY", "RETRY_LIMIT", "LIMIT"]), [hit(1, 3, "RETRY_LIMIT")]);
    assert_eq!(found("retry", &["RETRY"]), []);
    assert_eq!(found("aaa", &["a", "a", "aa"]), [hit(1, 2, "aa")]);
    assert_eq!(found(".*", &[".*", "x"]), [hit(1, 1, ".*")]);
    assert_eq!(found("a  b", &[" "]), [hit(1, 1, " ")]);
    assert_eq!(found("", &["a"]), []);
}

#[test]
fn carriage_returns_before_a_line_feed_belong_to_no_line() {
    let text = "x a\r\nx\rb\r\n\r\nx\r";
    let lines: Vec<(u64, &str, bool)> = terms(&["x"])
        .lines(text, &[], 9)
        .into_iter()
        .map(|found| (found.line, &text[found.range.clone()], found.is_last))
        .collect();
    assert_eq!(lines, [(1, "x a", false), (2, "x\rb", false), (4, "x\r", true)]);
    assert!(terms(&["x"]).lines("x\n", &[], 9)[0].is_last);
}

#[test]
fn nothing_matches_in_or_across_excluded_bytes() {
    let lines = |text: &str, wanted: &str, excluded: Range<usize>| {
        terms(&[wanted])
            .lines(text, std::slice::from_ref(&excluded), 9)
            .into_iter()
            .map(|found| found.first.start)
            .collect::<Vec<_>>()
    };
    assert_eq!(lines("ab[XX]ab", "XX", 2..6), Vec::<usize>::new());
    assert_eq!(lines("ab[XX]ab", "b[", 2..6), Vec::<usize>::new());
    assert_eq!(lines("ab[XX]ab", "]a", 2..6), Vec::<usize>::new());
    assert_eq!(lines("xb[XX]ab", "ab", 2..6), [6]);
    // The first bracket is excluded, the two behind it are not.
    assert_eq!(lines("[X]]]", "]]", 0..3), [3]);
}

#[test]
fn no_more_lines_than_asked_for() {
    assert_eq!(terms(&["a"]).lines(&"a\n".repeat(10), &[], 3).len(), 3);
}

proptest! {
    #[test]
    fn the_lines_are_those_of_the_plainest_search(
        text in "[ab\r\né]{0,60}",
        wanted in prop::collection::vec("[abé]{1,3}", 1..4),
        cut in prop::collection::vec(0usize..60, 0..4),
    ) {
        let mut ends: Vec<usize> = cut.iter().map(|at| text.floor_char_boundary((*at).min(text.len()))).collect();
        ends.sort_unstable();
        let excluded: Vec<Range<usize>> =
            ends.chunks_exact(2).map(|pair| pair[0]..pair[1]).filter(|range| !range.is_empty()).collect();
        let ours = Terms::new(&wanted).unwrap().lines(&text, &excluded, usize::MAX);

        let mut distinct = wanted.clone();
        distinct.sort();
        distinct.dedup();
        let free = |from: usize, to: usize| excluded.iter().all(|range| to <= range.start || from >= range.end);
        let mut expected = Vec::new();
        for (number, range) in (1..).zip(content::lines(&text)) {
            let firsts: Vec<Range<usize>> = distinct
                .iter()
                .filter_map(|term| {
                    let ends = range.end.checked_sub(term.len())?;
                    (range.start..=ends).find(|at| {
                        text.as_bytes()[*at..].starts_with(term.as_bytes()) && free(*at, *at + term.len())
                    }).map(|at| at..at + term.len())
                })
                .collect();
            if let Some(first) = firsts.iter().min_by_key(|first| (first.start, std::cmp::Reverse(first.end))) {
                expected.push((number, range.clone(), firsts.len(), first.clone()));
            }
        }
        let ours: Vec<_> =
            ours.into_iter().map(|found| (found.line, found.range, found.score, found.first)).collect();
        prop_assert_eq!(ours, expected);
    }
}
