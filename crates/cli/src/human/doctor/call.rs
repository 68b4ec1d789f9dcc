//! One real call of each server: this program is started as a client would start it, on a made-up project with a made-up
//! secret, and what it answers is looked at. It knows the protocol as far as one call goes.

#![expect(clippy::disallowed_methods, reason = "it starts this very program and nothing else")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use disk::{Quota, RelPath, Store, UserDirs};
use serde_json::{Value, json};

use super::Finding;
use super::folders::folder_remedy;

/// How long a server may take to answer, and to end.
const PATIENCE: Duration = Duration::from_secs(20);
/// The bytes that the made-up project may have.
const QUOTA: Quota = Quota { item_bytes: 64 * 1024, session_bytes: 64 * 1024 };
const WORD: &str = "needle-in-the-file";

/// What one server is asked.
struct Server {
    what: &'static str,
    arguments: &'static [&'static str],
    tool: &'static str,
    call: fn() -> Value,
}

const SERVERS: &[Server] = &[
    Server {
        what: "mcp project",
        arguments: &["mcp", "project", "--root"],
        tool: "pack_context",
        call: || json!({ "view": "content" }),
    },
    Server {
        what: "mcp evidence",
        arguments: &["mcp", "evidence", "--root"],
        tool: "context_search",
        call: || json!({ "terms": [WORD] }),
    },
];

pub(super) fn servers(dirs: &UserDirs) -> Vec<Finding> {
    let problem = |what, found: String| Finding::problem(what, found, folder_remedy(&dirs.runtime));
    let store = match Store::open(dirs, QUOTA) {
        Ok(store) => store,
        Err(fault) => return SERVERS.iter().map(|server| problem(server.what, fault.to_string())).collect(),
    };
    let made = store.work_folder().and_then(|folder| {
        // No two runs have the same secret, so none can be known.
        let secret: String = (0..4).map(|_| format!("{:08x}", random())).collect();
        if let Ok(path) = RelPath::parse("settings.py") {
            let text = format!("db_password = \"{secret}\"  # {WORD}\n");
            folder.write(&path, text.as_bytes(), None)?;
        }
        Ok((folder, secret))
    });
    match made {
        Err(fault) => SERVERS.iter().map(|server| problem(server.what, fault.to_string())).collect(),
        Ok((folder, secret)) => SERVERS
            .iter()
            .map(|server| {
                let mut arguments: Vec<&str> = server.arguments.to_vec();
                let place = folder.path().to_string_lossy().into_owned();
                arguments.push(&place);
                match ask(&arguments, server.tool, &(server.call)(), &secret) {
                    Ok(found) => Finding::fine(server.what, found),
                    Err(found) => Finding::problem(
                        server.what,
                        found,
                        format!("start `readroom {}` on a project of yours by hand and read what it says on standard error", server.arguments[..2].join(" ")),
                    ),
                }
            })
            .collect(),
    }
}

fn random() -> u32 {
    use std::hash::{BuildHasher as _, Hasher as _};
    // Each state of the standard library's hasher is seeded by the system.
    std::collections::hash_map::RandomState::new().build_hasher().finish() as u32
}

/// A started server; dropped, it is gone.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts, greets, lists, calls and ends a server.
fn ask(arguments: &[&str], tool: &str, call: &Value, secret: &str) -> Result<String, String> {
    let program =
        std::env::current_exe().map_err(|error| format!("this program is not found ({})", error.kind()))?;
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map(Running)
        .map_err(|error| format!("it does not start ({})", error.kind()))?;
    let (Some(mut input), Some(output), Some(mut errors)) =
        (child.0.stdin.take(), child.0.stdout.take(), child.0.stderr.take())
    else {
        return Err("it has no pipes".to_owned());
    };
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let said = std::thread::spawn(move || {
        let mut said = String::new();
        let _ = errors.by_ref().take(4096).read_to_string(&mut said);
        said
    });
    let client = json!({ "name": "readroom-doctor", "version": env!("CARGO_PKG_VERSION") });
    let requests = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize",
                "params": { "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": tool, "arguments": call } }),
    ];
    let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let sent = input.write_all(text.as_bytes());
    let mut greeted = None;
    let mut tools = 0;
    let answer = loop {
        let left = PATIENCE.saturating_sub(started.elapsed());
        let Ok(line) = lines.recv_timeout(left) else { break None };
        let message: Value =
            serde_json::from_str(&line).map_err(|_| "it prints what is no message".to_owned())?;
        match message["id"].as_u64() {
            Some(1) => greeted = Some(started.elapsed()),
            Some(2) => tools = message["result"]["tools"].as_array().map_or(0, Vec::len),
            Some(3) => break Some(message),
            _ => {}
        }
    };
    drop(input);
    let Some(answer) = answer.filter(|_| sent.is_ok()) else {
        let _ = child.0.kill();
        let said = said.join().unwrap_or_default();
        return Err(format!("no answer; it said: {}", said.lines().next().unwrap_or("nothing")));
    };
    let text = answer.to_string();
    if answer["result"]["isError"] != json!(false) || !text.contains(WORD) {
        return Err(format!("{tool} does not answer as it should"));
    }
    if text.contains(secret) || !text.contains("REDACTED[") {
        return Err(format!("{tool} shows a password that it should mask"));
    }
    let asked = Instant::now();
    while asked.elapsed() < PATIENCE {
        match child.0.try_wait() {
            Ok(Some(status)) if status.success() => {
                let millis = greeted.unwrap_or_default().as_millis();
                return Ok(format!(
                    "greeted after {millis} ms, {tools} tools, {tool} answered with the secret masked, ended cleanly"
                ));
            }
            Ok(Some(_)) => return Err("it ends with a failure".to_owned()),
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(_) => break,
        }
    }
    Err("it does not end when its client goes away".to_owned())
}
