//! Hashes that anybody can check, and documents that change while the docs server runs.

use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::json;
use testkit::Tree;

use super::docs_server::{MANIFEST, Server, project};
use super::documents::{run, told};

fn identity(server: &mut Server) -> (String, String, Vec<String>) {
    let answer = server.ask("docforge_filter_nodes", json!({ "limit": 200 }));
    assert_eq!(answer["staleness"]["state"], "fresh", "{answer}");
    let text = |key: &str| answer[key].as_str().expect("there").to_owned();
    let mut hashes: Vec<String> = answer["result"]["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| format!("{} {}", node["id"], node["node_hash"]))
        .collect();
    hashes.sort_unstable();
    (text("source_hash"), text("revision"), hashes)
}

#[test]
fn the_source_hash_of_fifty_files_is_that_of_the_documented_pipeline() {
    let tree = Tree::new("");
    tree.file("docforge.toml", MANIFEST);
    for at in 0..50 {
        // Names whose order differs by bytes, by case and by folder.
        let name = match at % 5 {
            0 => format!("docs/{at}.md"),
            1 => format!("docs/B{at}.md"),
            2 => format!("docs/b {at}.md"),
            3 => format!("docs/sub/é{at}.md"),
            _ => format!("docs/sub-{at}/x.md"),
        };
        tree.file(&name, &format!("---\nid: REQ-{at}\ntype: req\nstatus: draft\n---\nBody {at}\r\n"));
    }
    tree.file("docs/broken.md", "---\nid: [\n---\n").file("README.md", "no source");
    let script =
        format!("'{}' docs sources -0 | xargs -0 sha256sum | LC_ALL=C sort -k2 | sha256sum", super::BINARY);
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(tree.root())
        .env("READROOM_HOME", tree.home())
        .output()
        .expect("a shell");
    let piped = String::from_utf8(output.stdout).expect("UTF-8");
    let mut server = Server::start(&tree, &[]);
    let answer = server.ask("docforge_project_info", json!({}));
    let expected = format!("sha256:{}", piped.split(' ').next().expect("a hash"));
    assert_eq!(answer["source_hash"], expected);
    assert_eq!(answer["result"]["counts"]["files"], 52, "{answer}");
}

#[test]
fn bytes_change_the_source_hash_meaning_the_revision_and_a_move_no_node() {
    let tree = Tree::new("");
    tree.file("docforge.toml", MANIFEST);
    let one = "---\nid: REQ-1\ntype: req\ntitle: One\nstatus: draft\n---\nA body.\n";
    let section = |id: &str, text: &str| {
        format!("## {id}\n\n```node\nid: {id}\ntype: req\nstatus: draft\n```\n{text}\n\n")
    };
    let prose = "# Many\n\nProse before the first node.\n\n";
    let many = format!(
        "{prose}{}# Aside\n\nProse between nodes.\n\n{}",
        section("REQ-2", "Two."),
        section("REQ-3", "Three.")
    );
    tree.file("docs/one.md", one).file("many/all.md", &many);
    let mut server = Server::start(&tree, &[]);
    let base = identity(&mut server);
    assert_eq!(base.2.len(), 3, "{base:?}");
    let mut bytes_only = |path: &str, text: &str| {
        tree.file(path, text);
        let now = identity(&mut server);
        assert_ne!(now.0, base.0, "{path}: {text:?}");
        assert_eq!((&now.1, &now.2), (&base.1, &base.2), "{path}: {text:?}");
    };
    bytes_only("docs/one.md", &one.replace('\n', "\r\n"));
    bytes_only("docs/one.md", &one.replace("type: req\n", "# a comment\ntype: req # and one more\n"));
    bytes_only("docs/one.md", "---\nstatus: draft\ntitle: One\ntype: req\nid: REQ-1\n---\nA body.\n");
    tree.file("docs/one.md", one);
    bytes_only("many/all.md", &many.replace("Prose between nodes", "Other prose between nodes"));
    bytes_only("many/all.md", &many.replace("Prose before", "Other prose before"));
    tree.file("many/all.md", &many);
    assert_eq!(identity(&mut server), base, "all is as it was");
    tree.file("many/all.md", &many.replace("Three.", "three."));
    let edited = identity(&mut server);
    assert!(edited.0 != base.0 && edited.1 != base.1, "one letter of a body changes both");
    let changed = edited.2.iter().zip(&base.2).filter(|(now, then)| now != then).count();
    assert_eq!(changed, 1, "{edited:?}");
    tree.file("many/all.md", &many).rename("docs/one.md", "docs/elsewhere.md");
    let moved = identity(&mut server);
    assert!(moved.0 != base.0 && moved.1 != base.1, "a move is told");
    assert_eq!(moved.2, base.2, "and changes no node");
}

#[test]
fn an_edit_that_hides_behind_size_and_time_is_served_at_the_next_call() {
    let tree = project();
    let mut server = Server::start(&tree, &[]);
    let body = |server: &mut Server| {
        let answer = server.ask("docforge_get_node", json!({ "id": "REQ-1" }));
        assert_eq!(answer["staleness"]["state"], "fresh");
        answer["result"]["doc"]["body"].as_str().expect("a body").to_owned()
    };
    let first = body(&mut server);
    let path = tree.path("docs/req/r01.md");
    let text = std::fs::read_to_string(&path).expect("there");
    let stamp = std::fs::metadata(&path).expect("there").modified().expect("a time");
    let forge = |text: &str, time: SystemTime| {
        std::fs::write(&path, text).expect("written");
        std::fs::File::options().write(true).open(&path).expect("opened").set_modified(time).expect("set");
    };
    forge(&text.replace("Sessions end", "SESSIONS END"), stamp);
    assert_eq!(body(&mut server), first.replace("Sessions end", "SESSIONS END"));
    forge(
        &text.replace("Sessions end", "Sessions eNd"),
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000),
    );
    assert_eq!(body(&mut server), first.replace("Sessions end", "Sessions eNd"));
    forge(&text, SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000));
    assert_eq!(body(&mut server), first, "the same forged time twice");
}

