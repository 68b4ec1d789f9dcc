//! Wrong arguments get the code that the contract names and advice that works.

use serde_json::{Value, json};
use testkit::Tree;

use super::{payload, serve};

fn check(session: &mut testkit::Session, tool: &str, arguments: Value, code: &str) {
    let answer = session.call(tool, arguments.clone());
    assert!(answer.is_error(), "{tool} {arguments}");
    assert_eq!(answer.code(), code, "{tool} {arguments}: {}", answer.text());
}

#[test]
fn every_wrong_argument_has_its_code() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    let invalid = "DPX-MCP-INVALID-ARGUMENTS";
    let range = "DPX-MCP-INVALID-RANGE";
    let pattern = "DPX-MCP-INVALID-PATTERN";
    for (tool, arguments, code) in [
        ("get_tree", json!({ "nope": 1 }), invalid),
        ("get_tree", json!({ "format": "yaml" }), invalid),
        ("get_tree", json!({ "format": 7 }), invalid),
        ("get_tree", json!({ "profile": "standard" }), invalid),
        ("get_tree", json!({ "max_depth": 1_001 }), range),
        ("get_tree", json!({ "max_depth": -1 }), range),
        ("get_tree", json!({ "max_depth": 5.5 }), range),
        ("get_tree", json!({ "max_depth": " 5" }), range),
        ("get_tree", json!({ "max_depth": "+5" }), range),
        ("get_tree", json!({ "max_depth": true }), invalid),
        ("get_tree", json!({ "max_depth": [] }), invalid),
        ("get_tree", json!({ "tracked_only": "TRUE" }), invalid),
        ("get_tree", json!({ "tracked_only": 1 }), invalid),
        ("get_tree", json!({ "branch": "main" }), invalid),
        ("get_tree", json!({ "git_scope": "Staged" }), invalid),
        ("get_tree", json!({ "git_scope": "diff:a...b" }), invalid),
        ("get_tree", json!({ "git_scope": "diff:--output=x..HEAD" }), invalid),
        ("get_tree", json!({ "git_scope": "d".repeat(4_097) }), invalid),
        ("get_tree", json!({ "include_patterns": [""] }), invalid),
        ("get_tree", json!({ "include_patterns": [3] }), invalid),
        ("get_tree", json!({ "include_patterns": ["!a"] }), pattern),
        ("get_tree", json!({ "include_patterns": ["[ab]"] }), pattern),
        ("get_tree", json!({ "include_patterns": ["/a"] }), pattern),
        ("get_tree", json!({ "exclude_patterns": ["a\\b"] }), pattern),
        ("get_tree", json!({ "exclude_patterns": ["a".repeat(513)] }), pattern),
        ("get_tree", json!({ "exclude_patterns": vec!["a"; 257] }), pattern),
        ("get_tree", json!({ "max_file_bytes": 0 }), range),
        ("analyze", json!({ "top_files": 0 }), range),
        ("analyze", json!({ "top_files": 1_001 }), range),
        ("analyze", json!({ "detail": "less" }), invalid),
        ("analyze", json!({ "paths": vec!["a.txt"; 257] }), invalid),
        ("analyze", json!({ "paths": ["a".repeat(4_097)] }), invalid),
        ("pack_context", json!({ "view": "both" }), invalid),
        ("pack_context", json!({ "max_tokens": 0 }), range),
        ("read_pack", json!({}), invalid),
        ("read_pack", json!({ "pack_id": " " }), invalid),
        ("read_pack", json!({ "pack_id": "x", "start_line": 0 }), range),
        ("search_project", json!({}), invalid),
        ("search_project", json!({ "pattern": "" }), invalid),
        ("search_project", json!({ "pattern": "x", "context_lines": 21 }), range),
        ("search_project", json!({ "pattern": "x", "max_results": 201 }), range),
        ("search_project", json!({ "pattern": "x", "max_results": 0 }), range),
        ("get_file", json!({}), invalid),
        ("get_file", json!({ "path": "nope" }), "DPX-MCP-PATH-NOT-FOUND"),
        ("get_file", json!({ "path": "." }), "DPX-MCP-PATH-NOT-FOUND"),
        ("get_file", json!({ "path": "a.txt", "tracked_only": true }), invalid),
        ("get_tree", json!({ "project": "/nope" }), "DPX-MCP-UNKNOWN-PROJECT"),
        ("get_tree", json!({ "project": "https://host.example/a" }), "DPX-MCP-REMOTE-DISABLED"),
        ("get_tree", json!({ "project": "git@host.example:a/b" }), "DPX-MCP-REMOTE-DISABLED"),
    ] {
        check(&mut session, tool, arguments, code);
    }
}

#[test]
fn values_at_their_bounds_and_lenient_forms_are_accepted() {
    let tree = Tree::new("a.txt: x\nsub/b.txt: y");
    let mut session = serve(&tree);
    for (tool, arguments) in [
        ("get_tree", json!({ "max_depth": 0 })),
        ("get_tree", json!({ "max_depth": "1000" })),
        ("get_tree", json!({ "max_depth": 5.0 })),
        ("get_tree", json!({ "max_depth": null, "format": null, "project": "", "include_patterns": [] })),
        ("get_tree", json!({ "exclude_patterns": vec!["z"; 256] })),
        ("get_tree", json!({ "exclude_patterns": ["é".repeat(512)] })),
        ("get_tree", json!({ "exclude_patterns": "*.md", "include_patterns": "[\"*.txt\"]" })),
        ("get_tree", json!({ "tracked_only": "false" })),
        ("analyze", json!({ "top_files": "1000", "detail": "compact", "profile": "" })),
        ("analyze", json!({ "paths": vec!["a.txt"; 256] })),
        ("pack_context", json!({ "max_tokens": "1", "view": "content" })),
        (
            "search_project",
            json!({ "pattern": "x", "context_lines": 20, "max_results": 200, "ignore_case": "false" }),
        ),
        ("get_file", json!({ "path": "./sub//b.txt", "start_line": "1", "end_line": 1 })),
    ] {
        let answer = session.call(tool, arguments.clone());
        assert!(!answer.is_error(), "{tool} {arguments}: {}", answer.text());
    }
}

#[test]
fn credentials_in_a_refused_url_are_never_echoed() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    for url in [
        "https://me:hunter2secret@host.example/x",
        "https://host.example/x?token=hunter2secret",
        "ssh://me:hunter2secret@host.example/x",
    ] {
        let answer = session.call("get_tree", json!({ "project": url }));
        assert_eq!(answer.code(), "DPX-MCP-REMOTE-DISABLED");
        assert!(
            !answer.all_text().contains("hunter2secret") && answer.text().contains("--allow-remote"),
            "{}",
            answer.text()
        );
    }
}

#[test]
fn a_name_in_another_case_is_not_the_name_and_the_error_says_so() {
    let tree = Tree::new("Readme.md: x");
    let mut session = serve(&tree);
    let answer = session.call("get_file", json!({ "path": "README.md" }));
    assert_eq!(answer.code(), "DPX-MCP-PATH-NOT-FOUND");
    assert!(answer.text().contains("case"), "{}", answer.text());
    assert_eq!(payload(&session.call("get_file", json!({ "path": "Readme.md" }))), "x");
}

#[test]
fn no_schema_offers_a_way_to_control_redaction() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    for tool in session.list_tools() {
        let schema = tool["inputSchema"]["properties"].to_string().to_lowercase();
        for word in ["redact", "secret", "private", "mask", "hide"] {
            assert!(!schema.contains(word), "{} offers {word}", tool["name"]);
        }
    }
}
