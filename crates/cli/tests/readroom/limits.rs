//! Each limit of the contract, one below, at and one above, by the name that it has in the code.

use serde_json::{Value, json};
use testkit::{Answer, Session, Tree};

use super::{payload, serve, serve_with, trailers};

const ARGUMENTS: &str = "DPX-MCP-INVALID-ARGUMENTS";
const RANGE: &str = "DPX-MCP-INVALID-RANGE";
const PATTERN: &str = "DPX-MCP-INVALID-PATTERN";

fn accepted(session: &mut Session, tool: &str, arguments: Value) -> Answer {
    let answer = session.call(tool, arguments.clone());
    assert!(!answer.is_error(), "{tool}: {}", answer.text());
    answer
}

fn refused(session: &mut Session, tool: &str, arguments: Value, code: &str) {
    let answer = session.call(tool, arguments);
    assert_eq!(answer.code(), code, "{tool}: {}", answer.text());
}

/// Names of an array argument, as many as asked for.
fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("n{number}")).collect()
}

fn numbered(files: usize) -> Tree {
    let tree = Tree::of_many("");
    for number in 0..files {
        tree.file(&format!("f{number:05}.txt"), "x");
    }
    tree
}

fn json_of(answer: &Answer) -> Value {
    serde_json::from_str(&payload(answer)).expect("JSON")
}

#[test]
fn paths_max_is_256_entries() {
    let tree = Tree::new("");
    for name in names(257) {
        tree.file(&name, "x");
    }
    let mut session = serve(&tree);
    for tool in ["analyze", "pack_context"] {
        for count in [255, 256] {
            accepted(&mut session, tool, json!({ "paths": names(count) }));
        }
        refused(&mut session, tool, json!({ "paths": names(257) }), ARGUMENTS);
    }
}

#[test]
fn path_chars_max_is_4_096_scalars_of_an_entry() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    // An entry that is short enough is looked up, and there is nothing of that name.
    for tool in ["analyze", "pack_context"] {
        for (chars, code) in
            [(4_095, "DPX-MCP-PATH-NOT-FOUND"), (4_096, "DPX-MCP-PATH-NOT-FOUND"), (4_097, ARGUMENTS)]
        {
            refused(&mut session, tool, json!({ "paths": ["é".repeat(chars)] }), code);
        }
    }
    let spelled = format!("{}a.txt", "./".repeat(2_045));
    assert_eq!(spelled.len(), 4_095);
    accepted(&mut session, "analyze", json!({ "paths": [spelled] }));
}

#[test]
fn globs_max_is_256_patterns_of_each_array() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    for tool in ["get_tree", "analyze", "pack_context", "search_project"] {
        for name in ["include_patterns", "exclude_patterns"] {
            let arguments = |count: usize| json!({ name: names(count), "pattern": "x" });
            let arguments = |count| {
                let mut arguments = arguments(count);
                if tool != "search_project" {
                    arguments.as_object_mut().expect("an object").remove("pattern");
                }
                arguments
            };
            for count in [255, 256] {
                accepted(&mut session, tool, arguments(count));
            }
            refused(&mut session, tool, arguments(257), PATTERN);
        }
    }
}

#[test]
fn glob_chars_max_is_512_scalars() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    for name in ["include_patterns", "exclude_patterns"] {
        for chars in [511, 512] {
            accepted(&mut session, "get_tree", json!({ name: ["\u{1F600}".repeat(chars)] }));
        }
        refused(&mut session, "get_tree", json!({ name: ["\u{1F600}".repeat(513)] }), PATTERN);
    }
}

#[test]
fn git_scope_chars_max_is_4_096_scalars() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    for tool in ["get_tree", "analyze", "pack_context"] {
        for (chars, word) in
            [(4_095, "not in a Git repository"), (4_096, "not in a Git repository"), (4_097, "longer")]
        {
            let scope = format!("diff:a..{}", "é".repeat(chars - 8));
            let answer = session.call(tool, json!({ "git_scope": scope }));
            assert_eq!(answer.code(), ARGUMENTS);
            assert!(answer.text().contains(word), "{chars}: {}", answer.text());
        }
    }
}

