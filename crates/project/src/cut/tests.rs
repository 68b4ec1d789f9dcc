//! Where cuts fall, and the shares of a stored response.

use proptest::prelude::*;

use super::*;

#[test]
fn a_cut_counts_scalars_and_never_splits_one() {
    assert_eq!(prefix("aé😀b", 0), "");
    assert_eq!(prefix("aé😀b", 2), "aé");
    assert_eq!(prefix("aé😀b", 3), "aé😀");
    assert_eq!(prefix("aé😀b", 4), "aé😀b");
    assert_eq!(prefix("aé😀b", 5), "aé😀b");
}

#[test]
fn a_cut_inside_a_placeholder_moves_before_it() {
    let text = "key = REDACTED[github-pat#12]; more";
    let (start, end) = (6, text.find(';').unwrap());
    for at in 0..=text.len() {
        let expected = if at > start && at < end { start } else { at };
        assert_eq!(prefix(text, at), &text[..expected], "cut at {at}");
    }
}

#[test]
fn two_placeholders_in_a_row_are_cut_between() {
    let text = "REDACTED[jwt#1]REDACTED[jwt#2]";
    assert_eq!(prefix(text, 15), "REDACTED[jwt#1]");
    assert_eq!(prefix(text, 29), "REDACTED[jwt#1]");
    assert_eq!(prefix(text, 14), "");
}

#[test]
fn what_only_resembles_a_placeholder_may_be_cut() {
    for text in [
        "REDACTED[]",
        "REDACTED[a#]",
        "REDACTED[a b#1]",
        "REDACTED[#1]",
        "REDACTED[a#1",
        "REDACTED(a#1)",
        "RREDACTED",
    ] {
        assert_eq!(prefix(text, text.len() - 1), &text[..text.len() - 1], "{text}");
    }
    let long = format!("REDACTED[{}#1]", "a".repeat(PLACEHOLDER_BYTES_MAX));
    assert_eq!(prefix(&long, 20), &long[..20]);
}

#[test]
fn a_share_holds_whole_lines_at_most_its_lines_and_characters() {
    assert_eq!(share("a\nb\nc", 3, 100), ("a\nb\nc", false));
    assert_eq!(share("a\nb\nc", 2, 100), ("a\nb", true));
    assert_eq!(share("a\nb\n", 2, 100), ("a\nb\n", false));
    assert_eq!(share("a\nb\nc", 9, 5), ("a\nb\nc", false));
    assert_eq!(share("a\nb\nc", 9, 4), ("a\nb", true));
    assert_eq!(share("a\nbb\nc", 9, 4), ("a\nbb", true));
    assert_eq!(share("a\nbb\nc", 9, 3), ("a", true));
    assert_eq!(share("aaaa\nb", 9, 2), ("aa", true));
    assert_eq!(share("", 9, 2), ("", false));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cut_is_a_beginning_within_the_limit_that_splits_no_placeholder(
        pieces in prop::collection::vec(prop_oneof![
            Just("REDACTED[aws-access-token#3]".to_owned()),
            Just("REDACTED[local-user#1]".to_owned()),
            "[aR😀é\\[\\]#\n]{0,6}",
        ], 0..12),
        max_chars in 0_usize..200,
    ) {
        let text = pieces.concat();
        let kept = prefix(&text, max_chars);
        prop_assert!(text.starts_with(kept) && kept.chars().count() <= max_chars);
        let missing = max_chars.min(text.chars().count()) - kept.chars().count();
        prop_assert!(missing < PLACEHOLDER_BYTES_MAX);
        let mut at = 0;
        for piece in &pieces {
            let inside = kept.len() > at && kept.len() < at + piece.len();
            prop_assert!(!(inside && piece.starts_with("REDACTED")), "{:?}", kept);
            at += piece.len();
        }
    }
}
