//! Drives a built server with the Rust client: `rmcp_client BINARY DIR MODE CALLS`, with a mode of `legacy`, `auto` or
//! `modern`. It knows nothing of the tools: what to call and what to expect stands in the table of calls.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program of its own"
)]

use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::sync::{Arc, Mutex};

use rmcp::model::{CallToolRequestParams, CallToolResult, ProgressNotificationParam, ProtocolVersion};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt as _, NotificationContext, RunningService, ServiceError,
};
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Map, Value};

/// A failed expectation, in words.
type Mismatch = String;

/// The client's own side: it keeps the progress it was told.
#[derive(Clone, Default)]
struct Listener {
    progress: Arc<Mutex<Vec<f64>>>,
}

impl ClientHandler for Listener {
    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        if let Ok(mut seen) = self.progress.lock() {
            seen.push(params.progress);
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [binary, directory, mode, calls] = arguments.as_slice() else {
        eprintln!("usage: rmcp_client BINARY DIR legacy|auto|modern CALLS");
        return ExitCode::from(2);
    };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    match runtime.block_on(drive(binary, Path::new(directory), mode, calls)) {
        Ok(said) => {
            println!("rmcp {mode}: {said}");
            ExitCode::SUCCESS
        }
        Err(mismatch) => {
            eprintln!("rmcp {mode}: {mismatch}");
            ExitCode::FAILURE
        }
    }
}

async fn drive(binary: &str, directory: &Path, mode: &str, calls: &str) -> Result<String, Mismatch> {
    let table: Value =
        serde_json::from_str(&text_of(Path::new(calls))?).map_err(|error| error.to_string())?;
    let mut said = Vec::new();
    for server in table["servers"].as_array().ok_or("the table has no servers")? {
        let name = server["server"].as_str().unwrap_or_default();
        let done = drive_server(binary, directory, mode, server).await;
        said.push(format!("{name}: {}", done.map_err(|mismatch| format!("{name}: {mismatch}"))?));
    }
    Ok(said.join("; "))
}

async fn drive_server(binary: &str, directory: &Path, mode: &str, table: &Value) -> Result<String, Mismatch> {
    let root =
        directory.join("project").canonicalize().map_err(|error| error.to_string())?.display().to_string();
    let planted = text_of(&directory.join("planted.txt"))?;
    let home = directory.join("home");
    let mut server = tokio::process::Command::new(binary)
        .args(table["command"].as_array().into_iter().flatten().filter_map(Value::as_str))
        .args(["--root", &root])
        .env_clear()
        .env("HOME", &home)
        .env("READROOM_HOME", &home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("cannot start {binary}: {error}"))?;
    let pipes = (server.stdout.take().expect("a pipe"), server.stdin.take().expect("a pipe"));
    let newest = vec![ProtocolVersion::LATEST];
    let lifecycle = match mode {
        "legacy" => ClientLifecycleMode::Initialize,
        "modern" => ClientLifecycleMode::Discover { preferred_versions: newest },
        _ => ClientLifecycleMode::Auto { preferred_versions: newest, legacy_version: None },
    };
    let listener = Listener::default();
    let client =
        listener.clone().serve_with_lifecycle(pipes, lifecycle).await.map_err(|error| error.to_string())?;
    let version = client.peer_info().map(|info| info.protocol_version.to_string()).unwrap_or_default();
    expect((mode == "legacy") == (version != "2026-07-28"), || format!("negotiated {version}"))?;

    let tools = client.list_all_tools().await.map_err(|error| error.to_string())?;
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    expect(Value::from(names.clone()) == table["tools"], || format!("tools: {names:?}"))?;

    let calls = table["calls"].as_array().ok_or("the table has no calls")?;
    let mut pack = String::new();
    for call in calls {
        let filled = filled(call, &root, &pack);
        check(&client, &listener, &filled, &planted, &mut pack)
            .await
            .map_err(|mismatch| format!("{} {}: {mismatch}", call["tool"], call["arguments"]))?;
    }
    client.cancel().await.map_err(|error| error.to_string())?;
    let status = server.wait().await.map_err(|error| error.to_string())?;
    expect(status.success(), || format!("the server ended with {status}"))?;
    Ok(format!("{} calls as expected ({version})", calls.len()))
}

async fn check(
    client: &RunningService<RoleClient, Listener>,
    listener: &Listener,
    call: &Value,
    planted: &str,
    pack: &mut String,
) -> Result<(), Mismatch> {
    let name = call["tool"].as_str().ok_or("a call names its tool")?.to_owned();
    let arguments: Map<String, Value> = call["arguments"].as_object().cloned().unwrap_or_default();
    let seen_before = listener.progress.lock().map(|seen| seen.len()).unwrap_or_default();
    let answer = client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments)).await;
    let result = match answer {
        Ok(result) => result,
        Err(ServiceError::McpError(error)) => {
            let expected = call["protocolError"].as_i64();
            return expect(expected == Some(error.code.0.into()), || format!("protocol error: {error}"));
        }
        Err(error) => return Err(error.to_string()),
    };
    expect(call["protocolError"].is_null(), || "a protocol error was expected".to_owned())?;
    let blocks = blocks_of(&result)?;
    let text = blocks.join("\n");
    for value in planted.split_whitespace() {
        expect(!text.contains(value), || "a planted value was shown".to_owned())?;
    }
    let start: String = text.chars().take(1500).collect();
    if let Some(code) = call["error"].as_str() {
        let is_told =
            text.starts_with(code) || text.starts_with(&format!("{{\"error\":{{\"code\":\"{code}\""));
        expect(result.is_error == Some(true) && is_told, || format!("error text: {start}"))?;
        return expect(result.structured_content.is_none(), || {
            "an error has no structured content".to_owned()
        });
    }
    expect(result.is_error != Some(true), || format!("error result: {start}"))?;
    for part in call["contains"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        expect(text.contains(part), || format!("missing {part:?} in: {start}"))?;
    }
    for part in call["absent"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        expect(!text.contains(part), || format!("unwanted {part:?}"))?;
    }
    if call["structured"] == true {
        let first: Option<Value> = blocks.first().and_then(|block| serde_json::from_str(block).ok());
        expect(first.is_some() && first == result.structured_content, || {
            "text and structure differ".to_owned()
        })?;
    } else {
        expect(result.structured_content.is_none(), || "a text tool has no structured content".to_owned())?;
    }
    if call["progress"] == true {
        let seen = listener.progress.lock().map(|seen| seen[seen_before..].to_vec()).unwrap_or_default();
        expect(seen.windows(2).all(|pair| pair[0] < pair[1]), || format!("progress: {seen:?}"))?;
    }
    if call["capturesPack"] == true {
        let id = text.strip_prefix("Pack stored as '").and_then(|rest| rest.split('\'').next());
        *pack = id.filter(|id| id.len() == 48).ok_or(format!("no pack id in: {start}"))?.to_owned();
    }
    Ok(())
}

fn blocks_of(result: &CallToolResult) -> Result<Vec<String>, Mismatch> {
    let block = |block| match serde_json::to_value(block) {
        Ok(Value::Object(object)) => object.get("text").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    };
    result.content.iter().map(|content| block(content).ok_or("a block without text".to_owned())).collect()
}

fn expect(holds: bool, what: impl FnOnce() -> String) -> Result<(), Mismatch> {
    if holds { Ok(()) } else { Err(what()) }
}

fn text_of(path: &Path) -> Result<String, Mismatch> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// `value` with `$root` and `$pack` replaced, at any depth.
fn filled(value: &Value, root: &str, pack: &str) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace("$root", root).replace("$pack", pack)),
        Value::Array(items) => items.iter().map(|item| filled(item, root, pack)).collect(),
        Value::Object(object) => object
            .iter()
            .map(|(key, item)| (key.clone(), filled(item, root, pack)))
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}
