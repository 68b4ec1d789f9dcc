//! Decoding, and what is kept of a text.

use std::time::SystemTime;

use super::*;
use crate::trial::{open, read, search, token};
use testkit::Tree;

#[test]
fn text_is_utf_8_without_nul_and_its_mark_is_no_text() {
    assert_eq!(decoded(b"a\r\n\xC3\xA9".to_vec()), Ok("a\r\né".to_owned()));
    assert_eq!(decoded(b"a\0".to_vec()), Err(NoText::Binary));
    assert_eq!(decoded(b"\xFF\0".to_vec()), Err(NoText::Binary));
    assert_eq!(decoded(b"a\xFF".to_vec()), Err(NoText::NotUtf8));
    assert_eq!(decoded(b"\xED\xA0\x80".to_vec()), Err(NoText::NotUtf8));
    let marked = Shown { raw: "\u{FEFF}a\u{FEFF}".to_owned(), masked: None };
    assert_eq!(marked.text(), "a\u{FEFF}");
}

#[test]
fn what_is_known_counts_only_for_the_same_bytes() {
    let tree = Tree::new("");
    let (one, two) = (token(1), token(2));
    tree.file("a.txt", &format!("x {one}\n"));
    let evidence = open(&tree);
    assert_eq!(read(&evidence, "a.txt", 1, 1)["lines"][0]["redacted"], 1);
    // The same size and the same time of writing.
    let when = std::fs::metadata(tree.path("a.txt")).unwrap().modified().unwrap();
    tree.file("a.txt", &format!("y {two}\n"));
    std::fs::File::options().write(true).open(tree.path("a.txt")).unwrap().set_modified(when).unwrap();
    assert!(when > SystemTime::UNIX_EPOCH);
    assert_eq!(read(&evidence, "a.txt", 1, 1)["lines"][0]["text"], "y REDACTED[github-pat#1]");
    assert_eq!(search(&evidence, &["y "])["candidates"], 1);
    assert_eq!(search(&evidence, &["x "])["candidates"], 0);
}

#[test]
fn what_is_kept_is_bounded() {
    let reader = Reader::new(false);
    let shown = |bytes: usize| Known::Shown(Arc::new(Shown { raw: "a".repeat(bytes), masked: None }));
    reader.keep("a", shown(KEPT_BYTES_MAX - 1));
    reader.keep("b", shown(1));
    let kept = || {
        let kept = reader.kept();
        (kept.by_path.len(), kept.bytes)
    };
    assert_eq!(kept(), (2, KEPT_BYTES_MAX));
    reader.keep("b", shown(1));
    assert_eq!(kept(), (2, KEPT_BYTES_MAX));
    reader.keep("c", shown(1));
    assert_eq!(kept(), (0, 0));
}

#[test]
fn placeholders_of_a_range_are_those_that_touch_it() {
    let secrets = format!("{} {}", token(1), token(2));
    let tree = Tree::new("");
    tree.file("a.txt", &format!("{secrets}\nplain\n{}\n", token(1)));
    let answer = read(&open(&tree), "a.txt", 1, 3);
    assert_eq!(answer["lines"][0]["redacted"], 2);
    assert_eq!(answer["lines"][0]["text"], "REDACTED[github-pat#1] REDACTED[github-pat#2]");
    assert!(answer["lines"][1].get("redacted").is_none());
    assert_eq!(answer["lines"][2]["text"], "REDACTED[github-pat#1]");
}
