//! How a server starts and ends: its root, its options, its streams and its exit code.

use std::path::{Path, PathBuf};

use serde_json::json;
use testkit::{Client, Era, Exit, Session, Tree};

use super::{BINARY, serve};

fn start_fails(tree: &Tree, arguments: &[&str]) -> Exit {
    let exit = Client::start(Path::new(BINARY), arguments, &tree.home()).wait();
    assert!(exit.rest.is_empty(), "nothing on stdout: {:?}", exit.rest);
    assert!(!exit.stderr.is_empty(), "a reason on stderr");
    exit
}

/// The roots of a server that was started with these arguments, variables and working folder.
fn roots(tree: &Tree, arguments: &[&str], variables: &[(&str, &str)], folder: &Path) -> Vec<PathBuf> {
    let client = Client::start_with(Path::new(BINARY), arguments, &tree.home(), |command| {
        command.envs(variables.iter().copied()).current_dir(folder)
    });
    let mut session = Session::open(client, Era::Modern);
    let listed = session.call("list_projects", json!({}));
    let projects = listed.structured()["projects"].as_array().expect("projects");
    projects.iter().map(|project| PathBuf::from(project["path"].as_str().expect("a path"))).collect()
}

#[test]
fn a_client_that_goes_away_without_reading_leaves_no_server_behind() {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let tree = Tree::new("a.txt: x");
    let mut server = Command::new(BINARY)
        .args(["mcp", "--root"])
        .arg(tree.root())
        .env_clear()
        .env("READROOM_HOME", tree.home())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let mut input = server.stdin.take().expect("a pipe");
    let unread = server.stdout.take();
    // All of it fits into the pipe; the answers do not.
    for id in 0..1_000 {
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/list\"}}\n");
        input.write_all(line.as_bytes()).expect("room");
    }
    drop(input);
    assert!(server.wait().expect("an end").success());
    drop(unread);
}

#[test]
fn stdout_of_a_server_is_out_of_reach_of_a_stray_print() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    assert!(!session.call("get_tree", json!({})).is_error());
    let pid = session.client().pid();
    let first = std::fs::read_link(format!("/proc/{pid}/fd/1")).expect("the server is running");
    assert_eq!(first, Path::new("/dev/null"));
}

#[test]
fn the_end_of_input_is_exit_code_0_with_an_empty_stderr() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    assert!(!session.call("analyze", json!({})).is_error());
    let exit = session.finish();
    assert_eq!((exit.code, exit.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_root_that_cannot_be_used_is_exit_code_1_with_an_empty_stdout() {
    let tree = Tree::new("a.txt: x");
    let file = tree.path("a.txt");
    assert_eq!(start_fails(&tree, &["mcp", "--root", "/nowhere/at/all"]).code, Some(1));
    assert_eq!(start_fails(&tree, &["mcp", "--root", file.to_str().expect("UTF-8")]).code, Some(1));
    let root = tree.root();
    let root = root.to_str().expect("UTF-8");
    assert_eq!(start_fails(&tree, &["mcp", "--root", root, "--root", "/nowhere"]).code, Some(1));
}

#[test]
fn options_out_of_form_are_exit_code_2_with_an_empty_stdout() {
    let tree = Tree::new("a.txt: x");
    for arguments in [
        &["mcp", "--root="][..],
        &["mcp", "--root"],
        &["mcp", "--Root", "."],
        &["mcp", "--git-mode", "staged"],
        &["mcp", "--git-mode", "changes"],
        &["mcp", "--git-mode=diff:a..b"],
        &["mcp", "--git-mode="],
        &["mcp", "--hide-secrets"],
        &["mcp", "--page-chars", "3999"],
        &["mcp", "--page-chars", "50001"],
    ] {
        assert_eq!(start_fails(&tree, arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn the_root_is_the_given_one_then_each_variable_then_the_current_folder() {
    let tree = Tree::new("a/x: 1\nb/x: 1\nc/x: 1\nd/x: 1");
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| tree.path(name));
    let [a_text, b_text, c_text] = [&a, &b, &c].map(|path| path.to_str().expect("UTF-8").to_owned());
    let both = [("DEVPROJEX_ROOT", b_text.as_str()), ("CLAUDE_PROJECT_DIR", c_text.as_str())];
    assert_eq!(roots(&tree, &["mcp", "--root", &a_text], &both, &d), std::slice::from_ref(&a));
    assert_eq!(roots(&tree, &["mcp"], &both, &d), [b]);
    let blank = [("DEVPROJEX_ROOT", "  "), ("CLAUDE_PROJECT_DIR", c_text.as_str())];
    assert_eq!(roots(&tree, &["mcp"], &blank, &d), [c]);
    assert_eq!(roots(&tree, &["mcp"], &[("CLAUDE_PROJECT_DIR", "")], &d), [d]);
    let list = format!("{a_text}:{b_text}");
    let client = Client::start_with(Path::new(BINARY), &["mcp"], &tree.home(), |command| {
        command.env("DEVPROJEX_ROOT", &list)
    });
    assert_eq!(client.wait().code, Some(1), "a variable holds one root");
}

#[test]
fn equal_roots_collapse_and_the_order_of_first_appearance_is_kept() {
    let tree = Tree::new("a/x: 1\nb/x: 1\nlink -> a");
    let [a, b, link] = ["a", "b", "link"].map(|name| tree.path(name));
    let [a_text, b_text, link_text] = [&a, &b, &link].map(|path| path.to_str().expect("UTF-8"));
    let arguments = ["mcp", "--root", b_text, "--root", link_text, "--root", a_text, "--root", b_text];
    assert_eq!(roots(&tree, &arguments, &[], &tree.root()), [b, a]);
}

#[test]
fn a_link_named_devprojex_and_the_spelled_out_command_serve_alike() {
    let tree = Tree::new("a.txt: x");
    let link = tree.scratch().join("devprojex");
    std::os::unix::fs::symlink(BINARY, &link).expect("a link");
    let root = tree.root();
    let root = root.to_str().expect("UTF-8");
    let mut listed = Vec::new();
    for (binary, arguments) in [
        (Path::new(BINARY), &["mcp", "--root", root][..]),
        (Path::new(BINARY), &["mcp", "project", "--root", root]),
        (&link, &["mcp", "--root", root]),
    ] {
        let mut session = Session::open(Client::start(binary, arguments, &tree.home()), Era::Modern);
        listed.push(session.list_tools());
    }
    assert_eq!(listed[0].len(), 7);
    assert!(listed.iter().all(|tools| *tools == listed[0]));
}
