//! Remote projects against a forge on this machine: git's own HTTP backend behind a small loopback server, and `file://`
//! inside a root.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::json;
use testkit::{Client, Era, Session, Tree};

use super::{BINARY, payload, shown, trailers};

/// A loopback server that hands repositories below a folder to git's HTTP backend.
struct Forge {
    port: u16,
    asked: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl Forge {
    fn start(folder: PathBuf) -> Forge {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let (asked, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (count, ended) = (Arc::clone(&asked), Arc::clone(&stop));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if ended.load(Ordering::SeqCst) {
                    break;
                }
                count.fetch_add(1, Ordering::SeqCst);
                let folder = folder.clone();
                std::thread::spawn(move || answer(stream, &folder));
            }
        });
        Forge { port, asked, stop }
    }

    fn url(&self, name: &str) -> String {
        format!("http://127.0.0.1:{}/{name}", self.port)
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Drop for Forge {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn answer(stream: TcpStream, folder: &Path) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut line = String::new();
    if reader.read_line(&mut line).unwrap_or(0) == 0 {
        return;
    }
    let mut words = line.split(' ');
    let (method, target) =
        (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned());
    let mut headers = std::collections::HashMap::new();
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header).unwrap_or(0) == 0 || header.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':') {
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
    }
    let mut body = Vec::new();
    if let Some(length) = headers.get("content-length").and_then(|text| text.parse::<u64>().ok()) {
        let _ = reader.take(length).read_to_end(&mut body);
    }
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let header = |name: &str| headers.get(name).cloned().unwrap_or_default();
    let mut child = Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", folder)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("REQUEST_METHOD", &method)
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("CONTENT_TYPE", header("content-type"))
        .env("CONTENT_LENGTH", body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
        .env("GIT_PROTOCOL", header("git-protocol"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("git is installed");
    let mut input = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || {
        let _ = input.write_all(&body);
    });
    let mut out = Vec::new();
    let _ = child.stdout.take().expect("piped").read_to_end(&mut out);
    let _ = writer.join();
    let _ = child.wait();
    let end = out.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(0);
    let head = String::from_utf8_lossy(&out[..end]).into_owned();
    let status = head.lines().find_map(|line| line.strip_prefix("Status: ")).unwrap_or("200 OK").to_owned();
    let mut stream = stream;
    let _ = write!(stream, "HTTP/1.1 {status}\r\nConnection: close\r\n");
    for line in head.lines().filter(|line| !line.starts_with("Status:")) {
        let _ = write!(stream, "{line}\r\n");
    }
    let _ = stream.write_all(b"\r\n");
    let _ = stream.write_all(out.get(end + 4..).unwrap_or_default());
}

/// A project beside which a forge serves `forge/demo` with two branches and everything that is awkward.
fn world() -> (Tree, Forge) {
    let tree = Tree::new("local.txt: here");
    let forge = tree.scratch().join("forge");
    std::fs::create_dir(&forge).expect("new");
    tree.add(
        "demo/src/lib.rs: pub fn needle() {}\\n\ndemo/README.md: # demo\ndemo/big.lfs: version https://git-lfs.github.com/spec/v1\n\
         demo/.gitattributes: *.lfs filter=lfs diff=lfs\ndemo/.gitmodules: [submodule \"x\"]\\n\\tpath = x\\r\\n\\turl = ../x\n\
         demo/hooks/post-checkout: #!/bin/sh\ndemo/out -> /etc/hostname",
    );
    tree.git_in("demo", &["init", "--quiet", "--initial-branch=main"]);
    tree.git_in("demo", &["add", "-A"]);
    tree.git_in("demo", &["commit", "--quiet", "-m", "one"]);
    tree.git_in("demo", &["checkout", "--quiet", "-b", "side"]);
    tree.file("demo/side.txt", "only on the side");
    tree.git_in("demo", &["add", "-A"]);
    tree.git_in("demo", &["commit", "--quiet", "-m", "two"]);
    tree.git_in("demo", &["checkout", "--quiet", "main"]);
    tree.rename("demo", "../forge/demo");
    (tree, Forge::start(forge))
}

fn serve(tree: &Tree, options: &[&str]) -> Session {
    let root = tree.root();
    let mut arguments = vec!["mcp", "--root", root.to_str().expect("UTF-8")];
    arguments.extend(options);
    Session::open(Client::start(Path::new(BINARY), &arguments, &tree.home()), Era::Legacy("2025-11-25"))
}

const REMOTE: &[&str] = &["--allow-remote", "--allow-private-hosts"];

fn run(tree: &Tree, arguments: &[&str]) -> Output {
    Command::new(BINARY)
        .args(arguments)
        .current_dir(tree.root())
        .env("HOME", tree.home())
        .env("READROOM_HOME", tree.home())
        .output()
        .expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn a_remote_project_is_fetched_once_and_its_cache_is_never_shown() {
    let (tree, forge) = world();
    let url = forge.url("demo");
    let mut session = serve(&tree, REMOTE);
    let cache = tree.home().join("cache").display().to_string();
    let mut everything = String::new();
    let first =
        session.call_with_progress("pack_context", json!({ "project": url, "format": "json" }), json!("p"));
    assert!(!first.is_error(), "{}", first.text());
    let told = session.take_notifications();
    assert!(
        told[0]["params"]["message"].as_str().is_some_and(|text| text.starts_with("fetching")),
        "{told:?}"
    );
    let pack: serde_json::Value = serde_json::from_str(&payload(&first)).expect("JSON");
    assert_eq!(pack["project"]["root"], json!(url));
    assert_eq!(pack["project"]["name"], json!("demo"));
    assert_eq!(pack["project"]["source"]["type"], json!("git"));
    assert_eq!(pack["project"]["source"]["repositoryUrl"], json!(url));
    assert!(pack["project"]["source"]["commit"].as_str().is_some_and(|id| id.len() == 40));
    let asked = forge.asked();
    for (tool, arguments) in [
        ("get_tree", json!({ "project": url })),
        ("get_tree", json!({ "project": url, "format": "json" })),
        ("get_tree", json!({ "project": url, "tracked_only": true, "git_scope": "changes" })),
        ("analyze", json!({ "project": url })),
        ("pack_context", json!({ "project": url, "view": "content" })),
        ("pack_context", json!({ "project": url, "view": "content", "format": "xml" })),
        ("search_project", json!({ "project": url, "pattern": "needle" })),
        ("get_file", json!({ "project": url, "path": "src/lib.rs" })),
        ("get_file", json!({ "project": url, "path": "out" })),
        ("get_file", json!({ "project": url, "path": "../x" })),
        ("get_file", json!({ "project": url, "path": "absent" })),
        ("get_file", json!({ "project": url, "path": "src" })),
        ("analyze", json!({ "project": url, "profile": "local" })),
        ("list_projects", json!({})),
    ] {
        everything.push_str(&session.call(tool, arguments).all_text());
        everything.push('\n');
    }
    assert_eq!(forge.asked(), asked, "nothing is fetched twice");
    let absent = json!({ "project": url, "git_scope": "diff:absent..HEAD" });
    everything.push_str(&session.call("analyze", absent).all_text());
    everything.push_str(&payload(&first));
    assert!(!everything.contains(&cache) && !everything.contains("/repos/"), "{everything}");
    assert!(everything.contains("src/lib.rs:1:pub fn needle"));
    // A link of the repository is the text of its target, nothing of the machine.
    assert_eq!(payload(&session.call("get_file", json!({ "project": url, "path": "out" }))), "/etc/hostname");
    assert!(
        payload(&session.call("get_file", json!({ "project": url, "path": "big.lfs" }))).contains("git-lfs")
    );
    let side = shown(&mut session, json!({ "project": url, "branch": "side" }));
    assert!(side.contains("side.txt"), "{side}");
    assert!(!shown(&mut session, json!({ "project": url })).contains("side.txt"));
    session.finish();
    // Offline the cache is enough, also when the source is gone.
    drop(forge);
    std::fs::remove_dir_all(tree.scratch().join("forge")).expect("removable");
    let mut session = serve(&tree, REMOTE);
    assert!(shown(&mut session, json!({ "project": url })).contains("lib.rs"));
    let lease = run(&tree, &["cache", "clean"]);
    assert!(text(&lease.stdout).contains("1 in use and kept"), "{}", text(&lease.stdout));
    session.finish();
    let listed = text(&run(&tree, &["cache", "list"]).stdout);
    assert!(
        listed.contains(&url) && listed.contains("(default branch)") && !listed.contains(&cache),
        "{listed}"
    );
    let cleaned = text(&run(&tree, &["cache", "clean"]).stdout);
    assert!(cleaned.starts_with("1 checkout(s) removed"), "{cleaned}");
    assert_eq!(text(&run(&tree, &["cache", "list"]).stdout), "");
}

#[test]
fn the_commands_take_a_url_and_a_branch() {
    let (tree, forge) = world();
    let url = forge.url("demo.git/");
    let output = run(&tree, &["tree", &url, "--allow-remote", "--allow-private-hosts", "--branch", "side"]);
    assert_eq!(output.status.code(), Some(1), "demo.git is not served");
    let url = forge.url("demo/");
    let output = run(&tree, &["tree", &url, "--allow-remote", "--allow-private-hosts", "--branch", "side"]);
    let out = text(&output.stdout);
    assert!(
        out.starts_with(&format!("{}:\n", url.trim_end_matches('/'))) && out.contains("side.txt"),
        "{out}"
    );
    assert_eq!(run(&tree, &["tree", &url]).status.code(), Some(3), "off by default");
}

#[test]
fn addresses_are_refused_before_anything_starts() {
    let (tree, forge) = world();
    let mut off = serve(&tree, &[]);
    for url in
        [forge.url("demo"), "ext::sh -c x".into(), "file:///etc".into(), "git@-oProxyCommand=x:y".into()]
    {
        assert_eq!(
            off.call("get_tree", json!({ "project": url })).code(),
            "DPX-MCP-REMOTE-DISABLED",
            "{url}"
        );
    }
    let mut session = serve(&tree, REMOTE);
    for url in [
        "ssh://-oProxyCommand=x/y",
        "git@-oProxyCommand=x:y",
        "ext::sh -c x",
        "https://me:hunter2secret@host.invalid/a",
        "https://host.invalid/a?x",
        "https://host.invalid/a#x",
        "https://[::ffff:169.254.169.254]/a",
        "ftp://host.invalid/a",
        "file:///etc",
        "file:///etc/../etc",
    ] {
        let answer = session.call("get_tree", json!({ "project": url }));
        assert_eq!(answer.code(), "DPX-MCP-INVALID-ARGUMENTS", "{url}: {}", answer.text());
        assert!(!answer.text().contains("hunter2secret"));
    }
    let url = forge.url("demo");
    for branch in ["--upload-pack=x", "a..b", "a b", "x.lock"] {
        let answer = session.call("get_tree", json!({ "project": url, "branch": branch }));
        assert_eq!(answer.code(), "DPX-MCP-INVALID-ARGUMENTS", "{branch}");
    }
    let answer = session.call("get_tree", json!({ "branch": "main" }));
    assert_eq!(answer.code(), "DPX-MCP-INVALID-ARGUMENTS", "a branch needs a URL");
    let answer = session.call("get_tree", json!({ "project": url, "git_scope": "Staged" }));
    assert_eq!(answer.code(), "DPX-MCP-INVALID-ARGUMENTS");
    assert_eq!(forge.asked(), 0, "no refused call reaches the network");
    let mut public = serve(&tree, &["--allow-remote"]);
    for url in [url.as_str(), "https://169.254.169.254/latest", "https://localhost/a"] {
        assert_eq!(
            public.call("get_tree", json!({ "project": url })).code(),
            "DPX-MCP-INVALID-ARGUMENTS",
            "{url}"
        );
    }
    assert_eq!(forge.asked(), 0);
}

#[test]
fn a_diff_of_a_remote_project_fetches_what_it_names() {
    let (tree, forge) = world();
    let mut session = serve(&tree, REMOTE);
    let url = forge.url("demo");
    assert!(!session.call("get_tree", json!({ "project": url })).is_error());
    let asked = forge.asked();
    let answer = session.call("get_tree", json!({ "project": url, "git_scope": "diff:side..main" }));
    assert!(!answer.is_error(), "{}", answer.text());
    assert!(
        trailers(&answer)[0].starts_with("[Warning DPX-GIT-STATE-DELETED] 1 path(s)"),
        "{}",
        answer.text()
    );
    assert!(forge.asked() > asked);
    let deep = json!({ "project": url, "branch": "side", "git_scope": "diff:HEAD~1..HEAD" });
    assert!(shown(&mut session, deep).contains("side.txt"));
}

#[test]
fn a_source_inside_a_root_is_cloned_and_one_outside_is_not() {
    let tree = Tree::new("a b/x.txt: inside");
    tree.git_in("a b", &["init", "--quiet", "--initial-branch=main"]);
    tree.git_in("a b", &["add", "-A"]);
    tree.git_in("a b", &["commit", "--quiet", "-m", "x"]);
    let mut session = serve(&tree, &["--allow-remote"]);
    let url = format!("file://{}/a%20b", tree.root().display());
    assert!(shown(&mut session, json!({ "project": url })).contains("x.txt"));
    std::fs::create_dir(tree.scratch().join("outside")).expect("new");
    tree.link("way", tree.scratch().join("outside"));
    for outside in [tree.scratch().join("outside"), tree.path("way"), PathBuf::from("/etc")] {
        let url = format!("file://{}", outside.display());
        assert_eq!(
            session.call("get_tree", json!({ "project": url })).code(),
            "DPX-MCP-INVALID-ARGUMENTS",
            "{url}"
        );
    }
    tree.remove("a b");
    let kept = session.call("get_file", json!({ "project": url, "path": "x.txt" }));
    assert_eq!(payload(&kept), "inside", "what is pinned outlives its source");
}

#[test]
fn a_failure_leaves_nothing_and_frees_its_slot() {
    let (tree, forge) = world();
    let mut session = serve(&tree, REMOTE);
    for at in 0..20 {
        let answer = session.call("get_tree", json!({ "project": forge.url(&format!("absent{at}")) }));
        assert_eq!(answer.code(), "DPX-MCP-REMOTE-FAILED", "{}", answer.text());
        assert!(
            !answer.text().contains("fatal") && !answer.text().contains(&tree.home().display().to_string())
        );
    }
    let answer = session.call("get_tree", json!({ "project": forge.url("demo"), "branch": "absent" }));
    assert_eq!(answer.code(), "DPX-MCP-REMOTE-FAILED");
    assert_eq!(unfinished(&tree), 0);
}

/// Checkouts that were begun and are still there.
fn unfinished(tree: &Tree) -> usize {
    let staging = std::fs::read_dir(tree.home().join("cache/repos/.staging")).expect("made").flatten();
    staging.filter(|entry| entry.file_name().to_string_lossy().starts_with("tmp-")).count()
}

#[test]
fn the_seventeenth_source_is_refused_and_the_others_stay() {
    let (tree, forge) = world();
    let branches: Vec<String> = (0..17).map(|at| format!("b{at}")).collect();
    for branch in &branches {
        let done = Command::new("git")
            .args(["branch", branch])
            .current_dir(tree.scratch().join("forge/demo"))
            .status()
            .expect("git is installed");
        assert!(done.success());
    }
    let mut session = serve(&tree, REMOTE);
    let url = forge.url("demo");
    for branch in &branches[..16] {
        let answer = session.call("get_tree", json!({ "project": url, "branch": branch }));
        assert!(!answer.is_error(), "{}", answer.text());
    }
    let answer = session.call("get_tree", json!({ "project": url, "branch": branches[16] }));
    assert_eq!(answer.code(), "DPX-MCP-REMOTE-LIMIT");
    // Another spelling of a known source is the same source.
    let other = url.replace("http://", "HTTP://") + ".git/";
    assert!(!session.call("get_tree", json!({ "project": other, "branch": branches[3] })).is_error());
}

#[test]
fn a_cache_that_others_can_enter_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let (tree, forge) = world();
    let cache = tree.home().join("cache");
    std::fs::create_dir_all(cache.join("repos")).expect("made");
    std::fs::set_permissions(&cache, std::fs::Permissions::from_mode(0o777)).expect("set");
    let mut session = serve(&tree, REMOTE);
    let answer = session.call("get_tree", json!({ "project": forge.url("demo") }));
    assert_eq!(answer.code(), "DPX-MCP-REMOTE-FAILED");
    assert!(answer.text().contains("0700") && !answer.text().contains(&cache.display().to_string()));
    assert_eq!(forge.asked(), 0);
}

/// A server that answers every request with references that never end.
fn endless() -> (u16, Arc<AtomicBool>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    let begun = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&begun);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = [0; 1024];
            let _ = stream.read(&mut head);
            let kind = "application/x-git-upload-pack-advertisement";
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n001e# service=git-upload-pack\n0000"
            );
            let mut at = 0_u64;
            loop {
                let line = format!("{:040x} refs/heads/{at:06}\n", at + 1);
                if write!(stream, "{:04x}{line}", line.len() + 4).is_err() {
                    break;
                }
                told.store(at > 100, Ordering::SeqCst);
                at += 1;
            }
        }
    });
    (port, begun)
}