#[test]
fn pattern_chars_max_is_4_096_scalars() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    for chars in [4_095, 4_096] {
        accepted(&mut session, "search_project", json!({ "pattern": "\u{1F600}".repeat(chars) }));
    }
    refused(&mut session, "search_project", json!({ "pattern": "\u{1F600}".repeat(4_097) }), PATTERN);
}

#[test]
fn depth_max_is_1_000_levels() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    for depth in [json!(999), json!(1_000), json!("1000"), json!(0)] {
        accepted(&mut session, "get_tree", json!({ "max_depth": depth }));
    }
    refused(&mut session, "get_tree", json!({ "max_depth": 1_001 }), RANGE);
    refused(&mut session, "get_tree", json!({ "max_depth": "1001" }), RANGE);
}

/// How many files a tree of that format and that many lines lists.
fn files_of_lines(format: &str, lines: usize) -> usize {
    match format {
        "text" => lines - 1,
        "markdown" | "xml" => lines - 2,
        _ => lines - 7,
    }
}

#[test]
fn tree_lines_max_is_2_000_lines_in_each_format() {
    for format in ["text", "markdown", "json", "xml"] {
        let tree = numbered(files_of_lines(format, 1_999));
        let mut session = serve(&tree);
        for lines in [1_999, 2_000] {
            let answer = accepted(&mut session, "get_tree", json!({ "format": format }));
            assert_eq!(payload(&answer).lines().count(), lines, "{format}");
            assert!(trailers(&answer).is_empty(), "{format}: {:?}", trailers(&answer));
            tree.file(&format!("g{lines}.txt"), "x");
        }
        let answer = session.call("get_tree", json!({ "format": format }));
        if matches!(format, "text" | "markdown") {
            assert_eq!(payload(&answer).lines().count(), 2_000, "{format}");
            assert!(trailers(&answer)[0].starts_with("[Tree truncated "), "{:?}", trailers(&answer));
        } else {
            assert_eq!(answer.code(), "DPX-MCP-PAYLOAD-TRUNCATED", "{format}");
        }
    }
}

#[test]
fn top_files_default_is_10_and_top_files_max_is_1_000() {
    let tree = numbered(1_002);
    let mut session = serve(&tree);
    let mut listed = |arguments: Value| {
        let answer = accepted(&mut session, "analyze", arguments);
        answer.structured()["topFiles"].as_array().map(Vec::len)
    };
    assert_eq!(listed(json!({})), Some(10));
    assert_eq!(listed(json!({ "top_files": 1 })), Some(1));
    assert_eq!(listed(json!({ "top_files": 999 })), Some(999));
    assert_eq!(listed(json!({ "top_files": "1000" })), Some(1_000));
    for count in [json!(0), json!(1_001), json!("1001")] {
        refused(&mut session, "analyze", json!({ "top_files": count }), RANGE);
    }
}

#[test]
fn context_lines_default_is_2_and_context_lines_max_is_20() {
    let tree = Tree::new("");
    tree.file("a.txt", &format!("{0}hit\n{0}", "line\n".repeat(30)));
    let mut session = serve(&tree);
    let mut lines = |context: Value| {
        let answer =
            accepted(&mut session, "search_project", json!({ "pattern": "hit", "context_lines": context }));
        payload(&answer).lines().count()
    };
    assert_eq!(lines(Value::Null), 5);
    assert_eq!(lines(json!(0)), 1);
    assert_eq!(lines(json!(19)), 39);
    assert_eq!(lines(json!("20")), 41);
    refused(&mut session, "search_project", json!({ "pattern": "hit", "context_lines": 21 }), RANGE);
}

