//! Tracked files and Git states through the server and the commands.

use std::path::Path;
use std::process::Command;

use serde_json::json;
use testkit::{Client, Era, Session, Tree};

use super::{BINARY, inside, payload, serve, serve_with, shown, trailers};

/// A repository with a tracked ignored file, an untracked one, a staged one and a renamed one.
pub(crate) fn repository() -> Tree {
    let tree = Tree::new(
        ".gitignore: *.log\nkept.log: tracked\na.txt: alpha\nb.txt: a longer text that is renamed\nsub/c.txt: c\ngone.txt: g",
    );
    tree.git(&["init", "--quiet", "--initial-branch=main"]);
    tree.git(&["add", "--force", "kept.log"]);
    tree.commit("one");
    tree.add("new.txt: n\nignored.log: i\nsub/staged.txt: s");
    tree.git(&["add", "sub/staged.txt"]);
    tree.git(&["mv", "b.txt", "moved.txt"]);
    tree.file("a.txt", "beta").remove("gone.txt");
    tree
}

#[test]
fn tracked_only_lists_the_index_and_nothing_else() {
    let tree = repository();
    let expected =
        "├── sub\n│   ├── c.txt\n│   └── staged.txt\n├── .gitignore\n├── a.txt\n├── kept.log\n└── moved.txt";
    assert_eq!(shown(&mut serve(&tree), json!({ "tracked_only": true })), expected);
    let mut tracked = serve_with(&tree, &["--git-mode", "tracked"]);
    assert_eq!(shown(&mut tracked, json!({})), expected);
    assert_eq!(shown(&mut tracked, json!({ "tracked_only": false })), expected, "it cannot be weakened");
    assert!(!tracked.call("get_file", json!({ "path": "kept.log" })).is_error());
    assert_eq!(tracked.call("get_file", json!({ "path": "new.txt" })).code(), "DPX-MCP-PATH-NOT-FOUND");
    let found = tracked.call("search_project", json!({ "pattern": "tracked" }));
    assert!(payload(&found).contains("kept.log"));
    let pack = payload(&tracked.call("pack_context", json!({ "format": "json" })));
    assert!(pack.contains("\"gitMode\": \"tracked\"") && !pack.contains("new.txt"));
}

#[test]
fn scopes_select_what_git_reports_and_count_what_is_gone() {
    let tree = repository();
    let mut session = serve(&tree);
    for (scope, expected, gone) in [
        ("staged", "├── sub\n│   └── staged.txt\n└── moved.txt", 1),
        ("changes", "├── sub\n│   └── staged.txt\n├── a.txt\n├── moved.txt\n└── new.txt", 2),
    ] {
        let answer = session.call("get_tree", json!({ "git_scope": scope, "format": "text" }));
        assert_eq!(payload(&answer).split_once('\n').map(|(_, rest)| rest), Some(expected), "{scope}");
        let lines = trailers(&answer);
        assert!(
            lines[0].starts_with(&format!("[Warning DPX-GIT-STATE-DELETED] {gone} path(s)")),
            "{lines:?}"
        );
        assert!(!lines[0].contains("gone.txt") && !lines[0].contains("b.txt"));
    }
    let content = payload(&session.call("pack_context", json!({ "git_scope": "changes", "format": "json" })));
    assert!(content.contains("\"gitMode\": \"changes\"") && content.contains("beta"), "{content}");
    let both = shown(&mut session, json!({ "git_scope": "changes", "tracked_only": true }));
    assert!(!both.contains("new.txt") && both.contains("a.txt"), "{both}");
    tree.commit("two");
    let diff = shown(&mut session, json!({ "git_scope": "diff:HEAD~1..main" }));
    assert!(diff.contains("moved.txt") && diff.contains("new.txt") && !diff.contains("c.txt"), "{diff}");
    let clean = session.call("analyze", json!({ "git_scope": "changes" }));
    assert_eq!(clean.structured()["files"], json!(0));
    let found =
        session.call("search_project", json!({ "pattern": "beta", "git_scope": "diff:HEAD~1..HEAD" }));
    assert!(payload(&found).contains("a.txt:1:beta"));
}

