//! No secret comes out, by whatever way it is asked for.

use serde_json::json;
use testkit::Tree;

use super::{github_token, payload, serve, serve_with, trailers};

/// Every twelve-character piece of a value, so that no part of it is taken for harmless.
fn holds_piece(text: &str, value: &str) -> bool {
    (0..=value.len() - 12).any(|at| text.contains(&value[at..at + 12]))
}

#[test]
fn a_planted_token_is_masked_in_every_tool_format_and_detail() {
    let token = github_token(7);
    let tree = Tree::new("");
    tree.file("src/a.rs", &format!("// top\nlet t = \"{token}\"; // end\n"));
    tree.file("big.txt", &format!("{}\n{token}\n{}", "x\n".repeat(20_000), "y\n".repeat(20_000)));
    let mut session = serve(&tree);
    let mut texts = vec![
        session.call("get_file", json!({ "path": "src/a.rs" })).all_text(),
        session
            .call("get_file", json!({ "path": "big.txt", "start_line": 20_001, "end_line": 20_003 }))
            .all_text(),
        session.call("search_project", json!({ "pattern": "let t" })).all_text(),
    ];
    assert!(texts.iter().all(|text| text.contains("REDACTED[github-pat#1]")), "{texts:?}");
    for format in ["text", "markdown", "json", "xml"] {
        for detail in ["full", "compact", "signatures"] {
            let arguments = json!({ "format": format, "detail": detail, "paths": ["src"] });
            let pack = session.call("pack_context", arguments).all_text();
            assert!(pack.contains("REDACTED[github-pat#1]"), "{format} {detail}: {pack}");
            texts.push(pack);
        }
        let stored = session.call("pack_context", json!({ "format": format, "view": "content" })).all_text();
        let id = stored.split('\'').nth(1).expect("stored").to_owned();
        texts.push(stored);
        for start in [1, 19_990, 20_000] {
            texts.push(session.call("read_pack", json!({ "pack_id": id, "start_line": start })).all_text());
        }
    }
    texts.push(session.call("analyze", json!({})).all_text());
    texts.push(session.call("get_file", json!({ "path": format!("missing/{token}") })).all_text());
    texts.push(session.call("pack_context", json!({ "include_patterns": [format!("{token}[")] })).all_text());
    for text in &texts {
        assert!(!holds_piece(text, &token), "{text}");
    }
}

#[test]
fn searching_for_a_secret_finds_nothing_and_placeholders_do_not_match() {
    let token = github_token(8);
    let tree = Tree::new("b.txt: REDACTED[x#1] in the source");
    tree.file("a.txt", &format!("key {token} tail\n"));
    let mut session = serve(&tree);
    let mut lines = |pattern: &str| {
        let answer = session.call("search_project", json!({ "pattern": pattern, "context_lines": 0 }));
        payload(&answer)
    };
    assert_eq!(lines(&token), "");
    assert_eq!(lines("ghp_"), "");
    assert_eq!(lines(&token[8..20]), "");
    assert_eq!(lines("REDACTED"), "b.txt:1:REDACTED[x#1] in the source");
    assert_eq!(lines("tail$"), "a.txt:1:key REDACTED[github-pat#1] tail");
}

#[test]
fn equal_values_share_a_number_and_distinct_ones_do_not() {
    let (one, two) = (github_token(1), github_token(2));
    let tree = Tree::new("");
    tree.file("a.txt", &format!("{one} {two}\n")).file("b.txt", &format!("{two} {one}\n"));
    let mut session = serve(&tree);
    let pack = payload(&session.call("pack_context", json!({ "view": "content", "format": "text" })));
    assert!(pack.contains("REDACTED[github-pat#1] REDACTED[github-pat#2]"), "{pack}");
    assert!(pack.contains("REDACTED[github-pat#2] REDACTED[github-pat#1]"), "{pack}");
}

#[test]
fn a_private_key_is_masked_also_in_a_page_that_omits_its_first_line() {
    let body: String = (0..24)
        .map(|row| {
            format!("{}\n", github_token(row + 100).repeat(2).replace("ghp_", "Qz7k")[..64].to_owned())
        })
        .collect();
    let tree = Tree::new("");
    tree.file("key.pem", &format!("-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----\n"));
    let mut session = serve(&tree);
    for (start, end) in [(1, 26), (5, 10), (2, 2)] {
        let answer =
            session.call("get_file", json!({ "path": "key.pem", "start_line": start, "end_line": end }));
        for line in body.lines() {
            assert!(!answer.all_text().contains(&line[..12]), "{}", answer.text());
        }
    }
    let needle = &body[70..90];
    let found = session.call("search_project", json!({ "pattern": needle.split('\n').next() }));
    assert_eq!(payload(&found), "");
}