#[test]
fn max_results_default_is_50_and_max_results_max_is_200() {
    let tree = Tree::new("");
    tree.file("a.txt", &"hit\n".repeat(300));
    let mut session = serve(&tree);
    let mut shown = |results: Value| {
        let arguments = json!({ "pattern": "hit", "context_lines": 0, "max_results": results });
        let answer = accepted(&mut session, "search_project", arguments);
        (payload(&answer).lines().count(), trailers(&answer)[0].clone())
    };
    for (results, lines) in [(Value::Null, 50), (json!(1), 1), (json!(199), 199), (json!("200"), 200)] {
        let (count, trailer) = shown(results);
        assert_eq!(count, lines);
        assert!(trailer.starts_with(&format!("[{} more matching lines ", 300 - lines)), "{trailer}");
    }
    for results in [json!(0), json!(201)] {
        refused(&mut session, "search_project", json!({ "pattern": "hit", "max_results": results }), RANGE);
    }
}

#[test]
fn search_chars_max_is_49_000_characters() {
    let tree = Tree::new("");
    let mut session = serve(&tree);
    for (chars, is_shown) in [(48_999, true), (49_000, true), (49_001, false)] {
        tree.file("a.txt", &"é".repeat(chars - "a.txt:1:".len()));
        let answer = accepted(&mut session, "search_project", json!({ "pattern": "é" }));
        assert_eq!(payload(&answer).chars().count(), chars.min(49_000));
        assert_eq!(trailers(&answer).is_empty(), is_shown, "{:?}", trailers(&answer));
    }
}

#[test]
fn page_lines_max_is_1_000_lines_of_get_file_and_read_pack() {
    let tree = Tree::new("");
    let mut session = serve(&tree);
    for (lines, is_whole) in [(999, true), (1_000, true), (1_001, false)] {
        tree.file("a.txt", vec!["x"; lines].join("\n").as_str());
        let page = accepted(&mut session, "get_file", json!({ "path": "a.txt" }));
        assert_eq!(payload(&page).lines().count(), lines.min(1_000));
        assert_eq!(trailers(&page).is_empty(), is_whole, "{:?}", trailers(&page));
    }
    tree.file("a.txt", &"x\n".repeat(60_000));
    let stored = accepted(&mut session, "pack_context", json!({ "view": "content" }));
    let id = stored.text().split('\'').nth(1).expect("an id").to_owned();
    for (end, lines) in [(1_999, 999), (2_000, 1_000), (2_001, 1_000)] {
        let arguments = json!({ "pack_id": id, "start_line": 1_001, "end_line": end });
        let page = accepted(&mut session, "read_pack", arguments);
        assert_eq!(payload(&page).lines().count(), lines);
    }
}

#[test]
fn page_chars_max_is_50_000_characters_of_a_page() {
    let tree = Tree::new("");
    let mut session = serve(&tree);
    for (chars, trailer_count) in [(49_999, 0), (50_000, 0), (50_001, 2)] {
        tree.file("a.txt", &"é".repeat(chars));
        let page = accepted(&mut session, "get_file", json!({ "path": "a.txt" }));
        assert_eq!(payload(&page).chars().count(), chars.min(50_000));
        assert_eq!(trailers(&page).len(), trailer_count, "{:?}", trailers(&page));
    }
    tree.file("a.txt", &format!("{}\n{}", "é".repeat(50_000), "é".repeat(50_001)));
    let stored = accepted(&mut session, "pack_context", json!({ "view": "content", "format": "text" }));
    let id = stored.text().split('\'').nth(1).expect("an id").to_owned();
    for (line, trailer_count) in [(5, 1), (6, 2)] {
        let page = accepted(&mut session, "read_pack", json!({ "pack_id": id, "start_line": line }));
        assert_eq!(payload(&page).chars().count(), 50_000);
        assert_eq!(trailers(&page).len(), trailer_count, "{:?}", trailers(&page));
    }
}

