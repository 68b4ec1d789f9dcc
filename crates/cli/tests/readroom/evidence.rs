//! The evidence server and its commands, as their users meet them.

use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Answer, Client, Era, Session, Tree};

use super::{BINARY, github_token};

const ERAS: [Era; 2] = [Era::Legacy("2025-06-18"), Era::Modern];

fn serve_in(tree: &Tree, era: Era, options: &[&str]) -> Session {
    let root = tree.root();
    let mut arguments = vec!["mcp", "evidence", "--root", root.to_str().expect("the test's folder is UTF-8")];
    arguments.extend(options);
    Session::open(Client::start(Path::new(BINARY), &arguments, &tree.home()), era)
}

fn serve(tree: &Tree) -> Session {
    serve_in(tree, Era::Legacy("2025-11-25"), &[])
}

fn value(answer: &Answer) -> Value {
    assert_eq!(answer.blocks().len(), 1, "one text block");
    assert!(answer.result().get("structuredContent").is_none());
    serde_json::from_str(answer.text()).expect("the text is JSON")
}

fn error(answer: &Answer) -> Value {
    assert!(answer.is_error(), "{}", answer.text());
    value(answer)["error"].clone()
}

fn run(tree: &Tree, arguments: &[&str]) -> Output {
    Command::new(BINARY)
        .arg("evidence")
        .args(arguments)
        .current_dir(tree.root())
        .env_clear()
        .env("HOME", tree.home())
        .output()
        .expect("the binary runs")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

/// A project with a little of everything.
fn orchard() -> Tree {
    let tree = Tree::new(
        "src/retry.ts: export const RETRY_LIMIT = 3;\\r\\nexport function retry() {}\\r\\n\n
         src/main.ts: import { retry, RETRY_LIMIT } from './retry';\\n\nlink -> src/main.ts\n
         node_modules/x.js: RETRY_LIMIT\n.contextignore: *.log\\n\nrun.log: RETRY_LIMIT\nempty.txt:",
    );
    tree.file("token.ts", &format!("const token = \"{}\"; // retry\n", github_token(11)));
    tree.bytes("logo.png", b"\x89PNG\0")
        .file("wide.txt", &format!("{}retry{}", "é".repeat(900), "x".repeat(900)));
    tree
}

#[test]
fn the_command_line_prints_the_tools_bytes() {
    let tree = orchard();
    for (options, flags) in [(&[][..], &[][..]), (&["--exact"][..], &["--exact"][..])] {
        for era in ERAS {
            let mut session = serve_in(&tree, era, options);
            for terms in
                [&["retry"][..], &["RETRY_LIMIT", "retry", "retry"], &["nowhere at all"], &[" ", "é"]]
            {
                let said = session.call("context_search", json!({"terms": terms})).text().to_owned();
                let output = run(&tree, &[&["search", "--json"], flags, &["--"], terms].concat());
                assert_eq!(stdout(&output), said);
                assert_eq!(stderr(&output), "");
                let found = !said.starts_with("{\"hits\":[]");
                assert_eq!(output.status.code(), Some(i32::from(!found)), "{terms:?}");
            }
            for (path, start, end) in
                [("src/retry.ts", 1, 500), ("src/retry.ts", 2, 2), ("token.ts", 1, 9), ("empty.txt", 5, 9)]
            {
                let said = session.call("read_range", json!({"path": path, "start": start, "end": end}));
                let (from, to) = (start.to_string(), end.to_string());
                let output = run(&tree, &[&["read", "--json", path, &from, &to], flags].concat());
                assert_eq!(stdout(&output), said.text());
                assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
            }
            let output = run(&tree, &["inventory", "--json"]);
            assert_eq!(stdout(&output), session.call("file_inventory", json!({})).text());
            assert_eq!(output.status.code(), Some(0));
            let exit = session.finish();
            assert_eq!((exit.code, exit.stderr.as_str()), (Some(0), ""));
        }
    }
}

#[test]
fn refusals_exit_1_and_have_the_tools_json() {
    let tree = orchard();
    let mut session = serve(&tree);
    for (path, start, end) in [
        ("", 1, 1),
        ("../x", 1, 1),
        ("/etc/passwd", 1, 1),
        ("nope", 1, 1),
        ("link", 1, 1),
        ("logo.png", 1, 1),
        ("run.log", 1, 1),
        ("src", 1, 1),
        ("src/main.ts", 0, 1),
        ("src/main.ts", 2, 1),
        ("src/main.ts", 1, 501),
    ] {
        let answer = session.call("read_range", json!({"path": path, "start": start, "end": end}));
        let code = error(&answer)["code"].as_str().expect("a code").to_owned();
        let (from, to) = (start.to_string(), end.to_string());
        let output = run(&tree, &["read", "--json", path, &from, &to]);
        assert_eq!(output.status.code(), Some(1), "{path}");
        assert_eq!((stdout(&output), stderr(&output)), (answer.text(), ""), "{path}");
        let output = run(&tree, &["read", path, &from, &to]);
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""), "{path}");
        assert!(stderr(&output).starts_with(&format!("readroom: {code}: ")), "{}", stderr(&output));
    }
    let output = run(&tree, &["search", "--json", "a\nb"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).starts_with("{\"error\":{\"code\":\"EVD-INVALID-ARGUMENTS\""));
    for usage in [&["search"][..], &["read"], &["read", "a", "x"], &["inventory", "--exact"], &[]] {
        assert_eq!(run(&tree, usage).status.code(), Some(2), "{usage:?}");
    }
}