/// How many processes have `text` in their command line.
fn processes_with(text: &str) -> usize {
    let all = std::fs::read_dir("/proc").expect("there").flatten();
    let lines = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(text)).count()
}

#[test]
fn a_source_that_never_ends_is_given_up_with_all_that_was_started_for_it() {
    let tree = Tree::new("local.txt: here");
    let (port, begun) = endless();
    let mut session = serve(&tree, REMOTE);
    let address = format!("127.0.0.1:{port}/x");
    let arguments = json!({ "name": "get_tree", "arguments": { "project": format!("http://{address}") } });
    let id = session.send("tools/call", arguments);
    while !begun.load(Ordering::SeqCst) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(processes_with(&address) > 0, "git fetches");
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    session.client().send(&cancel);
    assert!(shown(&mut session, json!({})).contains("local.txt"));
    assert_eq!(processes_with(&address), 0);
    assert_eq!(unfinished(&tree), 0);
}

#[test]
fn two_servers_that_fetch_one_source_at_once_share_it() {
    let (tree, forge) = world();
    let mut sessions = [serve(&tree, REMOTE), serve(&tree, REMOTE)];
    let arguments = json!({ "name": "get_tree", "arguments": { "project": forge.url("demo") } });
    let sent = sessions.each_mut().map(|session| session.send("tools/call", arguments.clone()));
    for (session, id) in sessions.iter_mut().zip(sent) {
        let answer = session.receive(id);
        assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
        assert!(answer.to_string().contains("README.md"));
    }
    let cached = text(&run(&tree, &["cache", "list"]).stdout);
    assert_eq!(cached.matches("/demo").count(), 1, "{cached}");
}