#[test]
fn page_chars_max_is_50_000_characters_of_an_inline_pack_with_its_report() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    for budget in [Value::Null, json!(1_000_000)] {
        for format in ["text", "markdown", "json", "xml"] {
            let arguments = json!({ "view": "content", "format": format, "max_tokens": budget });
            let chars_of = |answer: &Answer| {
                let blocks: Vec<&str> = answer.text().split("\n</untrusted-data-").collect();
                let block = |text: &str| {
                    text.rsplit_once("<untrusted-data-").map(|(_, rest)| rest[26..].chars().count())
                };
                blocks.iter().filter_map(|text| block(text)).sum::<usize>()
            };
            // The length of a number in the metrics and in the report depends on that of the file.
            tree.file("a.txt", &"é".repeat(47_000));
            let overhead = chars_of(&accepted(&mut session, "pack_context", arguments.clone())) - 47_000;
            for (chars, is_inline) in [(49_999, true), (50_000, true), (50_001, false)] {
                tree.file("a.txt", &"é".repeat(chars - overhead));
                let answer = accepted(&mut session, "pack_context", arguments.clone());
                assert_eq!(!answer.text().starts_with("Pack stored as '"), is_inline, "{format} {chars}");
                if is_inline {
                    assert_eq!(chars_of(&answer), chars, "{format}");
                }
            }
        }
    }
}

#[test]
fn page_chars_max_bounds_a_stored_response_of_10_000_files() {
    let tree = numbered(10_000);
    let mut session = serve(&tree);
    for (format, view) in [("json", "tree-content"), ("text", "tree")] {
        let arguments = json!({ "format": format, "view": view, "max_tokens": 1 });
        let answer = accepted(&mut session, "pack_context", arguments);
        assert!(answer.text().starts_with("Pack stored as '"), "{format} {view}");
        assert!(answer.text().chars().count() <= 50_000, "{format} {view}");
        assert!(payload(&answer).contains(":\n├── f00000.txt\n├── f00001.txt\n"), "a text tree");
        assert_eq!(answer.text().matches("</untrusted-data-").count(), 2, "{format} {view}");
    }
}

#[test]
fn page_chars_min_is_4_000_characters() {
    let tree = Tree::new("");
    tree.file("a.txt", &"x".repeat(5_000));
    for chars in ["4000", "4001"] {
        let mut session = serve_with(&tree, &["--page-chars", chars]);
        let page = accepted(&mut session, "get_file", json!({ "path": "a.txt" }));
        assert_eq!(payload(&page).len().to_string(), chars);
    }
    let root = tree.root();
    let arguments = ["mcp", "--root", root.to_str().expect("UTF-8"), "--page-chars", "3999"];
    let exit = testkit::Client::start(std::path::Path::new(super::BINARY), &arguments, &tree.home()).wait();
    assert_eq!((exit.code, exit.rest.len()), (Some(2), 0));
}

#[test]
fn preview_chars_max_is_38_000_characters_and_tree_lines_max_lines() {
    let tree = Tree::new("");
    let name = "n".repeat(240);
    for number in 0..200 {
        tree.file(&format!("{name}{number:03}"), &"x\n".repeat(200));
    }
    let mut session = serve(&tree);
    let answer = accepted(&mut session, "pack_context", json!({}));
    let preview = payload(&answer);
    assert!((37_700..=38_000).contains(&preview.chars().count()), "{}", preview.chars().count());
    assert!(preview.lines().all(|line| line.ends_with(':') || line.chars().count() == 247), "whole lines");
    assert!(trailers(&answer)[0].starts_with("[Tree preview truncated"), "{:?}", trailers(&answer));

    for (files, is_whole) in [(1_998, true), (1_999, true), (2_000, false)] {
        let tree = numbered(files);
        tree.file("f00000.txt", &"x\n".repeat(30_000));
        let answer = accepted(&mut serve(&tree), "pack_context", json!({ "view": "content" }));
        assert_eq!(payload(&answer).lines().count(), (files + 1).min(2_000));
        assert_eq!(trailers(&answer).is_empty(), is_whole, "{:?}", trailers(&answer));
    }
}

