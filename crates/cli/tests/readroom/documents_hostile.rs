//! `readroom docs` on repositories that were made to do harm: nothing of them runs, nothing outside of them is read, nothing is
//! made, and each trap costs its own file alone.

use std::process::Command;

use serde_json::Value;
use testkit::Tree;

use super::BINARY;
use super::docs_server::{Server, listing};
use super::documents::{run, told};

const MANIFEST: &str = r#"schema = "docforge/1"
[project]
id = "trapped"
title = "A repository with traps"
[types.note]
[types.item]
[relations.about]
from = ["note"]
to = ["note"]
inverse = "subject_of"
[relations.parent]
from = ["item"]
to = ["item"]
inverse = "child"
pin = "optional"
[[sources]]
id = "notes"
adapter = "markdown@1"
include = ["docs/**/*.md"]
type = "note"
[[sources]]
id = "items"
adapter = "doorstop@1"
include = ["reqs/*.yml"]
type = "item"
[sources.options]
relation = "parent"
"#;

const EVERY_GOOD_NODE: [&str; 4] = ["GOOD-1", "GOOD-2", "REQ001", "REQ002"];

/// A project with one of every trap; whatever of it runs leaves `witness` outside of the project.
fn trapped() -> Tree {
    let tree = Tree::new("");
    let witness = tree.scratch().join("witness").display().to_string();
    let python = format!("open({witness:?}, 'w').write('ran')\n");
    let shell = format!("#!/bin/sh\necho ran > '{witness}'\n");
    tree.file("docforge.toml", MANIFEST);
    tree.file("docs/a.md", "---\nid: GOOD-1\nabout: GOOD-2\n---\nThe first.\n");
    tree.file("docs/b.md", "---\nid: GOOD-2\n---\nThe second.\n");
    // Configuration that is a program.
    tree.file("conf.py", &python).file("docs/conf.py", &python).file("strictdoc_config.py", &python);
    tree.file(
        "reqs/.doorstop.yml",
        "settings:\n  digits: 3\n  prefix: REQ\n  sep: ''\nextensions:\n  item_validator: validator.py\n",
    );
    tree.file("reqs/validator.py", &python);
    tree.file("reqs/REQ001.yml", "active: true\nlinks: []\ntext: The parent.\n");
    tree.file("reqs/REQ002.yml", "active: true\nlinks:\n- REQ001\ntext: The child.\n");
    tree.commit("all");
    for hook in ["post-checkout", "pre-commit", "post-index-change", "fsmonitor-watchman"] {
        tree.file(&format!(".git/hooks/{hook}"), &shell).mode(&format!(".git/hooks/{hook}"), 0o755);
    }
    let hook = tree.path(".git/hooks/fsmonitor-watchman");
    tree.append(
        ".git/config",
        format!("[core]\n\tfsmonitor = {}\n\tpager = {0}\n", hook.display()).as_bytes(),
    );
    // YAML that grows, and YAML that is deep.
    let mut bomb = String::from("---\nid: BOMB\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..7 {
        let alias = format!("*a{}", level - 1);
        bomb.push_str(&format!("a{level}: &a{level} [{}]\n", [alias.as_str(); 10].join(", ")));
    }
    tree.file("docs/bomb.md", &format!("{bomb}---\n"));
    tree.file("docs/deep.md", &format!("---\nid: DEEP\na: {}{}\n---\n", "[".repeat(200), "]".repeat(200)));
    // Files that are none, or too large.
    tree.link("docs/passwd.md", "/etc/passwd").link("docs/folder", "/etc").fifo("docs/pipe.md");
    tree.sparse("docs/large.md", 5 * 1024 * 1024);
    tree
}

/// The device that never ends, where this process may make one.
fn zero_device(tree: &Tree) -> bool {
    use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
    mknodat(
        CWD,
        tree.path("docs/zero.md"),
        FileType::CharacterDevice,
        Mode::from_raw_mode(0o644),
        makedev(1, 5),
    )
    .is_ok()
}

fn expected(has_device: bool) -> Vec<(&'static str, &'static str)> {
    let mut expected = vec![
        ("docs/bomb.md", "yaml_unsupported"),
        ("docs/deep.md", "yaml_unsupported"),
        ("docs/folder", "symlink_refused"),
        ("docs/large.md", "file_too_large"),
        ("docs/passwd.md", "symlink_refused"),
        ("docs/pipe.md", "special_refused"),
        ("reqs/.doorstop.yml", "foreign_code_skipped"),
    ];
    if has_device {
        expected.push(("docs/zero.md", "special_refused"));
    }
    expected.sort_unstable();
    expected
}

fn found(diagnostics: &Value) -> Vec<(&str, &str)> {
    let all = diagnostics.as_array().expect("a list").iter();
    all.filter(|one| one["severity"] != "info")
        .map(|one| (one["path"].as_str().unwrap_or_default(), one["code"].as_str().expect("a code")))
        .collect()
}

