//! Search as grep's users expect it, within its limits.

use serde_json::json;
use testkit::Tree;

use super::{payload, serve, trailers};

#[test]
fn context_is_merged_and_groups_are_set_apart() {
    let tree = Tree::new("");
    tree.file("a.txt", "1\nhit\n3\n4\nhit\n6\n7\n8\n9\n10\nhit\n").file("b.txt", "hit");
    let mut session = serve(&tree);
    let found = |context: u32, session: &mut testkit::Session| {
        payload(&session.call("search_project", json!({ "pattern": "HIT", "context_lines": context })))
    };
    assert_eq!(found(0, &mut session), "a.txt:2:hit\na.txt:5:hit\na.txt:11:hit\nb.txt:1:hit");
    assert_eq!(
        found(1, &mut session),
        "a.txt-1-1\na.txt:2:hit\na.txt-3-3\na.txt-4-4\na.txt:5:hit\na.txt-6-6\n--\na.txt-10-10\na.txt:11:hit\na.txt-12-\n--\nb.txt:1:hit"
    );
    assert!(!found(20, &mut session).contains("--\na.txt"));
}

#[test]
fn results_and_characters_are_capped_and_the_rest_is_counted() {
    let tree = Tree::new("");
    tree.file("a.txt", &"hit\n".repeat(260)).file("wide.txt", &format!("{}\n", "w".repeat(3_000)).repeat(40));
    let mut session = serve(&tree);
    let capped =
        session.call("search_project", json!({ "pattern": "hit", "context_lines": 0, "max_results": 200 }));
    assert_eq!(payload(&capped).lines().count(), 200);
    assert!(trailers(&capped)[0].starts_with("[60 more matching lines not shown"), "{:?}", trailers(&capped));
    let wide = session.call("search_project", json!({ "pattern": "w{9}", "context_lines": 0 }));
    assert!(payload(&wide).chars().count() <= 49_000);
    assert!(trailers(&wide)[0].starts_with("[24 more matching lines not shown"), "{:?}", trailers(&wide));
}

#[test]
fn no_match_says_how_much_was_searched_and_under_which_filters() {
    let tree = Tree::new("a.txt: x\nb.md: x\nc.png: x");
    let mut session = serve(&tree);
    let answer =
        session.call("search_project", json!({ "pattern": "zzz", "include_patterns": ["*.md", "*.png"] }));
    assert_eq!(payload(&answer), "");
    assert!(
        trailers(&answer)[0].starts_with(
            "[No matching line in 1 file searched; filters in force: include_patterns=*.md,*.png"
        ),
        "{:?}",
        trailers(&answer)
    );
}

#[test]
fn a_secret_in_a_filter_is_not_repeated() {
    let tree = Tree::new("a.txt: x");
    let token = super::github_token(7);
    let answer =
        serve(&tree).call("search_project", json!({ "pattern": "zzz", "exclude_patterns": [token.clone()] }));
    let trailer = &trailers(&answer)[0];
    assert!(trailer.contains("exclude_patterns=REDACTED[") && !answer.text().contains(&token), "{trailer}");
}

#[test]
fn case_is_ignored_unless_asked_and_unicode_is_understood() {
    let tree = Tree::new("");
    tree.file("a.txt", "Straße ÄRGER\nplain\n");
    let mut session = serve(&tree);
    let mut count =
        |pattern: &str, ignore: bool| {
            payload(&session.call(
                "search_project",
                json!({ "pattern": pattern, "ignore_case": ignore, "context_lines": 0 }),
            ))
            .lines()
            .count()
        };
    assert_eq!(
        (count("ärger", true), count("ärger", false), count("^$", true), count(" ", true)),
        (1, 0, 1, 1)
    );
}

#[test]
fn patterns_that_cannot_be_used_say_why() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    for (pattern, word) in [
        ("(", "valid"),
        ("(?=a)", "look-around"),
        (r"(a)\1", "back-reference"),
        (r"\pL{1000}{1000}", "large"),
    ] {
        let answer = session.call("search_project", json!({ "pattern": pattern }));
        assert_eq!(answer.code(), "DPX-MCP-INVALID-PATTERN", "{pattern}");
        assert!(answer.text().contains(word), "{}", answer.text());
    }
    let at_limit = "\u{1F600}".repeat(4_096);
    assert!(!session.call("search_project", json!({ "pattern": at_limit })).is_error());
    let over = session.call("search_project", json!({ "pattern": "x".repeat(4_097) }));
    assert_eq!(over.code(), "DPX-MCP-INVALID-PATTERN");
}

#[test]
fn an_adversarial_pattern_ends_with_advice_and_the_next_call_is_served() {
    let tree = Tree::new("");
    tree.file("a.txt", &"a".repeat(1024 * 1024));
    let mut session = serve(&tree);
    let answer = session.call("search_project", json!({ "pattern": "(?:a{0,99}){0,300}b" }));
    assert_eq!(answer.code(), "DPX-MCP-INVALID-PATTERN");
    assert!(!session.call("get_tree", json!({})).is_error());
    let spared = session.call("search_project", json!({ "pattern": "(?:a{0,50}){0,40}[^a]" }));
    assert!(spared.is_error() || payload(&spared).is_empty());
}

#[test]
fn hostile_text_is_shown_escaped() {
    let tree = Tree::new("");
    tree.file("a.txt", "hit \u{1b}[2J \u{202e} tab\there\n");
    tree.file("b\u{1b}\\c.txt", "hit\n");
    let mut session = serve(&tree);
    let found = payload(&session.call("search_project", json!({ "pattern": "hit", "context_lines": 0 })));
    assert_eq!(found, "a.txt:1:hit \\u001B[2J \\u202E tab\there\nb\\u001B\\\\c.txt:1:hit");
}