#[test]
fn report_chars_max_is_8_000_characters_of_a_stored_response() {
    let tree = Tree::new("");
    tree.file("big.txt", &"x\n".repeat(30_000));
    let mut session = serve(&tree);
    let folder = "n".repeat(250);
    for number in 0..24 {
        tree.file(&format!("{folder}/{number:02}.txt"), "12345678");
    }
    let report = |session: &mut Session| {
        let answer = accepted(session, "pack_context", json!({ "max_tokens": 15_000 }));
        let text = answer.text().rsplit_once("\n</untrusted-data-").expect("two blocks").0;
        let at = text.find("Token budget: ").expect("a report");
        (text[at..].chars().count(), trailers(&answer))
    };
    // A name as long as it takes for exactly 8,000 characters, then one longer.
    let probe = format!("{folder}/{}", "p".repeat(10));
    tree.file(&probe, "12345678");
    let rest = 8_000 - report(&mut session).0 + 10;
    tree.remove(&probe);
    let (deep, leaf) = (format!("{folder}/{}", "d".repeat(200)), rest - 201);
    let deep = |chars: usize| {
        let mut name = deep.clone();
        let mut left = chars;
        while left > 200 {
            name.push_str(&format!("/{}", "e".repeat(199)));
            left -= 200;
        }
        format!("{name}/{}", "f".repeat(left - 1))
    };
    for (chars, is_whole) in [(leaf, true), (leaf + 1, true), (leaf + 2, false)] {
        let path = deep(chars);
        tree.file(&path, "12345678");
        let (found, said) = report(&mut session);
        tree.remove(&path);
        if is_whole {
            assert_eq!((found, said.len()), (7_999 + chars - leaf, 0), "{said:?}");
        } else {
            assert!(found < 8_000, "{found}");
            assert_eq!(said, ["[Budget report truncated]"]);
        }
    }
}

#[test]
fn skipped_listed_max_is_25_files() {
    let tree = Tree::new("");
    let mut session = serve(&tree);
    for files in 1..=26 {
        tree.file(&format!("f{files:02}.txt"), "12345678");
        if files < 24 {
            continue;
        }
        let answer = accepted(&mut session, "pack_context", json!({ "max_tokens": 1, "format": "json" }));
        let budget = &json_of(&answer)["tokenBudget"];
        assert_eq!(budget["largestSkippedFiles"].as_array().map(Vec::len), Some(files.min(25)));
        assert_eq!(budget["additionalSkippedFiles"], json!(files - files.min(25)));
        assert_eq!(answer.text().contains("\nand 1 more\n"), files == 26);
    }
}

#[test]
fn inspect_bytes_max_is_16_777_216_bytes() {
    let tree = Tree::new("");
    let mut session = serve(&tree);
    for (bytes, is_read) in [(16_777_215, true), (16_777_216, true), (16_777_217, false)] {
        tree.file("a.txt", &"needle\n".repeat(bytes / 7 + 1)[..bytes]);
        let page = session.call("get_file", json!({ "path": "a.txt", "end_line": 1 }));
        assert_eq!(page.is_error(), !is_read, "{bytes}");
        assert!(is_read || page.code() == "DPX-MCP-PAYLOAD-TRUNCATED");
    }
}

#[test]
fn profile_store_bytes_max_is_4_194_304_bytes() {
    let tree = Tree::new("a.txt: x");
    let root = tree.root();
    let root = root.to_str().expect("UTF-8");
    let store = json!({
        "schemaVersion": 1,
        "profiles": { root: { "schemaVersion": 1, "selection": { "gitMode": "none" } } },
    })
    .to_string();
    let folder = tree.home().join("config");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut session = serve(&tree);
    for (bytes, is_read) in [(4_194_303, true), (4_194_304, true), (4_194_305, false)] {
        let padded = format!("{store}{}", " ".repeat(bytes - store.len()));
        std::fs::write(folder.join("profiles.json"), padded).expect("written");
        let listed = accepted(&mut session, "list_projects", json!({}));
        assert_eq!(listed.structured()["profiles"].as_array().map(Vec::len), Some(usize::from(is_read)));
        let answer = session.call("analyze", json!({ "profile": "local" }));
        assert_eq!(answer.is_error(), !is_read, "{bytes}: {}", answer.text());
        assert!(is_read || answer.code() == ARGUMENTS);
    }
}
