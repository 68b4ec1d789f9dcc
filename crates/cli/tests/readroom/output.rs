//! The documents, their limits and their pages.

use serde_json::{Value, json};
use testkit::Tree;

use super::{inside, payload, serve, serve_with, trailers};

fn many(files: usize) -> Tree {
    let tree = Tree::of_many("");
    for number in 0..files {
        tree.file(&format!("f{number:05}.txt"), "x");
    }
    tree
}

#[test]
fn a_tree_of_exactly_two_thousand_lines_is_whole_and_one_more_is_cut() {
    let tree = many(1_999);
    let mut session = serve(&tree);
    let answer = session.call("get_tree", json!({ "format": "text" }));
    assert_eq!(payload(&answer).lines().count(), 2_000);
    assert!(trailers(&answer).is_empty());
    tree.file("g.txt", "x");
    let answer = session.call("get_tree", json!({ "format": "text" }));
    assert_eq!(payload(&answer).lines().count(), 2_000);
    assert!(trailers(&answer)[0].starts_with("[Tree truncated "), "{:?}", trailers(&answer));
    for format in ["json", "xml"] {
        let answer = session.call("get_tree", json!({ "format": format }));
        assert_eq!(answer.code(), "DPX-MCP-PAYLOAD-TRUNCATED", "{format}");
    }
}

#[test]
fn a_pack_of_exactly_fifty_thousand_characters_is_inline_and_one_more_is_stored() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    let arguments = json!({ "view": "content", "format": "text" });
    let overhead = payload(&session.call("pack_context", arguments.clone())).chars().count() - 1;
    tree.file("a.txt", &"é".repeat(50_000 - overhead));
    let answer = session.call("pack_context", arguments.clone());
    assert_eq!(payload(&answer).chars().count(), 50_000);
    // With a budget, its report counts too.
    let mut budgeted = arguments.clone();
    budgeted["max_tokens"] = json!(1_000_000);
    assert!(session.call("pack_context", budgeted).text().starts_with("Pack stored as '"));
    tree.file("a.txt", &"é".repeat(50_001 - overhead));
    let answer = session.call("pack_context", arguments);
    assert!(answer.text().starts_with("Pack stored as '"), "{}", &answer.text()[..200]);
    assert!(answer.text().contains("' (50001 characters). Call read_pack "), "{}", &answer.text()[..200]);
}

