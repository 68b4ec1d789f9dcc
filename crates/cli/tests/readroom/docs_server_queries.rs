//! Searches and filters over the wire: every query means what it says literally, and what cannot be meant is an error with a
//! code and a way on.

use serde_json::{Value, json};
use testkit::Tree;

use super::docs_server::{MANIFEST, Server, project};

fn ids(hits: &Value) -> Vec<&str> {
    hits["hits"].as_array().expect("hits").iter().map(|hit| hit["id"].as_str().expect("an id")).collect()
}

#[test]
fn queries_are_taken_literally_and_never_as_the_language_of_a_database() {
    let tree = Tree::new("");
    tree.file("docforge.toml", MANIFEST);
    let bodies = [
        ("REQ-1", "A multi-agent run."),
        ("REQ-2", "multi purpose, no agent near."),
        ("REQ-3", "It is a'b here."),
        ("REQ-4", "the column col:x of NEAR(x)"),
        ("REQ-5", "東京都庁は新宿にある。日本の首都。"),
        ("REQ-6", "an emoji 🦀 crab"),
        ("REQ-7", "near x without brackets; col x"),
    ];
    for (id, body) in bodies {
        tree.file(
            &format!("docs/{id}.md"),
            &format!("---\nid: {id}\ntype: req\nstatus: draft\ntitle: T\n---\n{body}\n"),
        );
    }
    let mut server = Server::start(&tree, &[]);
    let mut found = |query: &str| {
        let result = server.result("docforge_search", json!({ "query": query }));
        let mut all: Vec<String> = ids(&result).into_iter().map(str::to_owned).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(found("multi-agent"), ["REQ-1"]);
    assert_eq!(found("a'b"), ["REQ-3"]);
    assert_eq!(found("NEAR(x)"), ["REQ-4", "REQ-7"], "two words in a row, as written");
    assert_eq!(found("col:x"), ["REQ-4", "REQ-7"], "no column of this name is meant");
    assert_eq!(found("日本"), ["REQ-5"]);
    assert_eq!(found("東京都"), ["REQ-5"]);
    assert_eq!(found("京都庁"), ["REQ-5"], "from the middle of a word");
    assert!(found("京東").is_empty());
    assert_eq!(found("crab\u{0}"), ["REQ-6"], "a zero parts words");
    assert_eq!(found("AND"), Vec::<String>::new());
    assert_eq!(found("\"agent near"), ["REQ-2"], "an open quote is literal");
    let mut code = |query: &str| server.code("docforge_search", json!({ "query": query }));
    for empty in ["\"", "*", "", " ", "🦀", "\u{0}", "-", "|", "()", "\"\""] {
        assert_eq!(code(empty), "query_empty", "{empty:?}");
    }
    assert_eq!(code("-only -negative"), "query_syntax");
    assert_eq!(code(&"x".repeat(600)), "argument_too_large");
    assert_eq!(code(&vec!["w"; 25].join(" ")), "query_syntax");
    assert!(server.result("docforge_search", json!({ "query": "x".repeat(512) }))["hits"].is_array());
}

#[test]
fn filters_that_cannot_be_meant_say_what_was_perhaps_meant() {
    let tree = project();
    let mut server = Server::start(&tree, &[]);
    let mut refused = |text: &str| {
        let error = server.error("docforge_filter_nodes", json!({ "where": text }));
        (error["code"].as_str().expect("a code").to_owned(), error.clone())
    };
    let (code, error) = refused("statsu = draft");
    assert_eq!(
        (code.as_str(), &error["details"]["near"]),
        ("field_unknown", &json!(["status", "state"])),
        "{error}"
    );
    assert_eq!(refused("priority ~ 3").0, "filter_type_error");
    let (code, error) = refused("status = aproved");
    assert_eq!(
        (code.as_str(), &error["doc"]["near"]),
        ("filter_type_error", &json!(["approved"])),
        "{error}"
    );
    assert_eq!(refused(&vec!["priority = 1"; 70].join(" or ")).0, "filter_too_complex");
    assert_eq!(refused(&format!("{}priority = 1{}", "(".repeat(20), ")".repeat(20))).0, "filter_too_complex");
    assert_eq!(refused("type = rqe").0, "type_unknown");
    assert_eq!(refused("any(out.refined_by)").0, "relation_unknown");
    assert_eq!(refused("type = req and").0, "filter_syntax");
    let total = |server: &mut Server, text: &str| {
        server.result("docforge_filter_nodes", json!({ "where": text, "count_only": true }))["total"].clone()
    };
    assert_eq!(total(&mut server, "priority > 3 and priority <= 6"), 3);
    assert_eq!(total(&mut server, "type = req and none(in.verifies)"), 0);
    assert_eq!(total(&mut server, "reaches(out.refines, REQ-3)"), 3, "6 and 7, and 12 by way of 6");
}

#[test]
fn quantifiers_inside_each_other_over_a_hub_give_up_and_the_server_goes_on() {
    let tree = Tree::of_many("");
    tree.file("docforge.toml", &MANIFEST.replace("acyclic = true\n", ""));
    let links: Vec<String> = (1..1_900).map(|at| format!("N-{at}")).collect();
    tree.file(
        "docs/hub.md",
        &format!("---\nid: HUB\ntype: req\nstatus: draft\nrefines: [{}]\n---\n", links.join(", ")),
    );
    for at in 1..1_900 {
        tree.file(
            &format!("docs/n{at}.md"),
            &format!("---\nid: N-{at}\ntype: req\nstatus: draft\nrefines: [HUB]\n---\n"),
        );
    }
    let mut server = Server::start(&tree, &[]);
    let text = "all(out.refines where all(out.refines where all(out.refines where type = req)))";
    assert_eq!(server.code("docforge_filter_nodes", json!({ "where": text })), "filter_too_complex");
    assert_eq!(server.code("docforge_search", json!({ "query": "N-", "where": text })), "filter_too_complex");
    assert_eq!(server.result("docforge_filter_nodes", json!({ "count_only": true }))["total"], 1_900);
}