#[test]
fn what_cannot_be_answered_says_why() {
    let tree = repository();
    let mut session = serve(&tree);
    for scope in [
        "Staged",
        "diff:a...b",
        "diff:a..b..c",
        "diff:--output=/tmp/x..HEAD",
        "diff:HEAD..-O/tmp/x",
        "diff:a",
    ] {
        let answer = session.call("get_tree", json!({ "git_scope": scope }));
        assert_eq!(answer.code(), "DPX-MCP-INVALID-ARGUMENTS", "{scope}");
    }
    let long = format!("diff:{}..b", "a".repeat(4_097));
    assert_eq!(session.call("analyze", json!({ "git_scope": long })).code(), "DPX-MCP-INVALID-ARGUMENTS");
    for scope in ["diff:absent..HEAD", "diff:HEAD@{1}..HEAD", "diff:HEAD~50..HEAD"] {
        let answer = session.call("get_tree", json!({ "git_scope": scope }));
        assert_eq!(answer.code(), "DPX-MCP-PROJECT-UNAVAILABLE", "{scope}");
        assert!(answer.text().contains("DPX-GIT-STATE-UNAVAILABLE"), "{}", answer.text());
    }
    let plain = Tree::new("a.txt: a");
    let mut session = serve(&plain);
    for (arguments, omit) in [
        (json!({ "tracked_only": true }), "omit tracked_only"),
        (json!({ "git_scope": "staged" }), "omit git_scope"),
        (json!({ "tracked_only": true, "git_scope": "changes" }), "omit tracked_only and git_scope"),
    ] {
        let answer = session.call("get_tree", arguments);
        assert_eq!(answer.code(), "DPX-MCP-INVALID-ARGUMENTS");
        assert!(answer.text().contains(omit), "{}", answer.text());
    }
    let answer = serve_with(&plain, &["--git-mode", "tracked"]).call("get_tree", json!({}));
    assert_eq!(answer.code(), "DPX-MCP-PROJECT-UNAVAILABLE");
    assert!(answer.text().contains("DPX-GIT-TRACKED-INDEX-UNAVAILABLE"), "{}", answer.text());
}

#[test]
fn a_broken_nested_index_is_said_in_every_tool_and_in_a_stored_pack() {
    let tree = Tree::new("top.txt: t\nlib/l.txt: needle");
    tree.git_in("lib", &["init", "--quiet", "--initial-branch=main"]);
    tree.git_in("lib", &["add", "-A"]);
    tree.git_in("lib", &["commit", "--quiet", "-m", "x"]);
    tree.file("big.txt", &"needle in many lines of text\n".repeat(3_000));
    tree.add(".gitmodules: [submodule \"lib\"]\\n\\tpath = lib\\n");
    tree.commit("one");
    assert!(shown(&mut serve(&tree), json!({ "tracked_only": true })).contains("l.txt"));
    tree.file("lib/.git/index", "garbage");
    let mut session = serve(&tree);
    for (tool, arguments) in [
        ("get_tree", json!({ "tracked_only": true })),
        ("analyze", json!({ "tracked_only": true })),
        ("search_project", json!({ "tracked_only": true, "pattern": "needle", "max_results": 1 })),
        ("pack_context", json!({ "tracked_only": true })),
    ] {
        let answer = session.call(tool, arguments);
        let all = answer.all_text();
        assert!(all.contains("[Warning DPX-GIT-TRACKED-INDEX-PARTIAL] 1 nested"), "{tool}: {all:.300}");
        assert!(!answer.is_error() && !all.contains("l.txt"), "{tool}");
        if tool == "pack_context" {
            assert!(all.starts_with("Pack stored as"), "the pack is a stored one");
        }
    }
    tree.file(".git/index", "garbage");
    let answer = session.call("get_tree", json!({ "tracked_only": true }));
    assert!(answer.text().contains("DPX-GIT-TRACKED-INDEX-UNAVAILABLE"), "{}", answer.text());
}