#[test]
fn people_get_lines_on_stdout_and_gaps_on_stderr() {
    let tree = orchard();
    tree.file("esc.txt", "\u{1b}[2J\tretry\u{202e}");
    std::fs::hard_link(tree.path("empty.txt"), tree.path("empty-too.txt")).expect("a second name");
    let output = run(&tree, &["search", "retry", "RETRY_LIMIT"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).starts_with("src/main.ts:1:import { retry, RETRY_LIMIT } from './retry';\n"));
    assert!(stdout(&output).contains("esc.txt:1:\\u001B[2J\tretry\\u202E\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains(" […]\n") && !stdout(&output).contains("ghp_"));
    assert!(stderr(&output).contains("incomplete: files_skipped"), "{}", stderr(&output));
    assert!(stderr(&output).contains("binary 1, multiLink 2, link 1"), "{}", stderr(&output));
    assert_eq!(stdout(&run(&tree, &["read", "src/retry.ts", "2"])), "2\texport function retry() {}\n");
    assert!(stdout(&run(&tree, &["inventory"])).contains("  src/retry.ts\n"));
    assert!(!stdout(&run(&tree, &["inventory"])).contains("node_modules"));
    assert_eq!(run(&tree, &["search", "nowhere at all"]).status.code(), Some(1));
    let long: String = (0..500).map(|_| format!("{}\n", "x".repeat(100))).collect();
    tree.file("long.txt", &long);
    let output = run(&tree, &["read", "long.txt", "--root", "."]);
    assert!(stderr(&output).contains("go on at line "), "{}", stderr(&output));
}

#[test]
fn a_planted_token_is_not_found_and_masked_unless_the_server_is_exact() {
    let tree = orchard();
    let token = github_token(11);
    let mut session = serve(&tree);
    let answer = value(&session.call("context_search", json!({"terms": [token]})));
    assert_eq!((&answer["hits"], &answer["incomplete"]), (&json!([]), &json!(false)));
    let page = value(&session.call("read_range", json!({"path": "token.ts", "start": 1, "end": 1})));
    assert_eq!(page["lines"][0]["redacted"], 1);
    assert!(!page.to_string().contains("ghp_"));
    let mut exact = serve_in(&tree, Era::Modern, &["--exact"]);
    let answer = value(&exact.call("context_search", json!({"terms": [token]})));
    assert_eq!(answer["hits"][0]["path"], "token.ts");
    assert!(answer.to_string().contains(&token));
    let told = exact.request("server/discover", json!({}));
    assert!(told["result"]["instructions"].as_str().expect("text").contains("--exact"), "{told}");
    let told = session.request("server/discover", json!({}));
    assert!(!told["result"].to_string().contains("--exact"));
}

#[test]
fn a_server_does_not_start_on_what_it_cannot_trust() {
    let start = |tree: &Tree, root: &str| {
        let client = Client::start(
            Path::new(BINARY),
            &["mcp", "evidence", "--root", &format!("{}/{root}", tree.root().display())],
            &tree.home(),
        );
        client.wait()
    };
    let tree = Tree::new("a.txt: x");
    for (root, said) in [("nope", "no such directory"), ("a.txt", "not a directory")] {
        let exit = start(&tree, root);
        assert_eq!(exit.code, Some(1));
        assert!(exit.stderr.contains(said) && exit.rest.is_empty(), "{}", exit.stderr);
    }
    tree.link(".contextignore", "a.txt");
    let exit = start(&tree, "");
    assert_eq!(exit.code, Some(1));
    assert!(exit.stderr.contains(".contextignore at the root is a link"), "{}", exit.stderr);
    tree.remove(".contextignore").fifo(".gitignore");
    assert_eq!(start(&tree, "").code, Some(1));
    assert_eq!(run(&tree, &["inventory"]).status.code(), Some(1));
    // One root, and it must be named.
    let exit = Client::start(Path::new(BINARY), &["mcp", "evidence"], &tree.home()).wait();
    assert_eq!(exit.code, Some(2));
}

#[test]
fn files_that_are_none_block_nothing_and_outside_content_stays_outside() {
    let tree = Tree::new("a.txt: needle");
    std::fs::write(tree.scratch().join("secret"), "needle CANARY").expect("outside");
    std::fs::hard_link(tree.scratch().join("secret"), tree.path("hard")).expect("a second name");
    tree.link("out", tree.scratch().join("secret"))
        .link("outdir", tree.scratch())
        .link("self", "/proc/self/environ");
    tree.link("zero", "/dev/zero").fifo("pipe").sparse("sparse", 1 << 40);
    let socket = UnixListener::bind(tree.path("socket")).expect("a socket");
    let mut session = serve(&tree);
    let answer = value(&session.call("context_search", json!({"terms": ["needle", "CANARY"]})));
    assert_eq!(answer["hits"].as_array().expect("hits").len(), 1);
    assert_eq!(answer["skipped"], json!({"tooLarge": 1, "multiLink": 1, "special": 2, "link": 4}));
    for path in ["hard", "out", "outdir/secret", "self", "zero", "pipe", "socket", "../secret"] {
        let answer = session.call("read_range", json!({"path": path, "start": 1, "end": 1}));
        assert_eq!(error(&answer)["code"], "EVD-PATH-DENIED", "{path}");
        assert!(!answer.text().contains("CANARY"));
    }
    let answer = session.call("read_range", json!({"path": "sparse", "start": 1, "end": 1}));
    assert_eq!(error(&answer)["code"], "EVD-TOO-LARGE");
    drop(socket);
}

#[test]
fn a_folder_exchanged_for_a_link_never_gives_what_lies_outside() {
    let tree = Tree::new("dir/a.txt: inside needle\nother -> /nowhere");
    std::fs::create_dir(tree.scratch().join("evil")).expect("sibling");
    std::fs::write(tree.scratch().join("evil/a.txt"), "CANARY needle").expect("outside");
    tree.remove("other").link("other", tree.scratch().join("evil"));
    let (from, to) = (tree.path("dir"), tree.path("other"));
    let stop = std::sync::atomic::AtomicBool::new(false);
    let mut session = serve(&tree);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let flags = rustix::fs::RenameFlags::EXCHANGE;
                rustix::fs::renameat_with(rustix::fs::CWD, &from, rustix::fs::CWD, &to, flags)
                    .expect("exchanged");
            }
        });
        let mut inside = 0;
        for _ in 0..300 {
            let read = session.call("read_range", json!({"path": "dir/a.txt", "start": 1, "end": 1}));
            let found = session.call("context_search", json!({"terms": ["needle"]}));
            assert!(!read.text().contains("CANARY") && !found.text().contains("CANARY"));
            inside += usize::from(!read.is_error());
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(inside > 0, "some reads must have met the folder");
    });
}

