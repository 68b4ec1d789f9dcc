//! `readroom setup`: what it prints, and what it does to a client's own file.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use testkit::Tree;

use super::BINARY;

/// Runs `readroom setup` in the project, with an empty home and none of the clients' own variables.
fn setup(tree: &Tree, arguments: &[&str]) -> Output {
    Command::new(BINARY)
        .arg("setup")
        .args(arguments)
        .current_dir(tree.root())
        .env_clear()
        .env("HOME", tree.home())
        .output()
        .expect("the binary runs")
}

fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

const FILES: &[(&str, &str)] = &[
    ("claude-code", ".claude.json"),
    ("claude-desktop", ".config/Claude/claude_desktop_config.json"),
    ("codex", ".codex/config.toml"),
    ("cursor", ".cursor/mcp.json"),
    ("vscode", ".config/Code/User/mcp.json"),
    ("antigravity", ".gemini/config/mcp_config.json"),
    ("gemini", ".gemini/settings.json"),
];

#[test]
fn nothing_is_changed_unless_it_is_asked_for() {
    let tree = Tree::new("a.txt: x");
    for (client, file) in FILES {
        let said = stdout(&setup(&tree, &[client]));
        let root = tree.root();
        assert!(said.contains(BINARY) && said.contains(root.to_str().expect("UTF-8")), "{client}: {said}");
        assert!(!tree.home().join(file).exists(), "{client}");
    }
    assert_eq!(std::fs::read_dir(tree.home()).expect("list").count(), 0);
}

#[test]
fn every_client_gets_its_file_once_and_loses_the_entry_again() {
    let tree = Tree::new("a.txt: x");
    for (client, file) in FILES {
        for server in ["project", "evidence", "docs"] {
            let arguments = [*client, "--server", server, "--write"];
            let first = stdout(&setup(&tree, &arguments));
            assert!(first.contains("\n+"), "the change is shown: {first}");
            let path = tree.home().join(file);
            let written = std::fs::read_to_string(&path).expect("written");
            assert!(written.contains(tree.root().to_str().expect("UTF-8")), "{client}: {written}");
            assert_eq!(stdout(&setup(&tree, &arguments)), "", "{client}: a second time nothing changes");
            assert_eq!(std::fs::read_to_string(&path).expect("read"), written);
        }
        for server in ["project", "evidence", "docs"] {
            stdout(&setup(&tree, &[client, "--server", server, "--remove"]));
        }
        let left = std::fs::read_to_string(tree.home().join(file)).expect("read");
        assert!(!left.contains("readroom"), "{client}: {left}");
        assert_eq!(stdout(&setup(&tree, &[client, "--remove"])), "", "{client}: nothing is left to remove");
    }
}

#[test]
fn a_file_of_a_person_keeps_its_bytes_its_mode_and_a_copy() {
    let tree = Tree::new("a.txt: x");
    let path = tree.home().join(".gemini/settings.json");
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    let before = "{\n    // the theme\n    \"theme\": \"dark\",\n    \"mcpServers\": {\n        \"other\": { \"command\": \"o\", \"env\": { \"KEY\": \"k3y\" } }\n    }\n}\n";
    std::fs::write(&path, before).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("mode");
    let shown = stdout(&setup(&tree, &["gemini", "--write", "--", "--hide-private-data"]));
    assert!(shown.contains("+        \"readroom\": {"), "{shown}");
    assert!(shown.contains("\"--hide-private-data\"]"), "{shown}");
    let after = std::fs::read_to_string(&path).expect("read");
    let at = after.find(",\n        \"readroom\"").expect("the entry");
    let end = after[at..].find("\n        }").expect("its end") + at + "\n        }".len();
    assert_eq!(format!("{}{}", &after[..at], &after[end..]), before);
    assert_eq!(std::fs::metadata(&path).expect("stat").permissions().mode() & 0o777, 0o640);
    let copy = path.with_file_name("settings.json.before-readroom");
    assert_eq!(std::fs::read_to_string(&copy).expect("a copy"), before);
    assert_eq!(std::fs::metadata(&copy).expect("stat").permissions().mode() & 0o777, 0o640);
    stdout(&setup(&tree, &["gemini", "--remove"]));
    assert_eq!(std::fs::read_to_string(&path).expect("read"), before);
    // The copies say how it was each time; one that says the same is not made twice.
    stdout(&setup(&tree, &["gemini", "--write"]));
    stdout(&setup(&tree, &["gemini", "--remove"]));
    let names = std::fs::read_dir(path.parent().expect("a folder")).expect("list").count();
    assert_eq!(names, 4, "the file, its first state, and the two with an entry");
}

