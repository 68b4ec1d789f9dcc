//! Pages of every list, cursors that are not a server's own, and answers on a project of large nodes.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use testkit::Tree;

use super::docs_server::{MANIFEST, Server, project};

/// Every list with a cursor: tool, arguments, and where its items stand.
fn lists() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("docforge_search", json!({ "query": "sessions" }), "hits"),
        ("docforge_filter_nodes", json!({}), "nodes"),
        (
            "docforge_filter_nodes",
            json!({ "sort": ["-field:priority", "title"], "fields": ["priority"] }),
            "nodes",
        ),
        ("docforge_filter_nodes", json!({ "group_by": "field:status" }), "groups"),
        ("docforge_backlinks", json!({ "id": "REQ-1", "mentions": true }), "edges"),
        ("docforge_validate_project", json!({}), "diagnostics"),
    ]
}

fn with(arguments: &Value, further: &[(&str, Value)]) -> Value {
    let mut out: Map<String, Value> = arguments.as_object().expect("an object").clone();
    for (name, value) in further {
        out.insert((*name).to_owned(), value.clone());
    }
    Value::Object(out)
}

/// All items of a list by pages of `limit`, and the cursor behind the first page.
fn pages(
    server: &mut Server,
    tool: &str,
    arguments: &Value,
    key: &str,
    limit: usize,
) -> (Vec<Value>, Option<Value>) {
    let mut items = Vec::new();
    let (mut cursor, mut first) = (Value::Null, None);
    loop {
        let answer =
            server.ask(tool, with(arguments, &[("limit", json!(limit)), ("cursor", cursor.clone())]));
        assert_eq!(answer["ok"], true, "{tool}: {}", answer["error"]);
        let shown = answer["result"][key].as_array().expect("items");
        assert_eq!(
            (&answer["page"]["returned"], &answer["page"]["limit"]),
            (&json!(shown.len()), &json!(limit))
        );
        assert!(shown.len() <= limit);
        items.extend(shown.iter().cloned());
        let total = answer["page"]["total"].as_u64().expect("exact");
        match answer["page"].get("next_cursor") {
            Some(next) => {
                assert!(!shown.is_empty() && (items.len() as u64) < total, "{tool}");
                first.get_or_insert_with(|| next.clone());
                cursor = next.clone();
            }
            None => {
                assert_eq!(items.len() as u64, total, "{tool}: the pages hold all");
                return (items, first);
            }
        }
    }
}

/// A project in which every list is longer than a page of two.
fn long() -> Tree {
    let tree = project();
    for at in 1..=3 {
        tree.file(
            &format!("docs/test/d{at}.md"),
            &format!("---\nid: TST-3{at}\ntype: test\nverifies: [REQ-9{at}]\n---\n"),
        );
    }
    tree
}

#[test]
fn every_list_is_whole_by_pages_of_any_size_and_stale_after_an_edit() {
    let tree = long();
    let mut server = Server::start(&tree, &[]);
    for (tool, arguments, key) in lists() {
        let (all, none) =
            pages(&mut server, tool, &arguments, key, if tool == "docforge_search" { 50 } else { 200 });
        assert!(all.len() > 2 && none.is_none(), "{tool} {arguments}: {}", all.len());
        for limit in [1, 2, 3] {
            assert_eq!(
                pages(&mut server, tool, &arguments, key, limit).0,
                all,
                "{tool} {arguments} by {limit}"
            );
        }
        let (_, cursor) = pages(&mut server, tool, &arguments, key, 2);
        let again = with(&arguments, &[("limit", json!(2)), ("cursor", cursor.expect("a second page"))]);
        let second = server.ask(tool, again.clone());
        assert_eq!(second["ok"], true);
        let text = std::fs::read_to_string(tree.path("docs/req/r07.md")).expect("there");
        tree.file("docs/req/r07.md", &format!("{text}More.\n"));
        assert_eq!(server.code(tool, again.clone()), "cursor_stale", "{tool}");
        tree.file("docs/req/r07.md", &text);
        assert_eq!(
            server.ask(tool, again)["result"],
            second["result"],
            "{tool}: the state is the same one again"
        );
    }
}

