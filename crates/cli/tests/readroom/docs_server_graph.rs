//! Circles, long ways, removals and budgets over the wire.

use serde_json::{Value, json};
use testkit::Tree;

use super::docs_server::{MANIFEST, Server, listing, project};

fn texts<'v>(items: &'v Value, key: &str) -> Vec<&'v str> {
    items.as_array().expect("a list").iter().map(|item| item[key].as_str().expect("text")).collect()
}

/// One requirement a line: `A: B C` refines B and C.
fn graph(lines: &str) -> Tree {
    let tree = Tree::new("");
    tree.file("docforge.toml", MANIFEST);
    for line in lines.lines() {
        let (id, targets) = line.split_once(':').expect("a colon");
        let targets: Vec<&str> = targets.split_whitespace().collect();
        let refines =
            if targets.is_empty() { String::new() } else { format!("refines: [{}]\n", targets.join(", ")) };
        tree.file(
            &format!("docs/{id}.md"),
            &format!("---\nid: {id}\ntype: req\nstatus: draft\n{refines}---\n"),
        );
    }
    tree
}

#[test]
fn circles_end_and_a_shortest_one_is_named() {
    // A circle of five with a chord that makes one of three, and a node that leads to itself.
    let tree = graph("A: B\nB: C\nC: D A\nD: E\nE: A\nX: A\nS: S\n");
    let mut server = Server::start(&tree, &[]);
    let said = server.result("docforge_validate_project", json!({ "codes": ["cycle", "self_relation"] }));
    let found = said["diagnostics"].as_array().expect("findings");
    assert_eq!(texts(&said["diagnostics"], "code"), ["cycle", "cycle", "self_relation"], "{said}");
    let named = format!("{} {}", found[0]["message"], found[0]["related"]);
    for id in ["A", "B", "C"] {
        assert!(named.contains(id), "{named}");
    }
    assert!(!found[0]["related"].to_string().contains("\"E\""), "a shortest one: {named}");
    let deps =
        server.result("docforge_dependencies", json!({ "id": "X", "depth": 10, "relations": ["refines"] }));
    let shown: Vec<String> = deps["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| format!("{}{}", node["id"].as_str().expect("an id"), node["depth"]))
        .collect();
    assert_eq!(shown, ["A1", "B2", "C3", "D4", "E5"], "each once");
    assert!(!deps["cycles"].as_array().expect("circles").is_empty(), "{deps}");
    assert_eq!(deps["truncated"], false);
    let own = server.result("docforge_dependencies", json!({ "id": "S", "depth": 10 }));
    assert_eq!((own["nodes"].as_array().map(Vec::len), &own["cycles"]), (Some(0), &json!([["S"]])), "{own}");
    let impact = server.result("docforge_impact", json!({ "id": "A", "depth": 10 }));
    let shown: Vec<String> = impact["affected"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| format!("{}{}", node["id"].as_str().expect("an id"), node["distance"]))
        .collect();
    assert_eq!(
        shown,
        ["C1", "E1", "X1", "B2", "D2"],
        "against the relation, each once, the changed node not"
    );
}

#[test]
fn the_shortest_way_is_told_and_ties_go_by_relation_and_id() {
    let chain: String = (0..=10)
        .map(|at| if at < 10 { format!("C{at}: C{}\n", at + 1) } else { "C10:\n".to_owned() })
        .collect();
    let tree = graph(&format!("{chain}TOP: R L\nL: END\nR: END M\nM: END\nEND:\n"));
    let mut server = Server::start(&tree, &[]);
    let deps = |server: &mut Server, id: &str, depth: usize| {
        server.result("docforge_dependencies", json!({ "id": id, "depth": depth, "relations": ["refines"] }))
    };
    let all = deps(&mut server, "C0", 10);
    let ids: Vec<String> = (1..=10).map(|at| format!("C{at}")).collect();
    assert_eq!(texts(&all["nodes"], "id"), ids);
    assert_eq!(all["nodes"][9]["path"].as_array().map(Vec::len), Some(10));
    assert_eq!(texts(&all["nodes"][9]["path"], "id"), ids, "the way has every step but the start");
    let some = deps(&mut server, "C0", 9);
    assert_eq!(some["nodes"].as_array().map(Vec::len), Some(9), "no further than asked");
    let diamond = deps(&mut server, "TOP", 10);
    let end =
        diamond["nodes"].as_array().expect("nodes").iter().find(|node| node["id"] == "END").expect("reached");
    assert_eq!(
        (&end["depth"], &end["path"]),
        (&json!(2), &json!([{"relation": "refines", "id": "L"}, {"relation": "refines", "id": "END"}]))
    );
    assert_eq!(texts(&diamond["nodes"], "id"), ["L", "R", "END", "M"], "by depth, then id");
    let impact = server.result("docforge_impact", json!({ "id": "C10", "depth": 10 }));
    assert_eq!((&impact["affected_total"], &impact["by_distance"]["10"]), (&json!(10), &json!(1)));
    let near = server.result("docforge_impact", json!({ "id": "C10", "depth": 3 }));
    assert_eq!(near["affected_total"], 3);
}

#[test]
fn a_removal_breaks_what_it_breaks_and_is_silent_where_nothing_carries_it() {
    let tree = project();
    let mut server = Server::start(&tree, &[]);
    let pin = server.result("docforge_get_node", json!({ "id": "REQ-4" }))["node_hash"]
        .as_str()
        .expect("a hash")
        .to_owned();
    let old = format!("sha256:{}", "0".repeat(64));
    tree.file(
        "docs/test/p1.md",
        &format!("---\nid: TST-51\ntype: test\nverifies: [{{to: REQ-4, pin: \"{pin}\"}}]\n---\n"),
    );
    tree.file(
        "docs/test/p2.md",
        &format!("---\nid: TST-52\ntype: test\nverifies: [{{to: REQ-4, pin: \"{old}\"}}]\n---\n"),
    );
    tree.file("docs/note.md", "---\nid: REQ-60\ntype: req\nstatus: draft\n---\nOnly [[REQ-4]] in passing.\n");
    let impact = server.result(
        "docforge_impact",
        json!({ "id": "REQ-4", "change": "delete", "depth": 1, "mentions": true }),
    );
    let of = |id: &str| {
        impact["affected"].as_array().expect("nodes").iter().find(|node| node["id"] == id).cloned()
    };
    let fresh = of("TST-51").expect("it verifies");
    let stale = of("TST-52").expect("it verifies");
    assert_eq!((&fresh["suspect"], &stale["suspect"]), (&json!(false), &json!(true)), "{impact}");
    assert!(texts(&fresh["breaks"], "code").contains(&"dangling_relation"), "{fresh}");
    assert_eq!(fresh["via"], json!([{"relation": "verifies", "from": "TST-51", "to": "REQ-4"}]));
    assert!(texts(&of("REQ-8").expect("it refines")["breaks"], "code").contains(&"dangling_relation"));
    assert!(of("REQ-60").is_none(), "`impact = none` carries nothing: {impact}");
    // The rule that every approved requirement is tested turns over when its only test goes.
    let before = server.result("docforge_impact", json!({ "id": "TST-1", "change": "delete" }));
    let rules = before["rules"].as_array().expect("rules");
    assert_eq!(rules, &[json!({"id": "approved-is-tested", "now": "pass", "then": "fail"})], "{before}");
    let calm = server.result("docforge_impact", json!({ "id": "TST-1" }));
    assert_eq!(
        (&calm["rules"], &calm["affected_total"]),
        (&json!([]), &json!(0)),
        "nothing depends on a test"
    );
    let field =
        server.result("docforge_impact", json!({ "id": "REQ-4", "change": "field:status", "depth": 1 }));
    assert!(texts(&field["affected"], "id").contains(&"TST-51"));
    assert_eq!(
        server.code("docforge_impact", json!({ "id": "REQ-4", "change": "field:nope" })),
        "field_unknown"
    );
    assert_eq!(server.code("docforge_impact", json!({})), "invalid_arguments");
    assert_eq!(
        server.code("docforge_impact", json!({ "id": "REQ-4", "ids": ["REQ-5"] })),
        "invalid_arguments"
    );
}

#[test]
fn the_context_of_a_hub_and_a_leaf_keeps_its_budget_grows_and_is_the_same_twice() {
    let tree = project();
    for at in 0..300 {
        tree.file(&format!("docs/many/n{at:03}.md"), &format!("---\nid: N-{at:03}\ntype: req\ntitle: Spoke {at}\nstatus: draft\nrefines: [REQ-2]\n---\n{}\n", "A sentence of this node. ".repeat(at % 40)));
    }
    let manifest =
        MANIFEST.replace("inverse = \"verified_by\"", "inverse = \"verified_by\"\ncontext = \"always\"");
    tree.file("docforge.toml", &manifest);
    // A copy of the project elsewhere stands for another machine.
    let copy = Tree::new("");
    let copied =
        std::process::Command::new("cp").args(["-r", "."]).arg(copy.root()).current_dir(tree.root()).status();
    assert!(copied.expect("cp runs").success());
    let mut servers = [Server::start(&tree, &[]), Server::start(&copy, &[])];
    for (id, must) in [("REQ-2", None), ("TST-1", Some(["REQ-1", "REQ-7"])), ("N-007", None)] {
        let mut before: Vec<String> = Vec::new();
        for budget in [200, 500, 4_000, 20_000] {
            let asked = json!({ "id": id, "budget_tokens": budget });
            let answers: Vec<Value> = servers
                .iter_mut()
                .flat_map(|server| {
                    [
                        server.ask("docforge_get_context", asked.clone()),
                        server.ask("docforge_get_context", asked.clone()),
                    ]
                })
                .collect();
            let written: Vec<String> = answers.iter().map(Value::to_string).collect();
            assert!(written.iter().all(|text| *text == written[0]), "{id} {budget}");
            let result = &answers[0]["result"];
            assert_eq!(answers[0]["ok"], true, "{}", answers[0]);
            let used = result["tokens_used"].as_u64().expect("a count");
            assert!(used <= budget, "{id}: {used} of {budget}");
            let sum: u64 = result["items"]
                .as_array()
                .expect("items")
                .iter()
                .map(|item| item["tokens"].as_u64().expect("a count"))
                .sum();
            assert!(sum <= used, "{id}: {sum} of {used}");
            let ids: Vec<String> = texts(&result["items"], "id").into_iter().map(str::to_owned).collect();
            assert_eq!(ids[0], id, "the node itself comes first");
            let lost: Vec<_> = before.iter().filter(|one| !ids.contains(one)).collect();
            assert!(lost.is_empty() || result["budget_tokens"] != budget, "{id} {budget} drops {lost:?}");
            for one in must.into_iter().flatten() {
                assert!(
                    budget < 500 || ids.iter().any(|id| id == one),
                    "{id} {budget}: {one} is wanted always"
                );
            }
            before = ids;
        }
    }
    let title = "word ".repeat(58);
    tree.file(
        "docs/wide.md",
        &format!("---\nid: WIDE\ntype: req\ntitle: \"{}\"\nstatus: draft\n---\n", "東".repeat(300)),
    );
    tree.file("docs/long.md", &format!("---\nid: LONG\ntype: req\ntitle: {title}\nstatus: draft\n---\n"));
    let error = servers[0].error("docforge_get_context", json!({ "id": "WIDE", "budget_tokens": 200 }));
    assert_eq!(error["code"], "budget_too_small");
    let needed = error["details"]["needed_tokens"].as_u64().expect("a count");
    assert!(needed > 300, "{error}");
    servers[0].result("docforge_get_context", json!({ "id": "WIDE", "budget_tokens": needed }));
    assert_eq!(
        servers[0].code("docforge_get_context", json!({ "id": "WIDE", "budget_tokens": needed - 1 })),
        "budget_too_small"
    );
    for budget in [199, 20_001] {
        assert_eq!(
            servers[0].code("docforge_get_context", json!({ "id": "REQ-1", "budget_tokens": budget })),
            "invalid_arguments"
        );
    }
}

#[test]
fn no_read_tool_writes_anything_anywhere() {
    let tree = project();
    let before = listing(tree.scratch());
    let mut server = Server::start(&tree, &[]);
    for tool in server.tools.clone() {
        let name = tool["name"].as_str().expect("a name").to_owned();
        for arguments in [
            json!({}),
            json!({ "id": "REQ-1" }),
            json!({ "query": "sessions" }),
            json!({ "id": "REQ-1", "change": "delete" }),
        ] {
            server.ask(&name, arguments);
        }
    }
    assert_eq!(server.session.finish().code, Some(0));
    assert_eq!(listing(tree.scratch()), before);
}
