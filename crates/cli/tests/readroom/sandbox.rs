//! That a server is confined by the kernel before it serves, in all its threads, and works all the same. What the
//! confinement refuses is proved in `confine`, what git may do in `git`.

use std::fs;
use std::path::Path;

use serde_json::json;
use testkit::{Client, Era, Session, Tree};

use super::{BINARY, payload, serve_with, shown};

/// The values of `key` in the status of every thread of a process.
fn threads_say(pid: u32, key: &str) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("it runs");
    tasks
        .filter_map(|task| fs::read_to_string(task.ok()?.path().join("status")).ok())
        .map(|status| {
            let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
            line.trim_matches(|c: char| c == ':' || c.is_whitespace()).to_owned()
        })
        .collect()
}

fn evidence(tree: &Tree, options: &[&str]) -> Session {
    let root = tree.root();
    let mut arguments = vec!["mcp", "evidence", "--root", root.to_str().expect("UTF-8")];
    arguments.extend(options);
    Session::open(Client::start(Path::new(BINARY), &arguments, &tree.home()), Era::Legacy("2025-11-25"))
}

#[test]
fn every_thread_of_a_server_is_confined_unless_a_person_says_otherwise() {
    let tree = Tree::new("a.txt: needle");
    for (options, filtered) in [(vec![], "2"), (vec!["--sandbox", "off"], "0")] {
        let mut project = serve_with(&tree, &options);
        assert!(!project.call("search_project", json!({ "pattern": "needle" })).is_error());
        let mut remote = serve_with(&tree, &[vec!["--allow-remote"], options.clone()].concat());
        assert!(!remote.call("get_tree", json!({})).is_error());
        let mut evidence = evidence(&tree, &options);
        assert!(!evidence.call("context_search", json!({ "terms": ["needle"] })).is_error());
        for session in [&mut project, &mut remote, &mut evidence] {
            let pid = session.client().pid();
            let said = threads_say(pid, "Seccomp:");
            assert!(!said.is_empty() && said.iter().all(|mode| mode == filtered), "{options:?}: {said:?}");
            let privileges = if filtered == "2" { "1" } else { "0" };
            assert!(threads_say(pid, "NoNewPrivs:").iter().all(|value| value == privileges));
        }
    }
}

#[test]
fn a_required_confinement_holds_wholly_or_the_server_does_not_start() {
    let tree = Tree::new("a.txt: needle\n.gitignore: *.log");
    let root = tree.root();
    let arguments = ["mcp", "--root", root.to_str().expect("UTF-8"), "--sandbox", "require"];
    let mut client = Client::start(Path::new(BINARY), &arguments, &tree.home());
    client.send_line(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    if client.try_read_line(std::time::Duration::from_secs(10)).is_none() {
        let exit = client.wait();
        assert_eq!(exit.code, Some(1));
        assert!(exit.stderr.contains("--sandbox require"), "{}", exit.stderr);
    }
}

#[test]
fn a_confined_server_still_asks_git_and_still_writes_its_packs() {
    let tree = super::git::repository();
    let mut session = serve_with(&tree, &[]);
    assert!(shown(&mut session, json!({ "git_scope": "staged" })).contains("staged.txt"));
    let long = "line of text that is long enough to make a pack\n".repeat(5_000);
    tree.file("long.txt", &long);
    let pack = session.call("pack_context", json!({}));
    let id = pack.text().split('\'').nth(1).expect("a stored pack").to_owned();
    let page = session.call("read_pack", json!({ "pack_id": id }));
    assert!(payload(&page).contains("staged.txt"));
}