#[test]
fn seventeen_calls_at_once_are_answered_each_once() {
    let tree = Tree::new("");
    for number in 0..40 {
        tree.file(&format!("f{number}"), &"hay hay hay\n".repeat(20_000));
    }
    for era in ERAS {
        let mut session = serve_in(&tree, era, &[]);
        // In one piece, so that all of them are there before the first is done.
        let ids: Vec<i64> = (100..117).collect();
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": testkit::MODERN_VERSION,
            "io.modelcontextprotocol/clientInfo": {"name": "testkit", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let lines: String = ids
            .iter()
            .map(|id| {
                let mut params = json!({"name": "context_search", "arguments": {"terms": ["needle"]}});
                if era == Era::Modern {
                    params["_meta"] = meta.clone();
                }
                format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
            })
            .collect();
        session.client().send_bytes(lines.as_bytes());
        let frames: Vec<Value> = ids.iter().map(|_| session.client().read_frame()).collect();
        let busy: Vec<&Value> = frames.iter().filter(|frame| frame["result"]["isError"] == true).collect();
        assert_eq!(busy.len(), 1, "a call takes longer than seventeen lines");
        assert_eq!(busy[0]["id"], ids[16]);
        assert!(busy[0].to_string().contains("EVD-BUSY"));
        let answered: Vec<&Value> = frames
            .iter()
            .filter(|frame| frame["result"]["isError"] != true)
            .map(|frame| &frame["id"])
            .collect();
        assert_eq!(answered, ids[..16].iter().collect::<Vec<_>>(), "in order");
    }
}

#[test]
fn a_session_ends_with_its_input_while_calls_wait() {
    let tree = Tree::new("");
    for number in 0..40 {
        tree.file(&format!("f{number}"), &"hay hay hay\n".repeat(20_000));
    }
    let mut session = serve(&tree);
    for _ in 0..5 {
        session.send("tools/call", json!({"name": "context_search", "arguments": {"terms": ["needle"]}}));
    }
    let exit = session.finish();
    assert_eq!((exit.code, exit.stderr.as_str()), (Some(0), ""));
    let mut session = serve(&tree);
    session.send("tools/call", json!({"name": "context_search", "arguments": {"terms": ["needle"]}}));
    session.client().signal(15);
    assert!(
        session.client().try_read_line(Duration::from_secs(60)).is_none_or(|line| line.contains("result"))
    );
    assert_eq!(session.finish().code, Some(0));
}
