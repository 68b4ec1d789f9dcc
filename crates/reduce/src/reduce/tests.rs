//! Whole reductions, their limits and their doubts.

use std::fmt::Write as _;

use fault::{Phase, Unwatched};

use super::*;
use crate::tier::Tier;

/// The limits are about size, so these tests give every file all the time it needs.
fn reduced(path: &str, text: &str, tier: Tier) -> Result<Vec<Edit>, Doubt> {
    let entry = entry_for(path, text).expect("because the language is supported");
    if text.chars().count() > limits::TEXT_CHARS {
        return attempt(text, path, tier.wanted(), &Unwatched).expect("because nobody stops it");
    }
    edits(text, entry, tier.wanted(), &Budget::endless(&Unwatched)).expect("because nobody stops it")
}

#[test]
fn a_text_of_2_mi_characters_is_reduced_and_one_more_is_not() {
    let text = |chars: usize| {
        let code = "// c\nconst A: &str = \"\";\n";
        // Scalars count, not bytes.
        code.replace("\"\"", &format!("\"{}\"", "é".repeat(chars - code.len())))
    };
    for (chars, expected) in
        [(limits::TEXT_CHARS - 1, true), (limits::TEXT_CHARS, true), (limits::TEXT_CHARS + 1, false)]
    {
        let text = text(chars);
        assert_eq!(text.chars().count(), chars);
        assert_eq!(reduced("a.rs", &text, Tier::Compact).is_ok(), expected, "{chars}");
    }
    assert_eq!(limits::TEXT_CHARS, 2_097_152);
}

#[test]
fn a_file_of_10_000_edits_is_reduced_and_one_more_is_not() {
    let text = |count: usize| "a=1 #\n".repeat(count);
    for (count, expected) in [(9_999, true), (10_000, true), (10_001, false)] {
        let found = reduced("a.toml", &text(count).replace("a=1", "\"a\"=1"), Tier::Compact);
        assert_eq!(found.as_ref().is_ok_and(|edits| edits.len() == count), expected, "{count}");
        assert_eq!(found.is_err(), !expected);
    }
}

#[test]
fn a_file_of_20_000_captures_is_reduced_and_one_more_is_not() {
    // Comments side by side are one edit.
    let text = |count: usize| format!("a = 1; {}\n", "/**/".repeat(count));
    for (count, expected) in [(19_999, true), (20_000, true), (20_001, false)] {
        let found = reduced("a.js", &text(count), Tier::Compact);
        assert_eq!(found.as_ref().is_ok_and(|edits| edits.len() == 1), expected, "{count}");
        assert_eq!(found == Err(Doubt::TooLarge), !expected, "{count}");
    }
}

#[test]
fn a_file_of_25_000_declarations_is_reduced_and_one_more_is_not() {
    let text = |count: usize| format!("# c\n{}", "import a\n".repeat(count));
    for (count, expected) in [(24_999, true), (25_000, true), (25_001, false)] {
        assert_eq!(reduced("a.py", &text(count), Tier::Compact).is_ok(), expected, "{count}");
    }
}

#[test]
fn a_tree_of_500_000_nodes_is_reduced_and_a_larger_one_is_not() {
    // One entry of the list is two nodes: the number and its comma.
    let text = |entries: usize| format!("// c\n[{}]\n", "1,".repeat(entries) + "1");
    let nodes =
        |text: &str| crate::reduce::parse_alone(text, "a.jsonc").expect("because the language is supported");
    let few = nodes(&text(10));
    let full = (limits::NODES - few) / 2 + 10;
    assert_eq!(nodes(&text(full)), limits::NODES - (limits::NODES - few) % 2);
    assert!(reduced("a.jsonc", &text(full), Tier::Compact).is_ok());
    assert_eq!(reduced("a.jsonc", &text(full + 1), Tier::Compact), Err(Doubt::TooLarge));
}

#[test]
fn a_file_whose_time_is_up_stays_complete() {
    let mut text = String::from("# c\n");
    for number in 0..5_000 {
        let _ = writeln!(text, "a{number} = [{number}, 'b']");
    }
    let entry = entry_for("a.py", &text).expect("because the language is supported");
    let budget = Budget::over(&Unwatched);
    assert_eq!(edits(&text, entry, Tier::Compact.wanted(), &budget), Ok(Err(Doubt::TooSlow)));
}

struct Told(Option<Stop>);

impl Watch for Told {
    fn cancelled(&self) -> bool {
        self.0 == Some(Stop::Cancelled)
    }
    fn deadline(&self) -> Option<std::time::Instant> {
        (self.0 == Some(Stop::TooLate)).then(std::time::Instant::now)
    }
    fn step(&self, _: Phase, _: u64, _: u64) {}
}

#[test]
fn a_watch_stops_a_reduction_before_and_while_it_parses() {
    let text = "a = [1, 2]\n".repeat(1_000);
    let entry = entry_for("a.py", &text).expect("because the language is supported");
    for stop in [Stop::Cancelled, Stop::TooLate] {
        let told = Told(Some(stop));
        assert_eq!(reduce(&text, "a.py", Tier::Compact.wanted(), &told), Err(stop));
        assert_eq!(edits(&text, entry, Tier::Signatures.wanted(), &Budget::endless(&told)), Err(stop));
    }
    assert_eq!(reduce(&text, "a.py", Tier::Compact.wanted(), &Told(None)), Ok(Vec::new()));
}

#[test]
fn a_result_with_another_tree_is_thrown_away() {
    // Without the comment the shell would read on, so that the two trees differ.
    let text = "a \\\n# c\nb\n";
    assert_eq!(attempt(text, "a.sh", Tier::Compact.wanted(), &Unwatched), Ok(Err(Doubt::Different)));
}

#[test]
fn nothing_is_parsed_when_there_is_nothing_to_look_for() {
    let json = &entry_for("a.jsonc", "").expect("because the language is supported").syntax;
    assert!(!may_hold_something("[1]\n", Tier::Compact.wanted(), json));
    assert!(may_hold_something("[1] // c\n", Tier::Compact.wanted(), json));
    assert!(may_hold_something("[1]\n\n", Tier::Compact.wanted(), json));
    assert!(!may_hold_something("[1]\n\n", Wanted { comments: true, ..Wanted::none() }, json));
}

#[test]
fn replacements_are_found_where_the_reduced_text_has_them() {
    let edits = [
        Edit { range: 0..4, with: "".into() },
        Edit { range: 6..10, with: "{ }".into() },
        Edit { range: 12..14, with: " ".into() },
        Edit { range: 20..22, with: "...".into() },
    ];
    assert_eq!(replacements(&edits), [2..5, 14..17]);
}