#[test]
fn private_data_is_masked_only_when_the_server_was_started_so() {
    let tree = Tree::new("");
    tree.file("a.txt", "write to jane.roe@corp-mail.io today\n");
    let mut open = serve(&tree);
    assert!(payload(&open.call("get_file", json!({ "path": "a.txt" }))).contains("jane.roe@corp-mail.io"));
    let mut hidden = serve_with(&tree, &["--hide-private-data"]);
    let shown = payload(&hidden.call("get_file", json!({ "path": "a.txt" })));
    assert_eq!(shown, "write to REDACTED[email#1] today\n");
}

#[test]
fn a_file_over_the_inspection_boundary_is_withheld_and_counted() {
    let tree = Tree::new("small.txt: needle");
    let boundary = 16 * 1024 * 1024;
    tree.file("at.txt", &"needle\n".repeat(boundary / 7 + 1)[..boundary]);
    tree.file("over.txt", &"needle\n".repeat(boundary / 7 + 1)[..boundary + 1]);
    let mut session = serve(&tree);
    assert_eq!(session.call("get_file", json!({ "path": "over.txt" })).code(), "DPX-MCP-PAYLOAD-TRUNCATED");
    assert!(!session.call("get_file", json!({ "path": "at.txt", "end_line": 1 })).is_error());
    let found = session.call(
        "search_project",
        json!({ "pattern": "needle", "max_results": 1, "exclude_patterns": ["at.txt"] }),
    );
    assert!(payload(&found).contains("small.txt:1:needle"));
    assert!(trailers(&found)[0].starts_with("[Warning DPX-MCP-PAYLOAD-TRUNCATED] 1 selected file "));
    assert!(!trailers(&found)[0].contains("over.txt"));
    let analysis = session.call("analyze", json!({ "exclude_patterns": ["at.txt"] }));
    let structured = analysis.structured();
    assert_eq!(
        structured["topFiles"][0],
        json!({ "path": "over.txt", "tokens": (boundary + 1).div_ceil(4), "uninspected": true })
    );
    assert!(structured["tokens"].as_u64() >= structured["topFiles"][0]["tokens"].as_u64());
    assert_eq!(structured["warnings"].as_array().map(Vec::len), Some(1));
    assert_eq!(analysis.blocks().len(), 2);
    let pack = session.call("pack_context", json!({ "exclude_patterns": ["at.txt"], "format": "json" }));
    let document: serde_json::Value = serde_json::from_str(&payload(&pack)).expect("JSON");
    assert_eq!(document["files"][0]["classification"], json!("too-large"));
    assert!(document["files"][0]["content"].is_null());
    assert_eq!(trailers(&pack).len(), 1);
    let whole = session.call("analyze", json!({ "max_file_bytes": boundary }));
    assert_eq!(whole.structured()["warnings"], json!([]));
    assert_eq!(whole.blocks().len(), 1);
}

#[test]
fn a_secret_that_one_file_names_does_not_leave_through_another_in_the_same_answer() {
    let tree = Tree::new("");
    let value = "x8Kd02mQpL4nZt7V";
    tree.file("a/config.py", &format!("api_key = \"{value}\"\nneedle\n"));
    tree.file("b/notes.txt", &format!("the old one was {value} needle\n"));
    let mut session = serve(&tree);
    for format in ["markdown", "text", "json", "xml"] {
        let pack = session.call("pack_context", json!({ "format": format }));
        assert!(!pack.all_text().contains(value), "{format}: {}", pack.all_text());
        assert!(pack.text().contains("REDACTED[seen-masked#1]"), "{format}");
    }
    let found = session.call("search_project", json!({ "pattern": "needle", "context_lines": 1 }));
    assert!(!found.all_text().contains(value) && found.text().contains("seen-masked"), "{}", found.text());
    // Alone the second file says nothing of what it holds; a stored pack is looked through page by page.
    tree.file("c/long.txt", &"a line of text that makes the pack long\n".repeat(3_000));
    let pack = session.call("pack_context", json!({ "format": "text" }));
    let id = pack.text().split('\'').nth(1).expect("a stored pack").to_owned();
    let page = session.call("read_pack", json!({ "pack_id": id }));
    assert!(!page.all_text().contains(value) && page.text().contains("seen-masked"), "{}", page.text());
}
