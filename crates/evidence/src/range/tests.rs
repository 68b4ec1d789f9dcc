//! Lines, ranges, and the cap of one answer.

use fault::Unwatched;
use serde_json::{Value, json};
use testkit::Tree;

use crate::trial::{exact, json, open, read, read_text};

fn texts(answer: &Value) -> Vec<&str> {
    let lines = answer["lines"].as_array().unwrap_or_else(|| panic!("{answer}"));
    lines.iter().map(|line| line["text"].as_str().unwrap()).collect()
}

fn of(text: &str) -> Value {
    let tree = Tree::new("");
    tree.file("a.txt", text);
    read(&open(&tree), "a.txt", 1, 500)
}

#[test]
fn the_answer_has_its_keys_in_order() {
    let tree = Tree::new("src/retry.ts: one\\ntwo\\n");
    assert_eq!(
        read_text(&open(&tree), "src/retry.ts", 2, 9, &Unwatched),
        r#"{"path":"src/retry.ts","lines":[{"line":2,"text":"two"}],"totalLines":2,"truncated":false,"nextLine":null}"#
    );
}

#[test]
fn line_ends_belong_to_no_line_and_the_last_one_opens_none() {
    for (text, expected) in [
        ("", vec![]),
        ("\n", vec![""]),
        ("\r\n", vec![""]),
        ("\n\n", vec!["", ""]),
        ("a", vec!["a"]),
        ("a\nb", vec!["a", "b"]),
        ("a\r\nb\r\n", vec!["a", "b"]),
        ("a\rb\n\u{2028}c\u{B}d", vec!["a\rb", "\u{2028}c\u{B}d"]),
        ("a\r\r\nb\r", vec!["a\r", "b\r"]),
        ("\u{FEFF}a\n\u{FEFF}b", vec!["a", "\u{FEFF}b"]),
        ("\u{FEFF}", vec![]),
    ] {
        let answer = of(text);
        assert_eq!(texts(&answer), expected, "{text:?}");
        assert_eq!(answer["totalLines"], expected.len(), "{text:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let tree = Tree::new("zero: a\\0b\nlatin: caf\\xE9\nutf16: \\xFF\\xFEa\\0");
    for path in ["zero", "latin", "utf16"] {
        let answer = read(&open(&tree), path, 1, 1);
        assert_eq!(answer["error"]["code"], "EVD-NOT-TEXT", "{path}");
        assert_eq!(read(&exact(&tree), path, 1, 1), answer);
    }
}

#[test]
fn ranges_have_their_bounds() {
    let tree = Tree::new("");
    let text: String = (1..=600).map(|number| format!("{number}\n")).collect();
    tree.file("a.txt", &text);
    let evidence = open(&tree);
    for (start, end, refused) in [
        (0, 1, true),
        (0, 0, true),
        (1, 0, true),
        (7, 6, true),
        (1, 1, false),
        (1, 499, false),
        (1, 500, false),
        (1, 501, true),
        (101, 600, false),
        (101, 601, true),
        (u64::MAX, u64::MAX, false),
        (1, u64::MAX, true),
    ] {
        let answer = read(&evidence, "a.txt", start, end);
        let code = answer["error"]["code"].as_str();
        assert_eq!(code, refused.then_some("EVD-INVALID-RANGE"), "{start} {end}");
    }
    let answer = read(&evidence, "a.txt", 599, 700);
    assert_eq!((texts(&answer), &answer["nextLine"]), (vec!["599", "600"], &Value::Null));
    let answer = read(&evidence, "a.txt", 601, 700);
    assert_eq!((texts(&answer), &answer["totalLines"]), (vec![], &json!(600)));
    assert_eq!(answer["truncated"], false);
}

/// A line whose row has this many bytes, its separator counted.
fn line_of(number: usize, bytes: usize) -> String {
    "x".repeat(bytes - 1 - format!("{{\"line\":{number},\"text\":\"\"}}").len())
}

#[test]
fn a_page_that_ends_exactly_at_the_cap_is_whole() {
    for (last, complete) in [(199, true), (200, true), (201, false)] {
        let mut lines: Vec<String> = (1..70).map(|number| line_of(number, 200)).collect();
        lines.push(line_of(70, last));
        let answer = of(&lines.join("\n"));
        assert_eq!(texts(&answer).len(), 69 + usize::from(complete), "{last}");
        assert_eq!(answer["truncated"], !complete);
        assert_eq!(answer["nextLine"], if complete { Value::Null } else { json!(70) });
        assert_eq!(answer["totalLines"], 70);
    }
}

#[test]
fn a_line_that_fills_the_cap_is_returned_and_a_longer_one_is_named_with_its_size() {
    for (bytes, refused) in [(13_999, false), (14_000, false), (14_001, true), (20_000, true)] {
        let line = line_of(2, bytes);
        let tree = Tree::new("");
        tree.file("a.txt", &format!("first\n{line}\nlast\n"));
        let evidence = open(&tree);
        let answer = read(&evidence, "a.txt", 2, 2);
        if refused {
            assert_eq!(answer["error"]["code"], "EVD-LINE-TOO-LONG", "{bytes}");
            let said = answer["error"]["message"].as_str().unwrap();
            assert!(said.contains("line 2") && said.contains(&line.len().to_string()), "{said}");
        } else {
            assert_eq!(texts(&answer), [line.as_str()], "{bytes}");
        }
        // A page in front of it ends there, and what is behind it can be read.
        let answer = read(&evidence, "a.txt", 1, 3);
        assert_eq!((texts(&answer), &answer["nextLine"]), (vec!["first"], &json!(2)));
        assert_eq!(texts(&read(&evidence, "a.txt", 3, 3)), ["last"]);
    }
}

#[test]
fn pages_follow_each_other_without_a_gap() {
    let tree = Tree::new("");
    let lines: Vec<String> =
        (1..=400).map(|number| format!("{number} {}", "é\t\"".repeat(number % 50))).collect();
    tree.file("a.txt", &lines.join("\r\n"));
    let evidence = open(&tree);
    let (mut next, mut seen) = (1, Vec::new());
    loop {
        let answer = read(&evidence, "a.txt", next, 400);
        seen.extend(texts(&answer).into_iter().map(str::to_owned));
        match answer["nextLine"].as_u64() {
            Some(line) => next = line,
            None => break,
        }
    }
    assert_eq!(seen, lines);
}

#[test]
fn an_answer_stays_under_16_000_bytes_whatever_the_path() {
    let text: String = (1..=500).map(|number| format!("{number} {}\n", "x".repeat(100))).collect();
    for (folder, levels) in [("\u{1}\u{2}".repeat(33), 20), ("d".repeat(240), 15)] {
        let tree = Tree::new("");
        let path = format!("{}/f", vec![folder.as_str(); levels].join("/"));
        tree.file(&path, &text);
        let evidence = open(&tree);
        let said = read_text(&evidence, &path, 1, 500, &Unwatched);
        let answer = json(&said);
        assert!(said.len() < 16_000 && said.len() > 15_800, "{}", said.len());
        assert_eq!(answer["path"], path);
        assert_eq!(answer["truncated"], true);
        assert!(crate::trial::search_text(&evidence, &["x"], &Unwatched).len() < 16_000);
        assert!(crate::trial::inventory(&evidence)["files"][0]["path"] == path);
    }
}

#[test]
fn a_path_is_refused_before_anything_is_asked_of_the_disk() {
    let tree = Tree::new("a.txt: x");
    let evidence = open(&tree);
    std::fs::write(tree.scratch().join("outside.txt"), "CANARY").unwrap();
    for path in
        ["../outside.txt", "a/../../outside.txt", "/etc/passwd", "..", "a.txt/..", "./a.txt", "a.txt/"]
    {
        let answer = read(&evidence, path, 1, 1);
        assert_eq!(answer["error"]["code"], "EVD-PATH-DENIED", "{path}");
        assert_eq!(answer["error"]["retryable"], false);
        assert!(!answer.to_string().contains("CANARY"));
    }
    for path in ["nope", "a.txt/b", "no/such/folder"] {
        assert_eq!(read(&evidence, path, 1, 1)["error"]["code"], "EVD-PATH-NOT-FOUND", "{path}");
    }
    // A range that is refused says nothing of the path.
    assert_eq!(read(&evidence, "../x", 2, 1)["error"]["code"], "EVD-INVALID-RANGE");
}