#[test]
fn front_matter_that_breaks_takes_its_own_nodes_away_and_comes_back_without_a_restart() {
    let tree = project();
    let mut server = Server::start(&tree, &[]);
    let total = |server: &mut Server| {
        server.result("docforge_filter_nodes", json!({ "count_only": true }))["total"].clone()
    };
    assert_eq!(total(&mut server), 19);
    let text = std::fs::read_to_string(tree.path("docs/req/r05.md")).expect("there");
    tree.file("docs/req/r05.md", &text.replace("status: retired", "status: [retired"));
    assert_eq!(total(&mut server), 18);
    assert_eq!(server.code("docforge_get_node", json!({ "id": "REQ-5" })), "node_not_found");
    assert_eq!(server.result("docforge_get_node", json!({ "id": "REQ-6" }))["id"], "REQ-6");
    let said = server.result("docforge_validate_project", json!({ "path": "docs/req/r05.md" }));
    let finding = &said["diagnostics"][0];
    assert_eq!(
        (&finding["code"], &finding["path"]),
        (&json!("yaml_invalid"), &json!("docs/req/r05.md")),
        "{said}"
    );
    let line = finding["line"].as_u64().expect("a line");
    assert!((6..=9).contains(&line) && finding["column"].as_u64() >= Some(1), "{finding}");
    let broken = server.ask("docforge_project_info", json!({}));
    assert_eq!(
        (&broken["project"]["state"], &broken["staleness"]["state"]),
        (&json!("invalid"), &json!("fresh"))
    );
    tree.file("docs/req/r05.md", &text);
    assert_eq!(total(&mut server), 19);
    assert_eq!(server.result("docforge_get_node", json!({ "id": "REQ-5" }))["state"], "clean");
}

#[test]
fn no_claimant_of_an_id_wins_and_twins_and_stolen_aliases_are_told() {
    let tree = project();
    let node = |id: &str, more: &str| format!("---\nid: {id}\ntype: req\nstatus: draft\n{more}---\n");
    tree.file("docs/a.md", &node("REQ-70", "")).file("docs/b.md", &node("REQ-70", ""));
    tree.file("docs/c.md", &node("REQ-80", "")).file("docs/d.md", &node("req-80", ""));
    tree.file("docs/e.md", &node("REQ-90", "aliases: [REQ-1]\n"));
    let mut server = Server::start(&tree, &[]);
    for tool in [
        "docforge_get_node",
        "docforge_backlinks",
        "docforge_dependencies",
        "docforge_impact",
        "docforge_get_context",
    ] {
        let error = server.error(tool, json!({ "id": "REQ-70" }));
        assert_eq!(error["code"], "node_ambiguous", "{tool}");
        assert_eq!(error["details"]["paths"], json!(["docs/a.md", "docs/b.md"]), "{tool}");
    }
    for id in ["REQ-80", "req-80"] {
        let node = server.result("docforge_get_node", json!({ "id": id, "include": ["diagnostics"] }));
        assert_eq!((&node["id"], &node["state"]), (&json!(id), &json!("error")), "served, with an error");
        let found = node["diagnostics"].as_array().expect("findings");
        assert!(
            found.iter().any(|one| one["code"] == "id_case_collision" && one["severity"] == "error"),
            "{node}"
        );
    }
    let live = server.result("docforge_get_node", json!({ "id": "REQ-1" }));
    assert_eq!((&live["id"], &live["resolved_via"]), (&json!("REQ-1"), &json!("id")), "the live id wins");
    let said =
        server.result("docforge_validate_project", json!({ "codes": ["alias_conflict", "duplicate_id"] }));
    let found: Vec<_> = said["diagnostics"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|one| format!("{} {} {}", one["path"], one["code"], one["severity"]))
        .collect();
    assert_eq!(
        found,
        [
            "\"docs/a.md\" \"duplicate_id\" \"error\"",
            "\"docs/b.md\" \"duplicate_id\" \"error\"",
            "\"docs/e.md\" \"alias_conflict\" \"error\"",
        ]
    );
    tree.remove("docs/b.md");
    assert_eq!(server.result("docforge_get_node", json!({ "id": "REQ-70" }))["path"], "docs/a.md");
}

