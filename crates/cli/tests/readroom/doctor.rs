//! `readroom doctor`: that it finds a sound machine sound, and says what is wrong with another.

use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output};

use serde_json::Value;
use testkit::Tree;

use super::BINARY;

fn doctor(tree: &Tree, arguments: &[&str]) -> Output {
    Command::new(BINARY)
        .arg("doctor")
        .args(arguments)
        .current_dir(tree.root())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", tree.home())
        .env("READROOM_HOME", tree.home())
        .output()
        .expect("the binary runs")
}

fn findings(output: &Output) -> Vec<Value> {
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["version"], env!("CARGO_PKG_VERSION"));
    value["findings"].as_array().expect("findings").clone()
}

fn state<'f>(findings: &'f [Value], check: &str) -> (&'f str, &'f str) {
    let finding = findings.iter().find(|finding| finding["check"] == check).expect("looked at");
    (finding["state"].as_str().expect("a state"), finding["found"].as_str().expect("found"))
}

#[test]
fn a_sound_machine_has_no_problem_and_every_server_answers() {
    let tree = Tree::new("a.txt: x");
    let output = doctor(&tree, &["--json"]);
    let found = findings(&output);
    assert_eq!(output.status.code(), Some(0), "{found:?}");
    for server in ["mcp project", "mcp evidence"] {
        let (state, text) = state(&found, server);
        assert_eq!(state, "ok", "{text}");
        assert!(text.contains("answered with the secret masked"), "{text}");
    }
    for finding in &found {
        assert_eq!(finding["state"] == "ok", finding["remedy"].is_null(), "{finding}");
    }
    let lines = String::from_utf8(doctor(&tree, &[]).stdout).expect("UTF-8");
    assert!(lines.contains("ok       project") && lines.contains("0 problems, "), "{lines}");
    let packs = tree.home().join("runtime/packs");
    assert_eq!(std::fs::read_dir(packs).expect("list").count(), 0, "nothing is left behind");
}

#[test]
fn each_thing_that_is_wrong_is_a_problem_with_a_remedy() {
    let tree = Tree::new("a.txt: x");
    let problem = |arguments: &[&str], check: &str| {
        let output = doctor(&tree, &[arguments, &["--json"]].concat());
        let found = findings(&output);
        assert_eq!(output.status.code(), Some(1), "{check}: {found:?}");
        let finding = found.iter().find(|finding| finding["check"] == check && finding["state"] == "problem");
        let remedy =
            finding.unwrap_or_else(|| panic!("{check}: {found:?}"))["remedy"].as_str().expect("a remedy");
        assert!(!remedy.is_empty());
    };
    problem(&["nowhere"], "project");
    problem(&["a.txt"], "project");
    problem(&[tree.home().to_str().expect("UTF-8")], "project");
    std::fs::create_dir_all(tree.home().join("config")).expect("made");
    std::fs::write(tree.home().join("config/profiles.json"), "{ damaged").expect("written");
    problem(&[], "profiles");
    std::fs::remove_dir_all(tree.home().join("config")).expect("removed");
    let runtime = tree.home().join("runtime");
    std::fs::create_dir_all(&runtime).expect("made");
    std::fs::set_permissions(&runtime, std::fs::Permissions::from_mode(0o777)).expect("mode");
    problem(&[], "leftovers");
    problem(&[], "mcp project");
}

#[test]
fn a_machine_without_git_is_told_what_it_goes_without() {
    let tree = Tree::new("a.txt: x");
    let output = Command::new(BINARY)
        .args(["doctor", "--json"])
        .current_dir(tree.root())
        .env_clear()
        .env("READROOM_HOME", tree.home())
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(state(&findings(&output), "git"), ("note", "none that may be started"));
}
