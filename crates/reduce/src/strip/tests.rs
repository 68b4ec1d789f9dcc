//! Comments and blank lines, and what only looks like them.

use super::*;
use crate::edit::apply;
use crate::signatures::Cut;

const COMMENTS: Wanted = Wanted { bodies: false, comments: true, blank_lines: false };
const BOTH: Wanted = Wanted { bodies: false, comments: true, blank_lines: true };

/// `«…»` marks what is removed tidily, `⟨…⟩` what is protected.
#[track_caller]
fn check(wanted: Wanted, joint: &'static str, marked: &str, expected: &str) {
    let mut text = String::new();
    let (mut removals, mut protected, mut start) = (Vec::new(), Vec::new(), 0);
    for c in marked.chars() {
        match c {
            '«' | '⟨' => start = text.len(),
            '»' => removals
                .push(Removal { cut: Cut { range: start..text.len(), with: "".into() }, how: How::Tidily }),
            '⟩' => protected.push(start..text.len()),
            _ => text.push(c),
        }
    }
    assert_eq!(apply(&text, &edits(&text, &removals, &protected, wanted, joint)), expected);
}

#[test]
fn a_comment_alone_on_its_lines_takes_them_along() {
    check(COMMENTS, " ", "a\n  «/* b\n c */»  \nd", "a\nd");
    check(COMMENTS, " ", "a\n«// b»", "a\n");
    check(COMMENTS, " ", "«// b»", "");
}

#[test]
fn a_comment_behind_code_takes_the_white_space_before_it_along() {
    check(COMMENTS, " ", "a  \t«// b»\r\nc", "a\r\nc");
    check(COMMENTS, " ", "a «/* b\n c */» \nd", "a\nd");
}

#[test]
fn a_comment_before_code_keeps_the_indentation() {
    check(COMMENTS, " ", "  «/* b */» a\n", "  a\n");
    check(COMMENTS, " ", "  «/* b\n  c */» a\n", "  a\n");
}

#[test]
fn a_comment_between_code_leaves_one_gap() {
    check(COMMENTS, " ", "a «/* b */» c\n", "a c\n");
    check(COMMENTS, " ", "a«/* b */» c\n", "a c\n");
    check(COMMENTS, " ", "a «/* b */»c\n", "a c\n");
    check(COMMENTS, " ", "a«/* b */»c\n", "a c\n");
    check(COMMENTS, " ", "a «/* b */», c\n", "a, c\n");
    check(COMMENTS, "", "a«<!-- b -->»c\n", "ac\n");
}

#[test]
fn a_comment_of_several_lines_between_code_leaves_a_line_end() {
    check(COMMENTS, " ", "a «/* b\n*/» c\n", "a\nc\n");
    check(COMMENTS, " ", "a «/* b\r\n*/» c\r\n", "a\r\nc\r\n");
    check(COMMENTS, "", "a «<!--\n-->» c\n", "a c\n");
}

#[test]
fn comments_side_by_side_go_together() {
    check(COMMENTS, " ", "«/* a */» «/* b */»\t«// c»\nd", "d");
    check(COMMENTS, " ", "x «/* a */» «/* b */» y\n", "x y\n");
}

#[test]
fn blank_lines_around_removed_lines_become_one() {
    check(COMMENTS, " ", "a\n\n\n«b»\n\n«c»\n\n\nd\n\n\ne", "a\n\nd\n\n\ne");
    check(COMMENTS, " ", "\n\n«b»\n\nd", "d");
}

#[test]
fn blank_lines_go_where_nothing_protects_them() {
    check(BOTH, " ", "\n \t\na\n\x0c\nb\n\n", "a\nb\n");
    check(BOTH, " ", "a ⟨x\n\ny⟩\n\nb", "a x\n\ny\nb");
    check(BOTH, " ", "a \\\n\nb\n\nc", "a \\\n\nb\nc");
    check(BOTH, " ", "a\n   ", "a\n");
}

#[test]
fn a_protected_token_that_ends_with_its_line_protects_no_further_line() {
    check(BOTH, " ", "⟨a\n\n⟩\nb", "a\n\nb");
}

#[test]
fn lines_within_a_cut_are_left_to_it() {
    let text = "a {\n\n\n}\n\nb";
    let cut = Removal { cut: Cut { range: 2..7, with: "{ }".into() }, how: How::Exactly };
    let found = edits(text, &[cut], &[], BOTH, " ");
    assert_eq!(apply(text, &found), "a { }\nb");
    assert_eq!(found.len(), 2);
}

#[test]
fn edits_that_touch_are_one() {
    let text = "«#a»\n\n«#b»\nc";
    let plain: String = text.chars().filter(|c| !"«»".contains(*c)).collect();
    let removal = |range| Removal { cut: Cut { range, with: "".into() }, how: How::Tidily };
    let found = edits(&plain, &[removal(0..2), removal(4..6)], &[], BOTH, " ");
    assert_eq!(found, [Edit { range: 0..7, with: "".into() }]);
}