#[test]
fn pointers_to_foreign_repositories_and_pipes_are_refused_at_once() {
    let tree = Tree::new("mine/a.txt: a\npriv/CANARY.txt: c");
    tree.git_in("priv", &["init", "--quiet", "--initial-branch=main"]);
    tree.git_in("priv", &["add", "-A"]);
    tree.git_in("priv", &["commit", "--quiet", "-m", "x"]);
    tree.file("mine/.git", &format!("gitdir: {}\n", tree.path("priv/.git").display()));
    let at = |folder: &str| {
        let root = tree.path(folder);
        let client = Client::start(
            Path::new(BINARY),
            &["mcp".as_ref(), "--root".as_ref(), root.as_os_str()],
            &tree.home(),
        );
        Session::open(client, Era::Modern)
    };
    let mut session = at("mine");
    for arguments in [
        json!({ "tracked_only": true }),
        json!({ "git_scope": "changes" }),
        json!({ "git_scope": "diff:main..main" }),
    ] {
        let answer = session.call("get_tree", arguments);
        assert_eq!(answer.code(), "DPX-MCP-PROJECT-UNAVAILABLE");
        assert!(!answer.all_text().contains("CANARY"));
    }
    for name in ["index", "HEAD", "packed-refs"] {
        let tree = repository();
        let place = format!(".git/{name}");
        if std::fs::symlink_metadata(tree.path(&place)).is_ok() {
            tree.remove(&place);
        }
        tree.fifo(&place);
        let mut session = serve(&tree);
        let answer = session.call("get_tree", json!({ "git_scope": "diff:absent..HEAD" }));
        assert_eq!(answer.code(), "DPX-MCP-PROJECT-UNAVAILABLE", "{name}");
        let answer = session.call("get_tree", json!({ "tracked_only": true }));
        assert_eq!(answer.is_error(), name == "index", "{name}");
    }
}

#[test]
fn a_work_tree_and_includes_named_by_the_configuration_are_ignored() {
    let tree = repository();
    let private = tree.scratch().join("private");
    std::fs::create_dir(&private).expect("new");
    std::fs::write(private.join("CANARY.txt"), "CANARY").expect("written");
    let config = format!(
        "[core]\n\tworktree = {}\n[include]\n\tpath = {}\n",
        private.display(),
        private.join("CANARY.txt").display()
    );
    tree.append(".git/config", config.as_bytes());
    let mut session = serve(&tree);
    for arguments in [
        json!({ "tracked_only": true }),
        json!({ "git_scope": "staged" }),
        json!({ "git_scope": "changes" }),
        json!({ "git_scope": "diff:HEAD..main" }),
    ] {
        let answer = session.call("get_tree", arguments.clone());
        assert!(!answer.is_error(), "{arguments}: {}", answer.text());
        assert!(!answer.all_text().contains("CANARY"), "{arguments}");
    }
    assert!(!session.finish().stderr.contains("CANARY"));
}

#[test]
fn without_git_the_index_is_still_read_and_the_rest_says_what_is_missing() {
    let tree = repository();
    let root = tree.root();
    let client = Client::start_with(
        Path::new(BINARY),
        &["mcp".as_ref(), "--allow-remote".as_ref(), "--root".as_ref(), root.as_os_str()],
        &tree.home(),
        |command| command.env("PATH", "/nonexistent"),
    );
    let mut session = Session::open(client, Era::Legacy("2025-11-25"));
    assert!(shown(&mut session, json!({ "tracked_only": true })).contains("kept.log"));
    let answer = session.call("get_tree", json!({ "git_scope": "staged" }));
    assert_eq!(answer.code(), "DPX-MCP-PROJECT-UNAVAILABLE");
    assert!(answer.text().contains("DPX-GIT-STATE-UNAVAILABLE") && answer.text().contains("install git"));
    let url = format!("file://{}", root.display());
    let answer = session.call("get_tree", json!({ "project": url }));
    assert_eq!(answer.code(), "DPX-MCP-REMOTE-FAILED");
    assert!(answer.text().contains("git is not installed"), "{}", answer.text());
}

#[test]
fn the_commands_narrow_as_the_tools_do() {
    let tree = repository();
    let run = |arguments: &[&str]| {
        let output = Command::new(BINARY)
            .args(arguments)
            .current_dir(tree.root())
            .env("HOME", tree.home())
            .env("READROOM_HOME", tree.home())
            .output()
            .expect("the binary runs");
        (
            output.status.code(),
            String::from_utf8(output.stdout).expect("UTF-8"),
            String::from_utf8(output.stderr).expect("UTF-8"),
        )
    };
    let (code, out, err) = run(&["tree", "--git-scope", "staged"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.ends_with("├── sub\n│   └── staged.txt\n└── moved.txt"), "{out}");
    assert!(err.contains("[Warning DPX-GIT-STATE-DELETED] 1 path(s)"), "{err}");
    let (_, out, _) = run(&["tree", "--tracked-only"]);
    assert!(out.contains("kept.log") && !out.contains("new.txt"), "{out}");
    let (code, _, err) = run(&["tree", "--git-scope", "diff:absent..HEAD"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(inside(&out).is_none(), "no markers on stdout");
}