#[test]
fn a_link_stays_a_link_and_what_it_leads_to_is_edited() {
    let tree = Tree::new("a.txt: x");
    let kept = tree.scratch().join("dotfiles.toml");
    std::fs::write(&kept, "# mine\n").expect("written");
    let path = tree.home().join(".codex/config.toml");
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::os::unix::fs::symlink(&kept, &path).expect("a link");
    stdout(&setup(&tree, &["codex", "--write"]));
    assert!(std::fs::symlink_metadata(&path).expect("stat").is_symlink());
    assert!(std::fs::read_to_string(&kept).expect("read").starts_with("# mine\n\n[mcp_servers.readroom]\n"));
}

#[test]
fn what_cannot_be_edited_is_left_as_it_is() {
    let tree = Tree::new("a.txt: x");
    for (client, file) in FILES {
        let path = tree.home().join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        for broken in [&b"{ broken = "[..], b"\xFF\xFE", b"{\"mcpServers\": 3, \"servers\": 3"] {
            std::fs::write(&path, broken).expect("written");
            let output = setup(&tree, &[client, "--write"]);
            assert_eq!(output.status.code(), Some(1), "{client}");
            assert_eq!(std::fs::read(&path).expect("read"), broken, "{client}");
            assert_eq!(
                std::fs::read_dir(path.parent().expect("a folder"))
                    .expect("list")
                    .filter(|entry| {
                        entry
                            .as_ref()
                            .is_ok_and(|entry| entry.file_name().to_string_lossy().contains("readroom"))
                    })
                    .count(),
                0
            );
        }
    }
}

#[test]
fn the_text_for_a_client_says_what_was_asked_for() {
    let tree = Tree::new("a/x: 1\nb c/x: 1");
    let said = stdout(&setup(
        &tree,
        &[
            "cursor",
            "--name",
            "two",
            "--root",
            "a",
            "--root",
            "b c",
            "--command",
            "readroom",
            "--",
            "--git-mode",
            "tracked",
        ],
    ));
    let value: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(
        value,
        json!({ "mcpServers": { "two": { "command": "readroom", "args": [
            "mcp", "--root", tree.path("a"), "--root", tree.path("b c"), "--git-mode", "tracked"
        ] } } })
    );
    let line = stdout(&setup(&tree, &["claude-code", "--server", "evidence", "--root", "b c"]));
    let root = tree.path("b c");
    assert_eq!(
        line,
        format!(
            "claude mcp add --scope user readroom-evidence -- {BINARY} mcp evidence --root '{}'\n",
            root.display()
        )
    );
    let follows = stdout(&setup(&tree, &["vscode", "--follow", "--command", "readroom"]));
    assert!(follows.contains(r#""args": ["mcp", "--root", "${workspaceFolder}"]"#), "{follows}");
    let local = stdout(&setup(&tree, &["vscode", "--follow", "--file", ".vscode/mcp.json", "--write"]));
    assert!(local.contains("+{\n+  \"servers\": {"), "{local}");
    assert!(tree.path(".vscode/mcp.json").exists());
}

#[test]
fn a_registration_that_could_not_start_is_refused() {
    let tree = Tree::new("a.txt: x");
    for (arguments, code) in [
        (&["emacs"][..], 2),
        (&["codex", "--name", "a b"], 2),
        (&["codex", "--root", "nowhere"], 1),
        (&["codex", "--", "--git-mode", "staged"], 2),
        (&["codex", "--", "--nonsense"], 2),
        (&["codex", "--server", "evidence", "--root", ".", "--root", "."], 2),
        (&["claude-desktop", "--follow"], 2),
        (&["codex", "--write", "--remove"], 2),
    ] {
        let output = setup(&tree, arguments);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?} {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    assert!(!Path::new(&tree.home().join(".codex")).exists());
}

#[test]
fn what_was_set_up_starts_and_answers() {
    let tree = Tree::new("a.txt: x");
    for (server, count) in [("project", 7), ("evidence", 3)] {
        stdout(&setup(&tree, &["cursor", "--server", server, "--name", "it", "--write"]));
        let text = std::fs::read_to_string(tree.home().join(".cursor/mcp.json")).expect("read");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let entry = &value["mcpServers"]["it"];
        let args: Vec<&str> =
            entry["args"].as_array().expect("args").iter().filter_map(Value::as_str).collect();
        let client = testkit::Client::start(
            Path::new(entry["command"].as_str().expect("a command")),
            &args,
            &tree.home(),
        );
        let mut session = testkit::Session::open(client, testkit::Era::Legacy("2025-11-25"));
        assert_eq!(session.list_tools().len(), count);
    }
}
