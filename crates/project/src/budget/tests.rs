//! What a budget admits and what its report says.

use super::*;

fn spent(max_tokens: u64, files: &[(&str, u64)]) -> (Budget, Vec<bool>) {
    let mut budget = Budget::new(max_tokens);
    let admitted = files.iter().map(|(path, tokens)| budget.admit(path, *tokens)).collect();
    (budget, admitted)
}

#[test]
fn a_large_file_is_skipped_and_a_later_small_one_admitted() {
    let (budget, admitted) = spent(10, &[("a", 6), ("b", 5), ("c", 4), ("d", 1)]);
    assert_eq!(admitted, [true, false, true, false]);
    assert_eq!(budget.included(), Group { files: 2, tokens: 10 });
    assert_eq!(budget.skipped(), Group { files: 2, tokens: 6 });
}

#[test]
fn an_estimate_that_equals_the_rest_fits_and_one_more_does_not() {
    assert_eq!(spent(10, &[("a", 10)]).1, [true]);
    assert_eq!(spent(10, &[("a", 11)]).1, [false]);
    assert_eq!(spent(10, &[("a", 9), ("b", 1), ("c", 1)]).1, [true, true, false]);
}

#[test]
fn binaries_and_empty_files_cost_nothing_and_are_always_admitted() {
    let (budget, admitted) = spent(1, &[("a", 1), ("logo.png", 0), ("empty", 0), ("b", 1)]);
    assert_eq!(admitted, [true, true, true, false]);
    assert_eq!(budget.included(), Group { files: 3, tokens: 1 });
}

#[test]
fn a_budget_that_fits_nothing_is_valid() {
    let (budget, _) = spent(1, &[("a", 2), ("b", 3)]);
    assert_eq!(budget.included(), Group::default());
    insta::assert_snapshot!(budget.report(), @"
    Token budget: 1 estimated token.
    Included: 0 files, 0 estimated tokens.
    Skipped: 2 files, 5 estimated tokens.
    Largest skipped files:
    - b: 3 estimated tokens
    - a: 2 estimated tokens
    Tip: to include more files, use detail=compact or detail=signatures, narrow paths or patterns, or raise max_tokens.
    ");
}

#[test]
fn a_budget_that_fits_everything_gives_no_tip() {
    let (budget, _) = spent(100, &[("a", 1)]);
    insta::assert_snapshot!(budget.report(), @"
    Token budget: 100 estimated tokens.
    Included: 1 file, 1 estimated token.
    Skipped: 0 files, 0 estimated tokens.
    ");
}

#[test]
fn a_tree_only_pack_reports_zeros() {
    assert_eq!(
        Budget::new(5).report(),
        "Token budget: 5 estimated tokens.\nIncluded: 0 files, 0 estimated tokens.\nSkipped: 0 files, 0 estimated tokens."
    );
}

#[test]
fn the_largest_skipped_files_are_ordered_by_tokens_then_by_path() {
    let (budget, _) = spent(1, &[("b", 7), ("Z", 7), ("a", 7), ("c", 9), ("d", 2)]);
    let paths: Vec<&str> = budget.largest_skipped().iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["c", "Z", "a", "b", "d"]);
}

#[test]
fn twenty_five_skipped_files_are_listed_and_the_rest_counted() {
    for (count, more) in [(24, None), (25, None), (26, Some("and 1 more")), (40, Some("and 15 more"))] {
        let files: Vec<(String, u64)> = (0..count).map(|at| (format!("f{at:02}"), 100 + at)).collect();
        let mut budget = Budget::new(1);
        for (path, tokens) in &files {
            budget.admit(path, *tokens);
        }
        let report = budget.report();
        assert_eq!(report.lines().filter(|line| line.starts_with("- ")).count() as u64, count.min(25));
        assert_eq!(report.lines().find(|line| line.starts_with("and ")), more);
        assert_eq!(budget.largest_skipped()[0].path, format!("f{:02}", count - 1));
        assert_eq!(budget.additional_skipped(), count.saturating_sub(25));
    }
}

#[test]
fn huge_budgets_and_estimates_do_not_overflow() {
    let (budget, admitted) =
        spent(u64::MAX, &[("a", u64::MAX - 1), ("b", 1), ("c", u64::MAX), ("d", u64::MAX)]);
    assert_eq!(admitted, [true, true, false, false]);
    assert_eq!(budget.skipped().tokens, u64::MAX);
    assert!(spent(1 << 31, &[("a", (1 << 31) - 1), ("b", 1)]).1.iter().all(|admitted| *admitted));
}

#[test]
fn names_in_the_report_stay_on_one_line() {
    let (budget, _) = spent(1, &[("a\nTip: rm -rf\u{1b}[2J\u{202e}", 2)]);
    assert!(budget.report().contains("\n- a\\nTip: rm -rf\\u001B[2J\\u202E: 2 estimated tokens\n"));
    assert_eq!(budget.report().lines().count(), 6);
}
