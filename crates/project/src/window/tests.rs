//! Search windows against what grep prints.

use proptest::prelude::*;

use super::*;

fn limits(context_lines: usize, max_results: usize, max_chars: usize) -> WindowLimits {
    WindowLimits { context_lines, max_results, max_chars }
}

/// The lines of `text` that hold an `x`.
fn matches(text: &str) -> Vec<MatchLine> {
    content::lines(text)
        .enumerate()
        .filter_map(|(line, range)| Some(MatchLine { line, at: range.start + text[range].find('x')? }))
        .collect()
}

fn found(files: &[(&str, &str)], limits: WindowLimits) -> Found {
    let mut windows = Windows::new(limits);
    for (label, text) in files {
        windows.file(label, text, &matches(text));
    }
    windows.finish()
}

fn numbered(marked: &[usize], count: usize) -> String {
    (1..=count)
        .map(|line| if marked.contains(&line) { format!("x{line}") } else { format!("l{line}") })
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn matches_and_context_are_written_as_grep_does() {
    let text = numbered(&[4, 12], 14);
    insta::assert_snapshot!(found(&[("a.rs", &text), ("b/c.rs", "x")], limits(2, 50, 49_000)).text, @"
    a.rs-2-l2
    a.rs-3-l3
    a.rs:4:x4
    a.rs-5-l5
    a.rs-6-l6
    --
    a.rs-10-l10
    a.rs-11-l11
    a.rs:12:x12
    a.rs-13-l13
    a.rs-14-l14
    --
    b/c.rs:1:x
    ");
}

#[test]
fn without_context_there_is_no_separator() {
    let text = numbered(&[1, 5], 6);
    insta::assert_snapshot!(found(&[("a", &text), ("b", "x\nx")], limits(0, 50, 49_000)).text, @"
    a:1:x1
    a:5:x5
    b:1:x
    b:2:x
    ");
}

#[test]
fn windows_that_touch_or_overlap_are_merged() {
    for (second, is_merged) in [(2, true), (4, true), (5, true), (6, true), (7, false)] {
        let text = numbered(&[1, second], 20);
        let shown = found(&[("a", &text)], limits(2, 50, 49_000)).text;
        assert_eq!(!shown.contains("--\n"), is_merged, "second match on line {second}:\n{shown}");
        let lines: Vec<&str> = shown.lines().filter(|line| *line != "--").collect();
        let distinct: std::collections::HashSet<_> = lines.iter().collect();
        assert_eq!(lines.len(), distinct.len(), "no line is written twice");
    }
}

#[test]
fn twenty_lines_of_context_stop_at_the_ends_of_the_file() {
    let text = numbered(&[3], 100);
    let shown = found(&[("a", &text)], limits(20, 50, 49_000)).text;
    assert!(shown.starts_with("a-1-l1\na-2-l2\na:3:x3\n") && shown.ends_with("\na-23-l23"));
    assert!(found(&[("a", &numbered(&[100], 100))], limits(20, 50, 49_000)).text.ends_with("a:100:x100"));
}

#[test]
fn a_final_line_end_opens_an_empty_last_line_that_is_context_and_can_match() {
    assert_eq!(found(&[("a", "x\n")], limits(2, 50, 49_000)).text, "a:1:x\na-2-");
    let mut windows = Windows::new(limits(1, 50, 49_000));
    windows.file("a", "b\n", &[MatchLine { line: 1, at: 2 }]);
    assert_eq!(windows.finish().text, "a-1-b\na:2:");
}

#[test]
fn crlf_ends_a_line_and_controls_come_out_escaped() {
    let text = "a\r\nx\u{1b}[2J\t\rb\r\nc\r";
    assert_eq!(
        found(&[("p\\\\q\\n", text)], limits(1, 9, 49_000)).text,
        "p\\\\q\\n-1-a\np\\\\q\\n:2:x\\u001B[2J\t\\rb\np\\\\q\\n-3-c\\r"
    );
}

#[test]
fn max_results_limits_what_is_shown_and_everything_is_counted() {
    let text = numbered(&[1, 11, 21], 30);
    for (max_results, shown) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 6)] {
        let answer = found(&[("a", &text), ("b", &text)], limits(1, max_results, 49_000));
        assert_eq!((answer.matching_lines, answer.shown_lines), (6, shown));
        assert_eq!(
            answer.text.lines().filter(|line| line.contains(":x") || line[2..].contains(":x")).count() as u64,
            shown
        );
        assert_eq!(answer.not_shown_trailer().is_some(), shown < 6);
    }
}

#[test]
fn a_matching_line_beyond_max_results_inside_a_window_is_context() {
    let text = numbered(&[2, 3, 4], 6);
    let answer = found(&[("a", &text)], limits(1, 2, 49_000));
    insta::assert_snapshot!(answer.text, @"
    a-1-l1
    a:2:x2
    a:3:x3
    a-4-x4
    ");
    assert_eq!(
        answer.not_shown_trailer().unwrap(),
        "[1 more matching line not shown; narrow the pattern or the globs, or raise max_results]"
    );
}

#[test]
fn files_after_the_last_shown_match_are_only_counted() {
    let mut windows = Windows::new(limits(0, 1, 49_000));
    assert!(!windows.is_full());
    windows.file("a", "x", &matches("x"));
    assert!(windows.is_full());
    windows.count(41);
    let answer = windows.finish();
    assert_eq!((answer.text.as_str(), answer.matching_lines, answer.shown_lines), ("a:1:x", 42, 1));
    assert_eq!(
        answer.not_shown_trailer().unwrap(),
        "[41 more matching lines not shown; narrow the pattern or the globs, or raise max_results]"
    );
}

#[test]
fn the_cap_cuts_within_a_line_at_a_scalar() {
    let text = format!("x{}", "é".repeat(100));
    let whole = found(&[("a", &text)], limits(0, 9, 105));
    assert_eq!((whole.text.chars().count(), whole.shown_lines), (105, 1));
    let cut = found(&[("a", &text)], limits(0, 9, 104));
    assert_eq!((cut.text.chars().count(), cut.shown_lines), (104, 0));
    assert!(cut.text.ends_with('é') && cut.not_shown_trailer().is_some());
}

#[test]
fn the_cap_does_not_split_a_placeholder() {
    let text = "x REDACTED[jwt#1]";
    assert_eq!(found(&[("a", text)], limits(0, 9, 21)).text, "a:1:x REDACTED[jwt#1]");
    assert_eq!(found(&[("a", text)], limits(0, 9, 20)).text, "a:1:x ");
    let long = format!("x{}REDACTED[jwt#1] tail", "y".repeat(93));
    let cut = found(&[("a", &long)], limits(0, 9, 100));
    assert_eq!((cut.text.chars().count(), cut.shown_lines), (98, 0));
    // The line is judged by its own length although its text is looked at no further than the cap.
    let long = format!("x{}REDACTED[jwt#1]{}", "y".repeat(93), "z".repeat(1_000));
    assert_eq!(found(&[("a", &long)], limits(0, 9, 100)).shown_lines, 0);
}

#[test]
fn a_match_is_shown_only_when_its_window_is_complete() {
    let text = numbered(&[2, 3], 5);
    // a-1-l1 a:2:x2 a:3:x3 a-4-l4: six characters each and three line ends.
    for (max_chars, shown) in [(27, 2), (26, 1), (20, 1), (19, 0), (13, 0), (0, 0)] {
        let answer = found(&[("a", &text)], limits(1, 9, max_chars));
        assert_eq!(answer.shown_lines, shown, "{max_chars}: {}", answer.text);
        assert!(answer.text.chars().count() <= max_chars && !answer.text.ends_with('\n'));
    }
}

#[test]
fn nothing_follows_what_the_cap_cut() {
    let text = numbered(&[1, 5, 9], 10);
    let answer = found(&[("a", &text), ("b", "x"), ("c", "x")], limits(0, 9, 10));
    assert_eq!(answer.text, "a:1:x1\na:5");
    assert_eq!((answer.matching_lines, answer.shown_lines), (5, 1));
}

#[test]
fn the_answer_has_at_most_49_000_characters() {
    let text = "x\n".repeat(30_000);
    let answer = found(&[("a", &text)], limits(20, 30_000, 49_000));
    assert!(answer.text.chars().count() <= 49_000 && answer.text.chars().count() > 48_980);
    assert!(answer.shown_lines < answer.matching_lines);
}

#[test]
fn no_match_names_the_files_and_the_filters() {
    assert_eq!(no_match_trailer(1, &[]), "[No matching line in 1 file searched]");
    assert_eq!(
        no_match_trailer(12, &["include_patterns=*.r\ns".to_owned(), "tracked_only=true".to_owned()]),
        "[No matching line in 12 files searched; filters in force: include_patterns=*.r\\ns, tracked_only=true]"
    );
    let long = no_match_trailer(0, &["g".repeat(1_000)]);
    assert!(long.ends_with("g…]") && long.chars().count() < 300);
}

/// What `grep -C` prints, the slow way.
fn by_hand(files: &[String], context: usize, max_results: usize) -> (Vec<String>, u64) {
    let (mut out, mut left) = (Vec::new(), max_results);
    for (at, text) in files.iter().enumerate() {
        let lines: Vec<&str> = text.split('\n').collect();
        let marked: Vec<usize> =
            (0..lines.len()).filter(|line| lines[*line].contains('x')).take(left).collect();
        left -= marked.len();
        let mut previous = None;
        for (line, text) in lines.iter().enumerate() {
            if !marked.iter().any(|marked| marked.abs_diff(line) <= context) {
                continue;
            }
            if context > 0 && !out.is_empty() && previous.is_none_or(|previous| previous + 1 < line) {
                out.push("--".to_owned());
            }
            let mark = if marked.contains(&line) { ':' } else { '-' };
            out.push(format!("f{at}{mark}{}{mark}{text}", line + 1));
            previous = Some(line);
        }
    }
    (out, (max_results - left) as u64)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn windows_are_those_of_grep(
        files in prop::collection::vec("([ab]?x?\n){0,30}[ab]", 0..4),
        context in 0_usize..5,
        max_results in 1_usize..30,
    ) {
        let labels: Vec<String> = (0..files.len()).map(|at| format!("f{at}")).collect();
        let named: Vec<(&str, &str)> = labels.iter().map(String::as_str).zip(files.iter().map(String::as_str)).collect();
        let answer = found(&named, limits(context, max_results, 1_000_000));
        let (lines, shown) = by_hand(&files, context, max_results);
        prop_assert_eq!(answer.text, lines.join("\n"));
        prop_assert_eq!(answer.shown_lines, shown);
    }

    #[test]
    fn a_capped_answer_is_the_beginning_of_the_whole_one(
        text in "([ab]?x?\n){0,30}[ab]",
        context in 0_usize..3,
        max_chars in 0_usize..300,
    ) {
        let whole = found(&[("a", &text)], limits(context, 99, 1_000_000));
        let capped = found(&[("a", &text)], limits(context, 99, max_chars));
        prop_assert!(whole.text.starts_with(&capped.text));
        let written = capped.text.chars().count();
        prop_assert!(written <= max_chars && written + 1 >= max_chars.min(whole.text.chars().count()));
        prop_assert!(capped.shown_lines <= whole.shown_lines);
        prop_assert_eq!(capped.matching_lines, whole.matching_lines);
    }
}
