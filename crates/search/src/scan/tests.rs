//! Lines that match, lines that must not, and patterns that get nowhere.

use super::*;
use crate::PatternFault;
use fault::Unwatched;
use proptest::prelude::*;

fn hits(pattern: &str, text: &str, excluded: &[Range<usize>]) -> Result<Vec<(usize, String)>, SearchStop> {
    let pattern = Pattern::compile(pattern, false).expect("the test's pattern compiles");
    let clock = Clock::new(Duration::from_secs(2));
    let mut found = Vec::new();
    Matcher::new(&pattern).matching_lines(text, excluded, &clock, &Unwatched, &mut |line, range| {
        found.push((line, text[range].to_owned()));
    })?;
    Ok(found)
}

fn check(pattern: &str, text: &str, lines: &[usize]) {
    let found: Vec<usize> =
        hits(pattern, text, &[]).expect("cheap").into_iter().map(|(line, _)| line).collect();
    assert_eq!(found, lines, "{pattern:?} on {text:?}");
}

#[test]
fn a_line_is_reported_once_however_many_hits_it_holds() {
    check("a", "aaa\nb\na\n", &[0, 2]);
}

#[test]
fn anchors_hold_at_each_line_in_both_line_endings() {
    check("^b$", "a\r\nb\r\nb", &[1, 2]);
    check(r"\Ab\z", "a\nb\nab\n", &[1]);
    check("^$", "a\n\nb\n", &[1, 3]);
    check("^$", "a\r\n\r\nb", &[1]);
    check(r"a\r", "a\r\nb", &[]);
}

#[test]
fn a_pattern_never_spans_lines() {
    check(r"a\nb", "a\nb", &[]);
    check(r"a\s+b", "a\nb\na b", &[2]);
    check(r"[^x]{3}", "ab\ncd\nabc", &[2]);
    check(r"(?s)a.b", "a\nb\naxb", &[2]);
}

#[test]
fn a_lone_carriage_return_does_not_end_a_line() {
    check("a.b", "a\rb\nab", &[0]);
    check("^b", "a\rb\nb", &[1]);
    check("a$", "a\rb\na", &[1]);
}

#[test]
fn an_empty_text_has_no_line_and_a_final_line_end_opens_one() {
    check("", "", &[]);
    check("", "a", &[0]);
    check("", "a\n", &[0, 1]);
}

#[test]
fn excluded_ranges_do_not_match_but_their_neighbours_do() {
    let text = "key = REDACTED[x#1] tail\nREDACTED[y#1]\n";
    let inserted = [6..19, 25..38];
    let lines = |pattern: &str| {
        hits(pattern, text, &inserted).expect("cheap").into_iter().map(|(line, _)| line).collect::<Vec<_>>()
    };
    assert_eq!(lines("REDACTED"), Vec::<usize>::new());
    assert_eq!(lines("key = "), [0]);
    assert_eq!(lines("key.*"), [0]);
    assert_eq!(lines("tail$"), [0]);
    assert_eq!(lines("^ tail"), Vec::<usize>::new());
    assert_eq!(lines("= .*tail"), Vec::<usize>::new());
    assert_eq!(lines("^$"), [2]);
    assert_eq!(
        hits("REDACTED", "a REDACTED[x#1]", &[]).expect("cheap").len(),
        1,
        "source text stays searchable"
    );
}

#[test]
fn unicode_word_boundaries_hold_beyond_ascii() {
    check(r"\bstra\b", "straße\nstra ße\n", &[1]);
    check(r"\bécole\b", "l'école\nécoles\n", &[0]);
    let long = format!("{} stra ße", "é".repeat(3_000_000));
    assert_eq!(hits(r"\bstra\b", &long, &[]).expect("cheap").len(), 1);
}

#[test]
fn matches_across_many_strides_keep_their_line_numbers() {
    let text: String = (0..40_000).map(|n| format!("line {n}\n")).collect();
    let found = hits("line 3999[89]$", &text, &[]).expect("cheap");
    assert_eq!(found, [(39_998, "line 39998".to_owned()), (39_999, "line 39999".to_owned())]);
}

#[test]
fn an_adversarial_pattern_gives_up_instead_of_running_on() {
    let line = "a".repeat(1024 * 1024);
    let patterns = [
        ("(?:a{0,50}){0,40}[^a]", Ok(())),
        ("(?:a{0,99}){0,300}b", Err(SearchStop::TooExpensive)),
        ("(?:.{0,60}e){8}~", Ok(())),
    ];
    for (pattern, expected) in patterns {
        let text = if pattern.contains('e') {
            (0..16 * 1024 * 1024 / 64).map(|n| format!("{:0>62}e\n", n * 7_919 % 104_729)).collect()
        } else {
            line.clone()
        };
        let compiled = Pattern::compile(pattern, true).expect("within the size limit");
        // No clock can save a slow scan here: the engine itself must see that it gets nowhere.
        let clock = Clock::new(Duration::MAX);
        let ended = Matcher::new(&compiled).matching_lines(&text, &[], &clock, &Unwatched, &mut |_, _| {});
        assert_eq!(ended, expected, "{pattern}");
    }
}

#[test]
fn unsupported_syntax_is_named() {
    let fault = |pattern: &str| Pattern::compile(pattern, false).map(|_| ()).expect_err("refused");
    assert_eq!(fault("(?=a)"), PatternFault::LookAround);
    assert_eq!(fault(r"(?<!a)b"), PatternFault::LookAround);
    assert_eq!(fault(r"(a)\1"), PatternFault::BackReference);
    assert_eq!(fault("é("), PatternFault::Syntax { at_char: 1 });
    assert_eq!(fault(r"\pL{1000}{1000}"), PatternFault::TooLarge);
}

#[test]
fn a_clock_that_ran_out_stops_the_scan() {
    let pattern = Pattern::compile("a", false).expect("compiles");
    let clock = Clock::new(Duration::ZERO);
    let ended = Matcher::new(&pattern).matching_lines("b", &[], &clock, &Unwatched, &mut |_, _| {});
    assert_eq!(ended, Err(SearchStop::TooExpensive));
}

fn slow_lines(pattern: &str, text: &str) -> Vec<usize> {
    let regex = regex_automata::meta::Regex::new(pattern).expect("the test's pattern compiles");
    let mut lines = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        let is_last = number == text.matches('\n').count();
        let line = if is_last { line } else { line.strip_suffix('\r').unwrap_or(line) };
        if regex.is_match(line) {
            lines.push(number);
        }
    }
    lines
}

proptest! {
    /// The scan over whole texts equals judging line by line with the plain engine.
    #[test]
    fn the_scan_equals_line_by_line_matching(
        text in "[ab\r\né _.]{1,60}",
        pattern in prop::sample::select(vec![
            "a", "^a", "a$", "^$", "a.b", "[^a]", "a*", r"\ba\b", r"\Bb", "(?i)A|é", "a+b?", r"^\s*b", r"\S\s\S", "_?$", "é{2}",
        ]),
    ) {
        let fast: Vec<usize> = hits(pattern, &text, &[]).expect("cheap").into_iter().map(|(line, _)| line).collect();
        prop_assert_eq!(fast, slow_lines(pattern, &text));
    }
}