#[test]
fn an_index_file_that_lies_is_named_and_changes_no_answer() {
    let tree = project();
    let index = tree.path(".docforge/index/project.dfx");
    let answers = |server: &mut Server| {
        let hits = server.result("docforge_search", json!({ "query": "session" }));
        let node = server.result("docforge_get_node", json!({ "id": "REQ-3" }));
        (server.ask("docforge_backlinks", json!({ "id": "REQ-1" })), hits, node)
    };
    let info = |server: &mut Server| {
        let answer = server.ask("docforge_project_info", json!({}));
        let codes: Vec<_> =
            answer["warnings"].as_array().expect("a list").iter().map(|one| one["code"].clone()).collect();
        (answer["result"]["index"].clone(), codes)
    };
    let mut server = Server::start(&tree, &[]);
    let without = answers(&mut server);
    assert_eq!(info(&mut server).0, json!({ "origin": "memory", "state": "absent" }));
    assert_eq!(told(&run(&tree, &["index"])).0, Some(0));
    let good = std::fs::read(&index).expect("written");
    let edit = |from: &[u8], to: &[u8]| {
        let mut bytes = good.clone();
        let mut count = 0;
        for at in 0..bytes.len() - from.len() {
            if &bytes[at..at + from.len()] == from {
                bytes[at..at + from.len()].copy_from_slice(to);
                count += 1;
            }
        }
        assert!(count > 0, "nothing to edit");
        bytes
    };
    tree.file("docs/req/r03.md", "---\nid: REQ-3\ntype: req\nstatus: draft\n---\nOther.\n");
    assert_eq!(told(&run(&tree, &["index"])).0, Some(0));
    let old = std::fs::read(&index).expect("written");
    let right = project();
    let text = std::fs::read(right.path("docs/req/r03.md")).expect("there");
    tree.bytes("docs/req/r03.md", &text);
    for (bytes, origin, state, warning) in [
        (good.clone(), "disk", "current", None),
        (edit(b"The body of number 3", b"The bodY of number 3"), "memory", "damaged", Some("index_damaged")),
        (old, "memory", "stale", Some("index_stale")),
        (good[..good.len() / 2].to_vec(), "memory", "damaged", Some("index_damaged")),
        (b"not a database".to_vec(), "memory", "damaged", Some("index_damaged")),
    ] {
        std::fs::remove_file(&index).expect("there");
        std::fs::write(&index, &bytes).expect("written");
        // Whether it was there at the start or came while the server ran makes no difference.
        let mut later = Server::start(&tree, &[]);
        for server in [&mut server, &mut later] {
            let (said, codes) = info(server);
            assert_eq!(said, json!({ "origin": origin, "state": state }));
            assert_eq!(codes, warning.into_iter().collect::<Vec<_>>(), "{state}");
            assert_eq!(answers(server), without, "{state}");
        }
    }
    let other = tree.scratch().join("other.dfx");
    std::fs::write(&other, &good).expect("written");
    std::fs::remove_file(&index).expect("there");
    std::fs::hard_link(&other, &index).expect("linked");
    let mut later = Server::start(&tree, &[]);
    for server in [&mut server, &mut later] {
        assert_eq!(
            info(server),
            (json!({ "origin": "memory", "state": "refused" }), vec![json!("index_damaged")])
        );
        assert_eq!(answers(server), without);
    }
    std::fs::remove_file(&index).expect("there");
    std::os::unix::fs::symlink(&other, &index).expect("linked");
    assert_eq!(info(&mut server).0, json!({ "origin": "memory", "state": "refused" }));
    assert_eq!(answers(&mut server), without);
}
