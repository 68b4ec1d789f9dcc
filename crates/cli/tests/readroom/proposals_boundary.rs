//! Where proposals end: what an agent may not do whatever it sends, and that no document is touched while it tries.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use testkit::{Client, Tree};

use super::BINARY;
use super::agent::Agent;
use super::proposals::project;

const CHANGING: [&str; 5] = [
    "docforge_create_changeset",
    "docforge_propose_node_create",
    "docforge_propose_node_update",
    "docforge_propose_node_move",
    "docforge_propose_node_delete",
];

/// Every file below a folder, with its bytes; previews are left out.
fn files(top: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![top.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() && !path.is_symlink() && !path.ends_with(".docforge/previews") {
                folders.push(path);
            } else if path.is_file() {
                let name = path.strip_prefix(top).expect("below").display().to_string();
                found.insert(name, std::fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

/// The files that are not the product's own.
fn documents(tree: &Tree) -> BTreeMap<String, Vec<u8>> {
    let mut found = files(&tree.root());
    found.retain(|name, _| !name.starts_with(".docforge/"));
    found
}

/// Arguments that a server with a writer would take.
fn good(tool: &str, changeset: &str, hash: &Value) -> Value {
    let at = |version: u32, mut rest: Value| {
        rest["changeset_id"] = changeset.into();
        rest["expected_version"] = version.into();
        rest
    };
    match tool {
        "docforge_create_changeset" => json!({ "title": "Another" }),
        "docforge_propose_node_create" => at(
            1,
            json!({
                "node": { "id": "REQ-0009", "type": "req", "title": "New", "fields": { "status": "draft" }, "body": "x\n" },
                "placement": { "source": "docs", "path": "docs/new.md" },
            }),
        ),
        "docforge_propose_node_update" => {
            at(1, json!({ "id": "REQ-0002", "base_hash": hash, "set": { "title": "Other" } }))
        }
        "docforge_propose_node_move" => {
            at(1, json!({ "id": "REQ-0002", "base_hash": hash, "to": { "path": "docs/moved.md" } }))
        }
        _ => at(1, json!({ "id": "REQ-0002", "base_hash": hash, "reason": "gone" })),
    }
}

#[test]
fn a1_without_a_writer_everything_is_looked_at_and_nothing_changes() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("Shorter sessions");
    agent.edit(&id, "REQ-0002", "fifteen", "five");
    drop(agent);
    let before = files(&tree.root());
    let mut reader = Agent::with(&tree, &[]);
    let tools = reader.tools();
    let hash = reader.hash("REQ-0002");
    for tool in CHANGING {
        assert!(tools.iter().any(|one| one == tool), "{tool} is listed");
        let error = reader.error(tool, good(tool, &id, &hash));
        assert_eq!(error["code"], "proposal_access_disabled", "{tool}");
        assert!(error["message"].as_str().expect("words").contains("--proposal-writer"), "{error}");
        // Access is judged before arguments.
        assert_eq!(reader.code(tool, json!({ "nonsense": 1 })), "proposal_access_disabled", "{tool}");
    }
    let listed = reader.call("docforge_list_changesets", json!({}));
    assert_eq!(listed["changesets"][0]["id"], id.as_str());
    let one = json!({ "changeset_id": id });
    assert_eq!(reader.call("docforge_get_changeset", one.clone())["version"], 1);
    assert_eq!(reader.call("docforge_validate_changeset", one.clone())["verdict"], "pass");
    assert_eq!(reader.call("docforge_get_changeset_diff", one)["nodes"][0]["id"], "REQ-0002");
    // No name of a tool applies, closes or deletes.
    for word in ["apply", "reject", "withdraw", "reopen", "recover", "remove"] {
        assert!(!tools.iter().any(|tool| tool.contains(word)), "{tools:?}");
    }
    assert!(files(&tree.root()) == before);
}

#[test]
fn a5_the_kernel_sees_nothing_written_outside_of_the_two_folders() {
    let tree = project();
    let log = tree.scratch().join("calls");
    let root = tree.root();
    let (root, log_name) = (root.to_str().expect("UTF-8"), log.to_str().expect("UTF-8"));
    let calls = "trace=open,openat,openat2,creat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,\
                 rmdir,mkdir,mkdirat,truncate,execve,execveat,socket,bind,connect";
    let arguments = [
        "-f",
        "-y",
        "-o",
        log_name,
        "-e",
        calls,
        BINARY,
        "mcp",
        "docs",
        "--project-root",
        root,
        "--proposal-writer",
        "agent",
    ];
    // Where there is no tracer, or it may not trace, the walls of the server are proved in `confine`.
    let can_trace = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    if !can_trace.is_ok_and(|output| output.status.success()) {
        return;
    }
    let mut agent = Agent::on(Client::start(Path::new("strace"), &arguments, &tree.home()));
    let id = agent.changeset("All");
    agent.edit(&id, "REQ-0002", "fifteen", "five");
    agent.create(&id, "REQ-0003", "New", "docs/new.md", &["REQ-0001"]);
    agent.delete(&id, "TST-0001", "gone");
    let one = json!({ "changeset_id": id });
    for tool in ["docforge_get_changeset", "docforge_validate_changeset", "docforge_get_changeset_diff"] {
        agent.call(tool, one.clone());
    }
    for (tool, arguments) in [
        ("docforge_project_info", json!({})),
        ("docforge_get_contract", json!({})),
        ("docforge_search", json!({ "query": "session" })),
        ("docforge_filter_nodes", json!({})),
        ("docforge_impact", json!({ "changeset_id": id })),
        ("docforge_get_context", json!({ "id": "REQ-0002" })),
        ("docforge_validate_project", json!({})),
        ("docforge_list_changesets", json!({})),
    ] {
        agent.call(tool, arguments);
    }
    let is_of_network = |line: &&str| ["socket(", "bind(", "connect("].iter().any(|call| line.contains(call));
    let so_far = std::fs::read_to_string(&log).expect("a log");
    assert_eq!(so_far.lines().filter(is_of_network).collect::<Vec<_>>(), Vec::<&str>::new());
    agent.call("docforge_visualize", json!({}));
    drop(agent);
    let calls = std::fs::read_to_string(&log).expect("a log");
    // The tracer writes a call that another thread interrupts in two pieces; the first one has the arguments.
    let done = || calls.lines().filter(|line| !line.contains(" = -1 ") && line.contains('('));
    let allowed = [format!("{root}/.docforge/changesets"), format!("{root}/.docforge/previews")];
    let mut written = 0;
    let mut programs = 0;
    for line in done() {
        let call = line.split_whitespace().nth(1).unwrap_or_default();
        let call = call.split('(').next().unwrap_or_default();
        match call {
            "execve" | "execveat" => programs += 1,
            // One listener on this machine, and nobody is called.
            "socket" => assert!(line.contains("AF_INET,"), "{line}"),
            "bind" => assert!(line.contains("inet_addr(\"127.0.0.1\")"), "{line}"),
            "open" | "openat" | "openat2" => {
                let writes =
                    ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| line.contains(flag));
                let is_ours = allowed.iter().any(|folder| line.contains(folder.as_str()));
                assert!(!writes || is_ours || line.contains("/dev/null"), "{line}");
                written += usize::from(writes && is_ours);
            }
            "mkdir" | "mkdirat" => {
                // The folder that holds both is made before the first call.
                assert!(
                    line.contains(&format!("{root}>")) || line.contains(&format!("{root}/.docforge")),
                    "{line}"
                );
            }
            "" | "<..." => {}
            _ => {
                assert!(allowed.iter().any(|folder| line.contains(folder.as_str())), "{line}");
                written += 1;
            }
        }
    }
    assert!(written > 10, "{written}: {calls}");
    assert_eq!(programs, 1, "{calls}");
    for (call, count) in [(" socket(", 1), (" bind(", 1), (" connect(", 0)] {
        assert_eq!(done().filter(|line| line.contains(call)).count(), count, "{call}: {calls}");
    }
}

#[test]
fn a8_a_manifest_that_is_edited_meanwhile_widens_nothing() {
    let tree = project();
    let manifest = std::fs::read_to_string(tree.path("docforge.toml")).expect("there");
    let narrow = manifest.replace(
        "operations = [\"create\", \"update\", \"move\", \"delete\"]",
        "operations = [\"update\"]\nfields = { deny = [\"status\"] }",
    );
    assert_ne!(manifest, narrow);
    tree.file("docforge.toml", &narrow);
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("One");
    agent.retitle(&id, "REQ-0001", "People sign in");
    let hash = agent.hash("REQ-0002");
    let delete = json!({ "changeset_id": id, "expected_version": 1, "id": "REQ-0002", "base_hash": hash, "reason": "x" });
    let status = json!({ "changeset_id": id, "expected_version": 1, "id": "REQ-0002", "base_hash": hash, "set": { "fields": { "status": "draft" } } });
    assert_eq!(agent.code("docforge_propose_node_delete", delete.clone()), "writer_operation_denied");
    assert_eq!(agent.code("docforge_propose_node_update", status.clone()), "writer_field_denied");
    tree.file("docforge.toml", &manifest);
    let answer = agent.answer("docforge_get_node", json!({ "id": "REQ-0002" }));
    assert_eq!((&answer["ok"], &answer["staleness"]["state"]), (&true.into(), &"stale_contract".into()));
    for (tool, arguments) in [
        ("docforge_propose_node_delete", delete),
        ("docforge_propose_node_update", status),
        ("docforge_create_changeset", json!({ "title": "Two" })),
    ] {
        assert_eq!(agent.code(tool, arguments), "contract_changed_restart_required", "{tool}");
    }
    drop(agent);
    // Only a new start gives the new rights, and to new changesets alone.
    let mut agent = Agent::of(&tree);
    let two = agent.changeset("Two");
    agent.delete(&two, "TST-0001", "gone");
    let hash = agent.hash("REQ-0002");
    let old = json!({ "changeset_id": id, "expected_version": 1, "id": "REQ-0002", "base_hash": hash, "reason": "x" });
    assert_eq!(agent.code("docforge_propose_node_delete", old), "writer_policy_changed");
}

#[test]
fn a10_a_folder_that_is_exchanged_for_a_link_takes_nothing() {
    for (moved, link) in [(".docforge/changesets", "../outside"), (".docforge", "outside")] {
        let tree = project();
        let outside = tree.scratch().join("outside");
        std::fs::create_dir(&outside).expect("made");
        let mut agent = Agent::of(&tree);
        let id = agent.changeset("One");
        agent.retitle(&id, "REQ-0001", "People sign in");
        let hash = agent.hash("REQ-0002");
        tree.rename(moved, "elsewhere").link(moved, &outside);
        let kept = files(&tree.path("elsewhere"));
        for tool in CHANGING {
            assert_eq!(
                agent.code(tool, good(tool, &id, &hash)),
                "changeset_root_unavailable",
                "{tool} {link}"
            );
        }
        for tool in ["docforge_get_changeset", "docforge_validate_changeset", "docforge_get_changeset_diff"] {
            assert_eq!(
                agent.code(tool, json!({ "changeset_id": id })),
                "changeset_root_unavailable",
                "{tool}"
            );
        }
        assert_eq!(agent.code("docforge_list_changesets", json!({})), "changeset_root_unavailable");
        assert_eq!(std::fs::read_dir(&outside).expect("there").count(), 0);
        assert!(files(&tree.path("elsewhere")) == kept, "nor what was held before");
        // Put back, it goes on.
        tree.remove(moved).rename("elsewhere", moved);
        agent.retitle(&id, "REQ-0001", "People may sign in");
    }
}

#[test]
fn p30_a_base_that_is_not_the_node_is_told_with_what_moved() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("One");
    let read = agent.hash("REQ-0002");
    agent.retitle(&id, "REQ-0002", "Sessions stop");
    let text = std::fs::read_to_string(tree.path("docs/session.md")).expect("there");
    tree.file("docs/session.md", &text.replace("status: approved", "status: retired"));
    let update = |version: u32, hash: &Value, part: &str, change: Value| json!({ "changeset_id": id, "expected_version": version, "id": "REQ-0002", "base_hash": hash, part: change });
    let other = agent.changeset("Two");
    let mut wrong = update(0, &read, "set", json!({ "title": "x" }));
    wrong["changeset_id"] = other.as_str().into();
    let error = agent.error("docforge_propose_node_update", wrong);
    assert_eq!(
        (&error["code"], &error["retry"]),
        (&"base_conflict".into(), &"after_refresh".into()),
        "{error}"
    );
    let now = agent.hash("REQ-0002");
    assert_eq!(error["details"]["current_hash"], now, "{error}");
    // In the changeset that kept the base, what moved is named with both values.
    let unknown = format!("sha256:{}", "0".repeat(64));
    let error = agent
        .error("docforge_propose_node_update", update(1, &unknown.into(), "set", json!({ "title": "x" })));
    assert_eq!(error["code"], "base_conflict", "{error}");
    // The current hash is right whatever happened to other nodes.
    let login = std::fs::read_to_string(tree.path("docs/login.md")).expect("there");
    tree.remove("docs/login.md").file("docs/in/login.md", &login);
    let done = agent
        .call("docforge_propose_node_update", update(1, &now, "set", json!({ "title": "Sessions may end" })));
    assert_eq!(done["version"], 2);
    let now = agent.hash("REQ-0002");
    let edits = |find: &str, occurrence: Option<u32>| {
        let mut edit = json!({ "find": find, "replace": "X" });
        if let Some(number) = occurrence {
            edit["occurrence"] = number.into();
        }
        json!({ "edits": [edit] })
    };
    for (find, occurrence, code) in [
        ("no such words", None, "edit_not_found"),
        ("s", None, "edit_ambiguous"),
        ("s", Some(99), "edit_not_found"),
    ] {
        let found =
            agent.code("docforge_propose_node_update", update(2, &now, "body", edits(find, occurrence)));
        assert_eq!(found, code, "{find}");
    }
    agent.call("docforge_propose_node_update", update(2, &now, "body", edits("s", Some(2))));
}

#[test]
fn p32_places_that_no_node_should_have_are_refused_and_nothing_is_written() {
    let tree = project();
    tree.file("docs/README.txt", "Not a node.\n").file("README.md", "# Read me\n");
    tree.add("elsewhere/").link("docs/linked", tree.path("elsewhere"));
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("Places");
    let before = (documents(&tree), files(&tree.path(".docforge")));
    let long = format!("docs/{}.md", "x".repeat(300));
    for (path, code) in [
        ("../x.md", "placement_invalid"),
        ("docs/../../x.md", "placement_invalid"),
        ("/etc/x.md", "placement_invalid"),
        ("docs\\x.md", "placement_invalid"),
        ("docs/CON.md", "placement_invalid"),
        ("docs/x.md.", "placement_invalid"),
        ("docs/.git/x.md", "placement_invalid"),
        (long.as_str(), "placement_invalid"),
        ("elsewhere/x.md", "placement_invalid"),
        ("README.md", "placement_invalid"),
        ("docforge.toml", "placement_invalid"),
        ("docs/linked/x.md", "placement_invalid"),
        ("docs/Login.md", "placement_conflict"),
        ("docs/login.md", "placement_conflict"),
    ] {
        let arguments = json!({
            "changeset_id": id,
            "expected_version": 0,
            "node": { "id": "REQ-0009", "type": "req", "title": "New", "fields": { "status": "draft" }, "body": "x\n" },
            "placement": { "source": "docs", "path": path },
        });
        assert_eq!(agent.code("docforge_propose_node_create", arguments), code, "{path}");
    }
    assert!((documents(&tree), files(&tree.path(".docforge"))) == before);
    assert_eq!(std::fs::read_dir(tree.path("elsewhere")).expect("there").count(), 0);
}

#[test]
fn p31_a_writer_does_what_the_manifest_gives_it_and_nothing_else() {
    let tree = project();
    let manifest = std::fs::read_to_string(tree.path("docforge.toml")).expect("there");
    let narrow = "operations = [\"create\", \"update\"]\ntypes = [\"req\"]\nwhere = 'status != \"approved\"'\nfields = { deny = [\"status\"] }\nrelations = { deny = [\"refines\"] }";
    tree.file(
        "docforge.toml",
        &manifest.replace("operations = [\"create\", \"update\", \"move\", \"delete\"]", narrow),
    );
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("Rights");
    let (login, session, test) = (agent.hash("REQ-0001"), agent.hash("REQ-0002"), agent.hash("TST-0001"));
    let before = documents(&tree);
    let mut check = |tool: &str, mut arguments: Value, code: &str| {
        arguments["changeset_id"] = id.as_str().into();
        arguments["expected_version"] = 0.into();
        assert_eq!(agent.code(tool, arguments.clone()), code, "{tool} {arguments}");
    };
    let update = "docforge_propose_node_update";
    check(
        "docforge_propose_node_delete",
        json!({ "id": "REQ-0001", "base_hash": login, "reason": "x" }),
        "writer_operation_denied",
    );
    check(
        "docforge_propose_node_move",
        json!({ "id": "REQ-0001", "base_hash": login, "to": { "path": "docs/in.md" } }),
        "writer_operation_denied",
    );
    check(
        update,
        json!({ "id": "TST-0001", "base_hash": test, "set": { "title": "x" } }),
        "writer_scope_denied",
    );
    check(
        update,
        json!({ "id": "REQ-0002", "base_hash": session, "set": { "title": "x" } }),
        "writer_scope_denied",
    );
    check(
        update,
        json!({ "id": "REQ-0001", "base_hash": login, "set": { "fields": { "status": "approved" } } }),
        "writer_field_denied",
    );
    check(
        update,
        json!({ "id": "REQ-0001", "base_hash": login, "relations": { "add": [{ "relation": "refines", "to": "REQ-0002" }] } }),
        "writer_field_denied",
    );
    check(
        "docforge_propose_node_create",
        json!({ "node": { "id": "REQ-0009", "type": "req", "title": "x", "fields": { "status": "draft" }, "body": "x\n" }, "placement": { "source": "docs", "path": "docs/new.md" } }),
        "writer_field_denied",
    );
    agent.retitle(&id, "REQ-0001", "People sign in");
    assert!(documents(&tree) == before);
}

#[test]
fn p33_a_body_comes_back_as_it_was_proposed_or_is_refused() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let (mut taken, mut refused) = (0, 0);
    let large = "x".repeat(256 * 1024 + 1);
    for (number, body) in [
        "---\nid: REQ-0001\n---\nText.\n",
        "Text.\n\n---\n\nMore.\n",
        "## Other\n```node\nid: REQ-0001\n```\nText.\n",
        "# A heading\n\nkey: value\n- list: {a: b}\n",
        "one\rtwo\n",
        large.as_str(),
    ]
    .into_iter()
    .enumerate()
    {
        let id = agent.changeset("Bodies");
        let path = format!("docs/body-{number}.md");
        let arguments = json!({
            "changeset_id": id,
            "expected_version": 0,
            "node": { "id": format!("REQ-001{number}"), "type": "req", "title": "New", "fields": { "status": "draft" }, "body": body },
            "placement": { "source": "docs", "path": path },
        });
        let answer = agent.answer("docforge_propose_node_create", arguments);
        if answer["ok"] == false {
            let code = answer["error"]["code"].as_str().expect("a code");
            assert!(
                ["adapter_roundtrip_failed", "argument_too_large", "collateral_change"].contains(&code),
                "{code}"
            );
            refused += 1;
            continue;
        }
        let hash = super::proposals::diff_hash(&tree, &id);
        assert_eq!(
            super::proposals::changeset(&tree, &["apply", &id, "--confirm", &hash]).0,
            Some(0),
            "{body:?}"
        );
        let node = agent.call("docforge_get_node", json!({ "id": format!("REQ-001{number}") }));
        assert_eq!(node["doc"]["body"], body, "{node}");
        taken += 1;
    }
    assert!(taken >= 3 && refused >= 2, "{taken} {refused}");
}
