//! `readroom docs status`, `doctor`, `mcp-config`, `impact`, `context`, and `--json` of what reads: the command line and the
//! tools say the same.

use serde_json::{Value, json};
use testkit::Tree;

use super::agent::Agent;
use super::documents::{project, run, told};

fn json_of(tree: &Tree, arguments: &[&str]) -> (Option<i32>, Value) {
    let (code, out, err) = told(&run(tree, arguments));
    assert!(err.is_empty(), "{arguments:?}: {err}");
    (code, serde_json::from_str(&out).unwrap_or_else(|_| panic!("{arguments:?}: {out}")))
}

#[test]
fn json_is_what_the_tools_answer() {
    let tree = project();
    let mut agent = Agent::with(&tree, &[]);
    for (arguments, tool, wire) in [
        (vec!["show", "REQ-0002"], "docforge_get_node", json!({ "id": "REQ-0002" })),
        (vec!["search", "session"], "docforge_search", json!({ "query": "session" })),
        (vec!["filter", "type = req"], "docforge_filter_nodes", json!({ "where": "type = req" })),
        (
            vec!["links", "REQ-0002", "--in"],
            "docforge_backlinks",
            json!({ "id": "REQ-0002", "mentions": true }),
        ),
        (
            vec!["links", "REQ-0002", "--out"],
            "docforge_dependencies",
            json!({ "id": "REQ-0002", "mentions": true }),
        ),
        (vec!["impact", "REQ-0001"], "docforge_impact", json!({ "id": "REQ-0001" })),
        (
            vec!["impact", "REQ-0001", "--delete"],
            "docforge_impact",
            json!({ "ids": ["REQ-0001"], "change": "delete" }),
        ),
        (
            vec!["context", "REQ-0002", "--budget", "500"],
            "docforge_get_context",
            json!({ "id": "REQ-0002", "budget_tokens": 500 }),
        ),
        (vec!["contract"], "docforge_get_contract", json!({})),
        (vec!["show", "REQ-9999"], "docforge_get_node", json!({ "id": "REQ-9999" })),
        (vec!["filter", "statsu = draft"], "docforge_filter_nodes", json!({ "where": "statsu = draft" })),
    ] {
        let (code, ours) = json_of(&tree, &[arguments.as_slice(), &["--json"]].concat());
        let theirs = agent.answer(tool, wire);
        for key in ["ok", "project", "revision", "source_hash", "snapshot_id", "result", "error"] {
            assert_eq!(ours.get(key), theirs.get(key), "{arguments:?} {key}");
        }
        assert_eq!(code == Some(0), ours["ok"] == true, "{arguments:?}");
    }
    let (code, check) = json_of(&tree, &["check", "--json"]);
    assert_eq!((code, &check["result"]["verdict"]), (Some(0), &json!("pass")));
    assert_eq!(
        (&check["result"]["counts"]["error"], &check["result"]["counts"]["nodes"]),
        (&json!(0), &json!(3))
    );
    let (_, sources) = json_of(&tree, &["sources", "--json"]);
    assert_eq!(sources["result"]["files"][0]["path"], "docforge.toml");
    assert_eq!(sources["source_hash"], check["source_hash"]);

    tree.file("docs/bad.md", "---\nid: [\n---\n");
    let (code, check) = json_of(&tree, &["check", "--json"]);
    assert_eq!((code, &check["result"]["verdict"]), (Some(1), &json!("fail")));
    assert_eq!(check["result"]["diagnostics"][0]["path"], "docs/bad.md");
    tree.file("docforge.toml", "schema = 1\n");
    let (code, check) = json_of(&tree, &["check", "--json"]);
    assert_eq!((code, &check["project"]["state"]), (Some(2), &json!("unloadable")));
}

#[test]
fn impact_and_context_read_well_and_steer_no_terminal() {
    let tree = project();
    let (code, out, err) = told(&run(&tree, &["impact", "REQ-0001"]));
    assert_eq!(code, Some(0), "{err}");
    assert!(
        out.starts_with(
            "1  REQ-0002  req  Sessions end  docs/session.md:1\n     REQ-0002 -refines-> REQ-0001\n"
        ),
        "{out}"
    );
    assert!(out.ends_with("2 node(s) touched\n"), "{out}");
    let (_, out, _) = told(&run(&tree, &["impact", "REQ-0001", "--delete"]));
    assert!(out.contains("then: [dangling_relation] "), "{out}");
    let (code, _, err) = told(&run(&tree, &["impact", "REQ-0001", "--field", "statsu"]));
    assert!(
        code == Some(2) && err.contains("field_unknown") && err.contains("did you mean: status"),
        "{err}"
    );
    let (code, _, err) = told(&run(&tree, &["impact", "--changeset", "cs-01kbd3mv5s0k6x2hq4n8r7t9wy"]));
    assert!(code == Some(1) && err.contains("changeset_not_found"), "{err}");
    assert_eq!(run(&tree, &["impact"]).status.code(), Some(2));

    tree.file("docs/red.md", "---\nid: REQ-0008\ntype: req\ntitle: \"\\e[31m\"\nstatus: draft\nrefines: [REQ-0001]\n---\nB\u{202E}\u{1B}[2J\n");
    let (code, out, _) = told(&run(&tree, &["context", "REQ-0001"]));
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with("REQ-0001  req  ") && out.contains("<-refines- REQ-0002"), "{out}");
    assert!(out.contains(" of 4000 tokens (chars4@1)\n") && out.contains("\\u001B[2J"), "{out}");
    let (_, impact, _) = told(&run(&tree, &["impact", "REQ-0001"]));
    for text in [&out, &impact] {
        assert!(!text.contains(['\u{1B}', '\u{202E}']), "{text}");
    }
    let (code, _, err) = told(&run(&tree, &["context", "REQ-001"]));
    assert!(code == Some(1) && err.contains("did you mean: ") && err.contains("REQ-0001"), "{err}");
}