#[test]
fn a_cursor_that_was_forged_or_belongs_elsewhere_is_refused() {
    let tree = long();
    let mut server = Server::start(&tree, &[]);
    let mut cursors = Vec::new();
    for (tool, arguments, key) in lists() {
        let cursor = pages(&mut server, tool, &arguments, key, 2).1.expect("a second page");
        cursors.push((tool, with(&arguments, &[("limit", json!(2))]), cursor));
    }
    for (at, (_, _, cursor)) in cursors.iter().enumerate() {
        for (other, (tool, arguments, _)) in cursors.iter().enumerate() {
            let answer = server.ask(tool, with(arguments, &[("cursor", cursor.clone())]));
            let expected = if at == other { Value::Null } else { json!("cursor_invalid") };
            assert_eq!(answer["error"]["code"], expected, "cursor {at} for {tool} {arguments}");
        }
    }
    let (tool, arguments, cursor) = &cursors[1];
    let cursor = cursor.as_str().expect("text");
    for at in [0, 10, cursor.len() / 2, cursor.len() - 1] {
        let mut forged = cursor.as_bytes().to_vec();
        forged[at] = if forged[at] == b'Q' { b'R' } else { b'Q' };
        let forged = String::from_utf8(forged).expect("ASCII");
        assert_eq!(
            server.code(tool, with(arguments, &[("cursor", json!(forged))])),
            "cursor_invalid",
            "{at}"
        );
    }
    for forged in ["AAAA", "=", "ü", &"A".repeat(3_000)] {
        assert_eq!(
            server.code(tool, with(arguments, &[("cursor", json!(forged))])),
            "cursor_invalid",
            "{forged}"
        );
    }
    // Another process made it, on the same state of the same project.
    let mut stranger = Server::start(&tree, &[]);
    assert_eq!(stranger.code(tool, with(arguments, &[("cursor", json!(cursor))])), "cursor_invalid");
    // The limit is one of the arguments that a cursor belongs to.
    let wider = with(arguments, &[("limit", json!(3)), ("cursor", json!(cursor))]);
    assert_eq!(server.code(tool, wider), "cursor_invalid");
}

#[test]
fn a_limit_out_of_its_bounds_is_an_error_and_never_moved() {
    let tree = project();
    let mut server = Server::start(&tree, &[]);
    for (tool, arguments, most) in [
        ("docforge_search", json!({ "query": "x" }), 50),
        ("docforge_filter_nodes", json!({}), 200),
        ("docforge_backlinks", json!({ "id": "REQ-1" }), 200),
        ("docforge_dependencies", json!({ "id": "REQ-1" }), 500),
        ("docforge_impact", json!({ "id": "REQ-1" }), 500),
        ("docforge_validate_project", json!({}), 200),
        ("docforge_list_changesets", json!({}), 100),
    ] {
        for limit in [0, most + 1] {
            let code = server.code(tool, with(&arguments, &[("limit", json!(limit))]));
            assert_eq!(code, "invalid_arguments", "{tool} {limit}");
        }
        assert_eq!(
            server.ask(tool, with(&arguments, &[("limit", json!(most))]))["ok"],
            true,
            "{tool} {most}"
        );
    }
}

const LINKS: usize = 9_000;
const BODY_BYTES: usize = 256 * 1024;

/// A hub that nine thousand nodes lead to.
fn hub(tree: &Tree) {
    tree.file(
        "docs/hub.md",
        &format!("---\nid: HUB\ntype: req\ntitle: \"{}\"\nstatus: draft\n---\n", "ü".repeat(300)),
    );
    for file in 0..90 {
        let mut text = String::new();
        for at in file * 100..file * 100 + 100 {
            let title = "\\\"é".repeat(100);
            write!(text, "# x\n```node\nid: N-{at}\ntype: req\ntitle: \"{title}\"\nstatus: draft\nrefines: [HUB]\n```\n\n").expect("text");
        }
        tree.file(&format!("many/{file}.md"), &text);
    }
}

/// Bodies of the greatest length in one to four bytes a character, each in a node that leads to the hub.
fn long_bodies(tree: &Tree) -> Vec<(String, String)> {
    let mut bodies = Vec::new();
    for (name, unit) in [
        ("ASCII", "abc \"q\" \\ "),
        ("TWO", "é"),
        ("THREE", "a東"),
        ("FOUR", "🦀x"),
        ("CONTROL", "\u{1}\u{7f}\t"),
    ] {
        let mut body = unit.repeat(BODY_BYTES / unit.len());
        body.pop();
        body.push('\n');
        assert!(body.len() <= BODY_BYTES);
        tree.file(
            &format!("docs/{name}.md"),
            &format!("---\nid: {name}\ntype: req\ntitle: Body\nstatus: draft\nrefines: [HUB]\n---\n{body}"),
        );
        bodies.push((name.to_owned(), body));
    }
    bodies
}