#[test]
fn a_stored_response_is_bounded_and_its_pages_give_the_whole_pack() {
    let tree = many(3_000);
    let mut session = serve(&tree);
    let answer = session.call("pack_context", json!({ "format": "json", "max_tokens": 100 }));
    let text = answer.text();
    assert!(text.chars().count() <= 50_000, "{}", text.chars().count());
    assert!(trailers(&answer)[0].starts_with("[Tree preview truncated"), "{:?}", trailers(&answer));
    let id = text.split('\'').nth(1).expect("an id").to_owned();
    assert!(id.len() == 48 && id.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let (mut whole, mut line) = (String::new(), 1);
    loop {
        let page = session.call("read_pack", json!({ "pack_id": id, "start_line": line }));
        if line > 1 {
            whole.push('\n');
        }
        whole.push_str(&payload(&page));
        let Some(next) = trailers(&page).first().and_then(|trailer| {
            trailer.split("next start_line=").nth(1)?.trim_end_matches(']').parse::<u64>().ok()
        }) else {
            break;
        };
        line = next;
    }
    let document: Value = serde_json::from_str(&whole).expect("a stored JSON pack parses");
    assert_eq!(document["kind"], json!("devprojex-context"));
    assert_eq!(document["metrics"]["files"], json!(3_000));
    assert_eq!(document["tokenBudget"]["includedFiles"], json!(100));
    assert_eq!(document["files"].as_array().map(Vec::len), Some(100));
    assert_eq!(document["tokenBudget"]["additionalSkippedFiles"], json!(2_875));
    let stale = session.call("read_pack", json!({ "pack_id": id.replace(&id[..1], "z") }));
    assert_eq!(stale.code(), "DPX-MCP-PACK-EXPIRED");
}

#[test]
fn a_budget_report_over_its_share_is_cut_at_a_line_and_said_once() {
    let tree = Tree::new("");
    let folders = "n".repeat(250);
    for number in 0..30 {
        tree.file(&format!("{folders}/{folders}/{number:02}.txt"), "12345678");
    }
    tree.file("big.txt", &"x\n".repeat(30_000));
    let mut session = serve(&tree);
    let answer = session.call("pack_context", json!({ "max_tokens": 15_000 }));
    assert!(answer.text().starts_with("Pack stored as '"), "{}", &answer.text()[..100]);
    assert_eq!(trailers(&answer), ["[Budget report truncated]"]);
    let report = answer.text().rsplit_once("\n</untrusted-data-").expect("two blocks").0;
    let report = &report[report.find("Token budget: ").expect("a report")..];
    assert!((7_000..=8_000).contains(&report.chars().count()), "{}", report.chars().count());
    assert!(report.ends_with(": 2 estimated tokens"), "{}", &report[report.len() - 100..]);
    assert_eq!(answer.text().matches("[Budget report truncated]").count(), 1);
}

#[test]
fn a_budget_skips_large_files_and_admits_later_small_ones() {
    let tree = Tree::new("b.txt: 1234\nc.txt: 12");
    tree.file("a.txt", &"x".repeat(400));
    let mut session = serve(&tree);
    let answer = session.call("pack_context", json!({ "max_tokens": "2", "format": "json" }));
    let document: Value = serde_json::from_str(&payload(&answer)).expect("the inline pack parses alone");
    let paths: Vec<_> =
        document["files"].as_array().expect("files").iter().map(|file| file["path"].clone()).collect();
    assert_eq!(paths, [json!("b.txt"), json!("c.txt")]);
    assert_eq!(document["metrics"]["estimatedTokens"], json!(102), "metrics come before the budget");
    let second =
        answer.text().rsplit_once("<untrusted-data-").map(|(head, _)| head.to_owned()).expect("two blocks");
    assert!(second.contains("a.txt") && answer.text().matches("</untrusted-data-").count() == 2);
    let all = session.call("pack_context", json!({ "max_tokens": 5_000_000_000_u64 }));
    assert!(!all.text().contains("Tip:"));
    assert_eq!(session.call("pack_context", json!({ "max_tokens": 0 })).code(), "DPX-MCP-INVALID-RANGE");
}

#[test]
fn a_file_over_max_file_bytes_is_gone_before_the_budget_and_not_reported_as_skipped() {
    let tree = Tree::new("a.txt: 12345678\nb.txt: 123456789\nc.txt: 1234");
    let mut session = serve(&tree);
    let arguments = json!({ "max_file_bytes": 8, "max_tokens": 1, "format": "json" });
    let answer = session.call("pack_context", arguments);
    let document: Value = serde_json::from_str(&payload(&answer)).expect("JSON");
    assert_eq!(document["metrics"]["files"], json!(2));
    let budget = &document["tokenBudget"];
    assert_eq!((&budget["includedFiles"], &budget["skippedFiles"]), (&json!(1), &json!(1)));
    assert_eq!(budget["largestSkippedFiles"], json!([{ "path": "a.txt", "estimatedTokens": 2 }]));
    assert!(!answer.text().contains("b.txt"), "{}", answer.text());
}

#[test]
fn the_metrics_of_a_tree_without_content_count_source_bytes_of_what_can_be_text() {
    let tree = Tree::new("");
    tree.file("a.rs", "// note\n").bytes("b.png", &[b'x'; 40]);
    let mut session = serve(&tree);
    let mut metrics = |view: &str| {
        let arguments = json!({ "view": view, "detail": "compact", "format": "json", "max_tokens": 1 });
        let document: Value =
            serde_json::from_str(&payload(&session.call("pack_context", arguments))).expect("JSON");
        document["metrics"].clone()
    };
    assert_eq!(
        metrics("tree"),
        json!({ "files": 2, "folders": 0, "bytes": 48, "characters": 8, "estimatedTokens": 2 })
    );
    assert_eq!(
        metrics("content"),
        json!({ "files": 2, "folders": 0, "bytes": 48, "characters": 0, "estimatedTokens": 0 })
    );
}

#[test]
fn all_four_formats_of_tree_and_pack_can_be_read_by_their_readers() {
    let tree = Tree::new("src/a.rs: fn main() {}\\n\n<b>&\"`_.md: # *x* ```\\n\nné\\n.txt: two lines");
    tree.bytes_at(b"\xff.txt", b"odd");
    let mut session = serve(&tree);
    for format in ["markdown", "text", "json", "xml"] {
        let rendered = payload(&session.call("get_tree", json!({ "format": format })));
        let pack = payload(&session.call("pack_context", json!({ "format": format })));
        assert!(rendered.contains("a.rs") && pack.contains("fn main() {}"), "{format}");
        if format == "json" {
            assert!(
                serde_json::from_str::<Value>(&rendered).is_ok()
                    && serde_json::from_str::<Value>(&pack).is_ok()
            );
        }
    }
    let listed = payload(&session.call("get_tree", json!({ "format": "text" })));
    assert!(listed.contains("\\xFF.txt") && listed.contains("né\\n.txt"), "{listed}");
    assert_eq!(payload(&session.call("get_file", json!({ "path": "\\xFF.txt" }))), "odd");
}

#[test]
fn identical_calls_give_the_same_bytes_apart_from_the_marker_ids() {
    let tree = Tree::new("a.txt: x\nb/c.txt: y");
    let mut session = serve(&tree);
    let first = session.call("pack_context", json!({}));
    let second = session.call("pack_context", json!({}));
    assert_ne!(first.text(), second.text());
    assert_eq!(payload(&first), payload(&second));
}

#[test]
fn files_are_read_in_pages_with_their_continuation() {
    let tree = Tree::new("empty.txt:\ncrlf.txt: a\\r\\nb\\rc\\r\\n");
    tree.file("long.txt", &(1..=1_500).map(|n| format!("line {n}\n")).collect::<String>());
    tree.file("wide.txt", &"w".repeat(100_000));
    let mut session = serve(&tree);
    let first = session.call("get_file", json!({ "path": "long.txt" }));
    assert_eq!(payload(&first).lines().count(), 1_000);
    assert_eq!(trailers(&first), ["[Showing lines 1-1000 of 1501; next start_line=1001]"]);
    let last =
        session.call("get_file", json!({ "path": "long.txt", "start_line": 1_001, "end_line": 9_999 }));
    assert!(payload(&last).starts_with("line 1001\n"));
    assert!(trailers(&last)[0].contains("1001-1501 of 1501"));
    let wide = session.call("get_file", json!({ "path": "wide.txt" }));
    assert_eq!(payload(&wide).len(), 50_000);
    assert_eq!(trailers(&wide).len(), 2);
    assert_eq!(payload(&session.call("get_file", json!({ "path": "crlf.txt" }))), "a\nb\rc\n");
    assert_eq!(payload(&session.call("get_file", json!({ "path": "empty.txt" }))), "");
    for (path, start, end) in [("long.txt", 1_502, 1_502), ("long.txt", 5, 4), ("empty.txt", 1, 1)] {
        let answer = session.call("get_file", json!({ "path": path, "start_line": start, "end_line": end }));
        assert_eq!(answer.code(), "DPX-MCP-INVALID-RANGE", "{path}");
    }
}

#[test]
fn a_client_that_cuts_sooner_can_have_shorter_pages() {
    let tree = Tree::new("");
    tree.file("a.txt", &"1234567\n".repeat(1_000));
    let mut session = serve_with(&tree, &["--page-chars", "4000"]);
    let page = session.call("get_file", json!({ "path": "a.txt" }));
    assert_eq!(trailers(&page), ["[Showing lines 1-500 of 1001; next start_line=501]"]);
    let stored = session.call("pack_context", json!({}));
    assert!(stored.text().starts_with("Pack stored as '") && stored.text().chars().count() <= 4_000 + 400);
    assert!(inside(stored.text()).is_some());
}

#[test]
fn content_that_is_no_text_is_named_and_left_out() {
    let tree = Tree::new("a.txt: x");
    tree.bytes("latin.txt", b"caf\xE9").bytes("nul.txt", b"a\0b").bytes("pic.png", b"plain");
    let mut session = serve(&tree);
    let pack: Value =
        serde_json::from_str(&payload(&session.call("pack_context", json!({ "format": "json" }))))
            .expect("JSON");
    let classes: Vec<_> = pack["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|f| (f["path"].clone(), f["classification"].clone(), f["content"].is_null()))
        .collect();
    assert_eq!(
        classes,
        [
            (json!("a.txt"), json!("text"), false),
            (json!("latin.txt"), json!("unsupported-encoding"), true),
            (json!("nul.txt"), json!("binary"), true),
            (json!("pic.png"), json!("binary"), true),
        ]
    );
    for path in ["latin.txt", "nul.txt", "pic.png"] {
        assert_eq!(
            session.call("get_file", json!({ "path": path })).code(),
            "DPX-MCP-PAYLOAD-TRUNCATED",
            "{path}"
        );
    }
}

#[test]
fn stored_packs_are_private_and_gone_with_their_server() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = many(3_000);
    let mut session = serve(&tree);
    assert!(session.call("pack_context", json!({})).text().starts_with("Pack stored"));
    let packs = tree.home().join("runtime").join("packs");
    let found = walk(&packs);
    assert!(found.iter().any(|path| path.extension().is_some_and(|ext| ext == "pack")), "{found:?}");
    for path in &found {
        let meta = std::fs::symlink_metadata(path).expect("stat");
        let expected = if meta.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(meta.permissions().mode() & 0o777, expected, "{path:?}");
    }
    assert_eq!(session.finish().code, Some(0));
    assert!(walk(&packs).is_empty());
}

#[test]
fn a_pack_over_two_hundred_mebibytes_is_refused_and_leaves_nothing_behind() {
    let tree = Tree::new("");
    let text = "sixteen letters\n".repeat(1024 * 1024);
    for number in 0..13 {
        tree.file(&format!("f{number}.txt"), &text);
    }
    let mut session = serve(&tree);
    let answer = session.call("pack_context", json!({}));
    assert_eq!(answer.code(), "DPX-MCP-PACK-TOO-LARGE");
    assert!(answer.text().contains("200 MiB") && answer.text().contains("narrow"), "{}", answer.text());
    let left = walk(&tree.home().join("runtime").join("packs"));
    assert!(left.iter().all(|path| path.is_dir() || path.ends_with(".session.lock")), "{left:?}");
    assert!(session.call("pack_context", json!({ "paths": ["f0.txt"] })).text().starts_with("Pack stored"));
}

fn walk(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            }
            found.push(entry.path());
        }
    }
    found
}