#[test]
fn a_hostile_repository_runs_nothing_and_costs_only_its_own_files() {
    let tree = trapped();
    let has_device = zero_device(&tree);
    let before = listing(&tree.root());
    let (code, out, err) = told(&run(&tree, &["check"]));
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    for (path, word) in expected(has_device) {
        let said = |line: &&str| line.starts_with(path) && line.contains(&format!("[{word}]"));
        assert_eq!(out.lines().filter(said).count(), 1, "{path} {word}: {out}");
    }
    assert!(!out.contains("root:"), "nothing of a file outside");
    let (code, _, _) = told(&run(&tree, &["check", "--changed-only"]));
    assert_eq!(code, Some(1));
    let mut server = Server::start(&tree, &[]);
    let nodes = server.result("docforge_filter_nodes", serde_json::json!({}));
    let ids: Vec<_> =
        nodes["nodes"].as_array().expect("nodes").iter().map(|node| node["id"].clone()).collect();
    assert_eq!(ids, EVERY_GOOD_NODE);
    let said = server.result("docforge_validate_project", serde_json::json!({}));
    assert_eq!(found(&said["diagnostics"]), expected(has_device), "one finding each");
    drop(server);
    assert!(!tree.scratch().join("witness").exists(), "something ran");
    assert_eq!(listing(&tree.root()), before, "nothing was made or changed");
}

/// As the kernel saw it: one program was started, and neither the link's target nor a pipe nor a device was opened.
#[test]
fn a_hostile_repository_makes_no_call_that_starts_or_opens_what_lies_outside() {
    let tree = trapped();
    zero_device(&tree);
    let log = tree.scratch().join("calls");
    let traced = Command::new("strace")
        .args(["-f", "-o"])
        .arg(&log)
        .args(["-e", "trace=execve,execveat,open,openat,openat2,socket,connect"])
        .args([BINARY, "docs", "check"])
        .current_dir(tree.root())
        .env("READROOM_HOME", tree.home())
        .output();
    // Where there is no tracer, or it may not trace, the witness of the other test stands alone.
    let Ok(traced) = traced else { return };
    let calls = std::fs::read_to_string(&log).unwrap_or_default();
    if traced.status.code() != Some(1) || !calls.contains("execve(") {
        return;
    }
    let of = |word: &str| calls.lines().filter(|line| line.contains(word)).count();
    assert_eq!(of("execve"), 1, "{calls}");
    assert_eq!(of("socket(") + of("connect("), 0, "{calls}");
    for name in ["passwd", "pipe.md", "zero.md", "validator.py", "conf.py", "hooks"] {
        let opened =
            |line: &&str| line.contains(name) && !line.contains(" = -1 ") && !line.contains("O_PATH");
        assert_eq!(calls.lines().filter(opened).collect::<Vec<_>>(), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn folders_of_our_own_that_lead_astray_are_refused_each_in_its_own_words_and_nothing_is_made() {
    let base = "schema = \"docforge/1\"\n[project]\nid = \"t\"\ntitle = \"T\"\n[types.note]\n[[sources]]\nid = \"main\"\n\
        adapter = \"markdown@1\"\ninclude = [\"docs/**\"]\ntype = \"note\"\n[views.all]\ntitle = \"All\"\n\
        renderer = \"document@1\"\noutput = \"site/all.html\"\n[paths]\n";
    let tree = Tree::new("docs/a.md: ---\\nid: A\\n---\\n");
    let outside = tree.scratch().join("outside");
    std::fs::create_dir(&outside).expect("a folder");
    tree.link("astray", &outside);
    let absolute = outside.join("made").display().to_string();
    for key in ["changesets", "previews", "index"] {
        let mut seen = Vec::new();
        for (path, words) in [
            (absolute.as_str(), "is absolute"),
            ("../outside/made", "has a `..` segment"),
            ("astray/made", "is a link or lies behind one"),
            ("docs/made.md", "lies inside what the source `main` includes"),
            ("site/all.html", "equals the output of [views.all]"),
            (".git/made", "lies inside .git"),
        ] {
            tree.file("docforge.toml", &format!("{base}{key} = \"{path}\"\n"));
            let before = listing(tree.scratch());
            let (code, out, err) = told(&run(&tree, &["check"]));
            assert_eq!((code, out.as_str()), (Some(2), ""), "{key} = {path}: {err}");
            let line = err.lines().find(|line| line.contains("error[")).expect("a finding").to_owned();
            assert!(line.contains("error[manifest_invalid]"), "{line}");
            assert!(line.contains(&format!("`{key}` of [paths] {words}")), "{line}");
            let message = line.split("error[").nth(1).expect("there").to_owned();
            assert!(!seen.contains(&message), "two faults, one message: {message}");
            seen.push(message);
            let (code, _, _) = told(&run(&tree, &["index"]));
            assert_eq!(code, Some(2), "{key} = {path}");
            let mut server = Server::start(&tree, &[]);
            let info = server.result("docforge_project_info", serde_json::json!({}));
            assert_eq!(info["problems"][0]["code"], "manifest_invalid", "{info}");
            assert_eq!(
                server.error("docforge_list_changesets", serde_json::json!({}))["code"],
                "project_unloadable"
            );
            drop(server);
            assert_eq!(listing(tree.scratch()), before, "{key} = {path}: nothing is made");
        }
    }
}
