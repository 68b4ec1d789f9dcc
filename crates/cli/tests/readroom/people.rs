//! The commands in a shell: documents on stdout, everything else on stderr, and exit codes.

use std::io::Read as _;
use std::process::{Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use testkit::Tree;

use super::{BINARY, github_token, payload, serve};

fn run_in(tree: &Tree, arguments: &[&str]) -> Output {
    Command::new(BINARY)
        .args(arguments)
        .current_dir(tree.root())
        .env_clear()
        .env("HOME", tree.home())
        .env("READROOM_HOME", tree.home())
        .output()
        .expect("the binary runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

#[test]
fn the_documents_are_those_of_the_tools() {
    let tree = Tree::new("src/a.rs: fn main() {}\\n\nREADME.md: # x");
    let mut session = serve(&tree);
    for (command, tool, arguments) in [
        (vec!["tree", "--format", "markdown"], "get_tree", json!({})),
        (vec!["tree", "--json"], "get_tree", json!({ "format": "json" })),
        (vec!["pack", "."], "pack_context", json!({})),
        (
            vec!["pack", "--format", "xml", "--view", "content", "--path", "src"],
            "pack_context",
            json!({ "format": "xml", "view": "content", "paths": ["src"] }),
        ),
        (
            vec!["pack", "--json", "--max-tokens", "1"],
            "pack_context",
            json!({ "format": "json", "max_tokens": 1 }),
        ),
        (vec!["search", "MAIN", "."], "search_project", json!({ "pattern": "MAIN" })),
        (vec!["cat", "src/a.rs"], "get_file", json!({ "path": "src/a.rs" })),
    ] {
        let output = run_in(&tree, &command);
        assert_eq!(code(&output), 0, "{command:?} {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(stdout(&output), payload(&session.call(tool, arguments)), "{command:?}");
    }
    let analysis: Value =
        serde_json::from_str(&stdout(&run_in(&tree, &["analyze", "--json"]))).expect("JSON");
    assert_eq!(&analysis, session.call("analyze", json!({})).structured());
}

#[test]
fn exit_codes_say_what_happened() {
    let tree = Tree::new("a.txt: x\nout.md: old");
    for (arguments, expected) in [
        (vec!["tree"], 0),
        (vec!["search", "zzz"], 1),
        (vec!["search", "("], 2),
        (vec!["cat", "nope"], 1),
        (vec!["cat", "../nope"], 3),
        (vec!["tree", "nope"], 1),
        (vec!["tree", "--format", "yaml"], 2),
        (vec!["tree", "--include", "!x"], 2),
        (vec!["pack", "-o", "out.md"], 4),
        (vec!["pack", "-o", "out.md", "--force"], 0),
        (vec!["tree", "https://host.example/x"], 3),
        (vec!["mcp", "--git-mode", "staged"], 2),
        (vec!["mcp", "--root", "nope"], 1),
        (vec!["profile", "show"], 1),
        (vec![], 2),
    ] {
        let output = run_in(&tree, &arguments);
        assert_eq!(code(&output), expected, "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
        if expected != 0 {
            assert!(output.stdout.is_empty(), "{arguments:?}");
        }
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{arguments:?}");
    }
}

#[test]
fn a_pack_goes_to_a_file_at_once_and_never_through_a_link() {
    let tree = Tree::new("a.txt: x\nlink.md -> a.txt");
    assert_eq!(code(&run_in(&tree, &["pack", "-o", "link.md", "--force"])), 1);
    assert_eq!(std::fs::read_to_string(tree.path("a.txt")).expect("read"), "x");
    let output = run_in(&tree, &["pack", "-o", "pack.md"]);
    assert_eq!((code(&output), stdout(&output)), (0, String::new()));
    let written = std::fs::read_to_string(tree.path("pack.md")).expect("read");
    assert!(written.starts_with("# project\n") && written.contains("## `a.txt`"));
}

#[test]
fn a_pack_does_not_hold_the_file_that_it_becomes() {
    let tree = Tree::new("a.txt: x\n.b: y");
    let printed = stdout(&run_in(&tree, &["pack"]));
    assert_eq!(code(&run_in(&tree, &["pack", "-o", "pack.md"])), 0);
    assert_eq!(std::fs::read_to_string(tree.path("pack.md")).expect("read"), printed);
    let names = std::fs::read_dir(tree.root()).expect("list").count();
    assert_eq!(names, 3, "only the pack is new");
}

#[test]
fn a_command_whose_reader_does_not_read_still_ends_when_it_is_asked_to() {
    let tree = Tree::new("a.txt: x");
    tree.file("big.txt", &"a line of text\n".repeat(100_000));
    for signal in [Signal::INT, Signal::TERM] {
        let mut child = Command::new(BINARY)
            .arg("pack")
            .current_dir(tree.root())
            .env_clear()
            .env("READROOM_HOME", tree.home())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        // One byte means that the document is being written, and it is larger than a pipe.
        let mut output = child.stdout.take().expect("a pipe");
        output.read_exact(&mut [0]).expect("a byte");
        kill_process(Pid::from_child(&child), signal).expect("a signal");
        assert_eq!(child.wait().expect("an end").code(), Some(130));
        drop(output);
    }
}

#[test]
fn an_address_leads_back_to_the_name_that_it_was_shown_for() {
    let tree = Tree::new("a.txt: x");
    tree.bytes_at(b"\xFF.txt", b"the byte");
    tree.bytes_at(b"\\xFF.txt", b"the letters");
    let shown = stdout(&run_in(&tree, &["tree", "--json"]));
    for (name, content) in [(r"\xFF.txt", "the byte"), (r"\\xFF.txt", "the letters")] {
        assert!(shown.contains(&json!(name).to_string()), "{shown}");
        assert_eq!(stdout(&run_in(&tree, &["cat", name])), content, "{name}");
    }
}

#[test]
fn notices_go_to_stderr_and_the_summary_counts() {
    let tree = Tree::new("a.txt: x");
    tree.file("b.txt", &format!("token {}\n", github_token(3)));
    let output = run_in(&tree, &["pack", "--max-tokens", "1"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("Skipped: 1 file") && said.contains("readroom: 1 file, about 1 tokens"), "{said}");
    let output = run_in(&tree, &["pack"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("1 redacted (1 github-pat)"), "{said}");
    assert!(!said.contains("ghp_") && !stdout(&output).contains("ghp_"));
}

#[test]
fn a_whole_file_is_printed_without_pages_and_a_range_is_a_range() {
    let tree = Tree::new("");
    let text: String = (1..=3_000).map(|n| format!("line {n}\n")).collect();
    tree.file("long.txt", &text);
    assert_eq!(stdout(&run_in(&tree, &["cat", "long.txt"])), text);
    assert_eq!(stdout(&run_in(&tree, &["cat", "long.txt", "--lines", "2-3"])), "line 2\nline 3");
    assert_eq!(stdout(&run_in(&tree, &["cat", "long.txt", "--lines", "3000-"])), "line 3000\n");
}

#[test]
fn profiles_are_saved_shown_listed_used_and_removed() {
    let tree = Tree::new("src/a.rs: x\n.env.example: A=1");
    assert_eq!(code(&run_in(&tree, &["profile", "save"])), 0);
    let shown: Value = serde_json::from_str(&stdout(&run_in(&tree, &["profile", "show"]))).expect("JSON");
    assert_eq!(shown["selection"]["gitMode"], json!("gitignore"));
    assert_eq!(stdout(&run_in(&tree, &["profile", "list"])).trim(), tree.root().to_str().expect("UTF-8"));
    let mut session = serve(&tree);
    assert_eq!(
        session.call("list_projects", json!({})).structured()["profiles"],
        json!([{ "project": tree.root(), "name": "local" }])
    );
    assert_eq!(session.call("analyze", json!({ "profile": "local" })).structured()["files"], json!(1));
    assert_eq!(code(&run_in(&tree, &["profile", "remove"])), 0);
    assert_eq!(code(&run_in(&tree, &["profile", "remove"])), 1);
    let store = tree.home().join("config/profiles.json");
    std::fs::write(&store, "{ damaged").expect("written");
    assert_eq!(code(&run_in(&tree, &["profile", "save"])), 1);
    assert_eq!(std::fs::read_to_string(&store).expect("read"), "{ damaged", "a damaged store is left alone");
}

#[test]
fn the_root_comes_from_the_environment_when_none_is_given() {
    let (tree, other) = (Tree::new("a.txt: x"), Tree::new("b.txt: x"));
    let client =
        testkit::Client::start_with(std::path::Path::new(BINARY), &["mcp"], &tree.home(), |command| {
            command.env("DEVPROJEX_ROOT", "  ").env("CLAUDE_PROJECT_DIR", other.root())
        });
    let mut session = testkit::Session::open(client, testkit::Era::Legacy("2025-06-18"));
    assert!(payload(&session.call("get_tree", json!({}))).contains("b.txt"));
}