#[test]
fn status_says_how_documents_index_and_changesets_stand() {
    let tree = project();
    let (code, out, err) = told(&run(&tree, &["status"]));
    assert_eq!(code, Some(0), "{err}");
    assert!(
        out.contains("documents  3 node(s) in 3 file(s), 0 error(s), 0 warning(s), 0 suspect\n"),
        "{out}"
    );
    assert!(out.contains("index      absent: ") && out.ends_with("changesets 0 open\n"), "{out}");
    assert_eq!(run(&tree, &["index"]).status.code(), Some(0));
    let mut agent = Agent::of(&tree);
    let made = agent.call("docforge_create_changeset", json!({ "title": "A \u{1B}[31mtitle" }));
    let id = made["changeset_id"].as_str().expect("an id");
    let (code, out, _) = told(&run(&tree, &["status"]));
    assert!(
        code == Some(0) && out.contains("index      current: ") && out.contains("changesets 1 open\n"),
        "{out}"
    );
    assert!(out.contains(&format!("    {id}  base current  by agent  \"A \\u001B[31mtitle\"\n")), "{out}");
    let (_, answer) = json_of(&tree, &["status", "--json"]);
    assert_eq!(answer["result"]["changesets"][0]["id"], id);
    assert_eq!(answer["result"]["index"]["state"], "current");
    let session = std::fs::read_to_string(tree.path("docs/session.md")).expect("there");
    tree.file("docs/session.md", &session.replace("status: approved", "status: aproved"));
    let (code, out, _) = told(&run(&tree, &["status"]));
    assert!(code == Some(1) && out.contains("1 error(s)") && out.contains("index      stale: "), "{out}");
}

#[test]
fn doctor_names_what_is_wrong_with_its_remedy() {
    let tree = project();
    let (code, out, err) = told(&run(&tree, &["doctor"]));
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("ok       recovery") && out.ends_with("0 problems, 0 notes\n"), "{out}");
    assert!(!tree.path(".docforge").exists(), "it makes nothing");

    tree.file(".docforge/index/project.dfx", "no database");
    tree.file(".docforge/changesets/.tmp-0123456789abcdef", "");
    tree.file(".docforge/changesets/cs-01kbd3mv5s0k6x2hq4n8r7t9wy/header.json", "{");
    let (code, out, _) = told(&run(&tree, &["doctor"]));
    assert_eq!(code, Some(1), "{out}");
    for expected in ["problem  index ", "-> run `readroom docs index`", "note     leftovers "] {
        assert!(out.contains(expected), "{expected} in {out}");
    }
    assert!(out.contains("1 of 1 changeset(s) are damaged: cs-01kbd3mv5s0k6x2hq4n8r7t9wy"), "{out}");

    // A journal that nobody works on.
    std::fs::create_dir_all(tree.path(".docforge/apply/cs-01kbd3mv5s0k6x2hq4n8r7t9wz")).expect("made");
    let (code, out, _) = told(&run(&tree, &["doctor"]));
    assert!(code == Some(5) && out.contains("-> run `readroom docs changeset recover`"), "{out}");
    let (_, answer) = json_of(&tree, &["doctor", "--json"]);
    let findings = answer["findings"].as_array().expect("a list");
    assert!(findings.iter().any(|one| one["check"] == "recovery" && one["state"] == "problem"), "{answer}");

    let tree = project();
    std::fs::create_dir(tree.path(".docforge")).expect("made");
    std::os::unix::fs::symlink(tree.home(), tree.path(".docforge/previews")).expect("a link");
    let (code, out, _) = told(&run(&tree, &["doctor"]));
    assert!(code == Some(1) && out.contains("problem  documents") && out.contains("`previews`"), "{out}");
    tree.file("docforge.toml", "schema = 1\n");
    let (code, out, _) = told(&run(&tree, &["doctor"]));
    assert!(code == Some(1) && out.contains("docforge.toml:1:10: "), "{out}");
    assert!(out.contains("-> write `schema = \"docforge/1\"`"), "{out}");
    assert_eq!(run(&tree, &["doctor", "--project-root", "/nonexistent"]).status.code(), Some(2));
}

#[test]
fn a_client_is_told_about_the_project_as_setup_does() {
    let tree = project();
    for client in ["claude-code", "claude-desktop", "codex", "cursor", "vscode", "antigravity", "gemini"] {
        let (code, ours, err) = told(&run(&tree, &["mcp-config", client]));
        assert_eq!(code, Some(0), "{err}");
        let setup = std::process::Command::new(super::BINARY)
            .args(["setup", client, "--server", "docs", "--root", "."])
            .current_dir(tree.root())
            .env("READROOM_HOME", tree.home())
            .output()
            .expect("the binary runs");
        assert_eq!(ours, told(&setup).1, "{client}");
        let root = tree.root();
        assert!(ours.contains("--project-root") && ours.contains(root.to_str().expect("UTF-8")), "{ours}");
    }
    let (_, out, _) = told(&run(&tree, &["mcp-config", "cursor", "--proposal-writer", "agent"]));
    assert!(out.contains("\"--proposal-writer\", \"agent\""), "{out}");
    let (code, _, err) = told(&run(&tree, &["mcp-config", "cursor", "--proposal-writer", "agnet"]));
    assert!(code == Some(2) && err.contains("the manifest declares agent"), "{err}");
}