#[test]
fn no_answer_grows_beyond_its_bound_on_large_nodes_and_totals_stay_exact() {
    let tree = Tree::new("");
    tree.file("docforge.toml", MANIFEST);
    hub(&tree);
    let bodies = long_bodies(&tree);
    let mut server = Server::start(&tree, &["--proposal-writer", "agent"]);
    let inbound = LINKS + bodies.len();
    let node = server.result("docforge_get_node", json!({ "id": "HUB" }));
    assert_eq!(
        (&node["inbound_total"], node["inbound"].as_array().map(Vec::len) <= Some(50)),
        (&json!(inbound), true)
    );
    let answer = server.ask("docforge_backlinks", json!({ "id": "HUB", "limit": 200 }));
    assert_eq!(
        (&answer["page"]["total"], &answer["result"]["by_relation"]["refines"]),
        (&json!(inbound), &json!(inbound))
    );
    assert!(answer["page"]["next_cursor"].is_string());
    let (edges, _) = pages(&mut server, "docforge_backlinks", &json!({ "id": "HUB" }), "edges", 200);
    let mut from: Vec<&str> = edges.iter().map(|edge| edge["from"].as_str().expect("an id")).collect();
    assert!(from.is_sorted(), "one relation, by the bytes of ids");
    from.dedup();
    assert_eq!(from.len(), inbound, "each once");
    let whole =
        server.ask("docforge_filter_nodes", json!({ "limit": 200, "fields": ["status"], "sort": ["title"] }));
    assert_eq!(whole["page"]["total"], inbound + 1);
    let impact = server.result("docforge_impact", json!({ "id": "HUB", "change": "delete", "limit": 500 }));
    assert_eq!((&impact["affected_total"], &impact["by_distance"]["1"]), (&json!(inbound), &json!(inbound)));
    assert_eq!(impact["truncated"], true);
    for (name, _) in bodies.iter().map(|(name, body)| (name.as_str(), body)).chain([("HUB", &String::new())])
    {
        for tool in ["docforge_get_node", "docforge_backlinks", "docforge_dependencies", "docforge_impact"] {
            server.ask(tool, json!({ "id": name }));
        }
        for budget in [200, 20_000] {
            server.ask("docforge_get_context", json!({ "id": name, "budget_tokens": budget, "depth": 4 }));
        }
        server.ask("docforge_get_node", json!({ "id": name, "body_limit": 24 * 1024 }));
    }
    for arguments in [json!({ "query": "Body", "limit": 50 }), json!({ "query": "q", "limit": 50 })] {
        server.result("docforge_search", arguments);
    }
    server.result("docforge_validate_project", json!({ "limit": 200 }));
    server.result("docforge_project_info", json!({}));
}

#[test]
fn pieces_of_a_body_put_together_are_the_body_to_the_byte() {
    let tree = Tree::new("");
    tree.file("docforge.toml", MANIFEST);
    let bodies = long_bodies(&tree);
    let mut server = Server::start(&tree, &[]);
    for (name, body) in &bodies {
        // 24 KiB and 16 KiB are no multiple of three, so pieces end within characters of three bytes.
        for limit in [None, Some(24 * 1024), Some(24 * 1024 - 1)] {
            let (mut text, mut next) = (String::new(), json!(0));
            while !next.is_null() {
                let arguments =
                    json!({ "id": name, "include": ["body"], "body_offset": next, "body_limit": limit });
                let doc = server.result("docforge_get_node", arguments)["doc"].clone();
                let piece = doc["body"].as_str().expect("a piece");
                assert!(!piece.is_empty() && piece.len() <= limit.unwrap_or(16 * 1024), "{name}");
                assert_eq!(doc["body_total"], body.len(), "{name}");
                text.push_str(piece);
                next = doc["body_next"].clone();
                assert!(next.is_null() || next == text.len(), "{name}");
            }
            assert!(text == *body, "{name} {limit:?}: {} bytes of {}", text.len(), body.len());
        }
    }
    // One byte at a time, a character is never cut.
    let mut next = json!(0);
    let mut text = String::new();
    for _ in 0..8 {
        let doc = server
            .result("docforge_get_node", json!({ "id": "FOUR", "body_offset": next, "body_limit": 1 }))["doc"]
            .clone();
        text.push_str(doc["body"].as_str().expect("a piece"));
        next = doc["body_next"].clone();
    }
    assert_eq!(text, "🦀x🦀x🦀x🦀x");
    for offset in [1, 2, 3, BODY_BYTES * 2] {
        let error = server.error("docforge_get_node", json!({ "id": "FOUR", "body_offset": offset }));
        assert_eq!(error["code"], "invalid_arguments", "{offset}");
    }
}
