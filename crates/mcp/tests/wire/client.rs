//! A client that speaks lines and sees everything that comes back.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp::catalog::Surface;
use mcp::engine::{Diagnostics, Settings, serve};
use mcp::project::{ProjectOptions, ProjectSurface};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::fake::Fake;

/// Long enough that only a hang reaches it.
const HANG: Duration = Duration::from_secs(20);

/// Counts panics instead of printing them.
#[derive(Default)]
pub(crate) struct Counter(AtomicUsize);

impl Diagnostics for Counter {
    fn call_panicked(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Both ends of a served connection.
pub(crate) struct Client {
    to: Option<DuplexStream>,
    from: BufReader<DuplexStream>,
    server: JoinHandle<std::io::Result<()>>,
    panics: Arc<Counter>,
    stop: Arc<Notify>,
}

/// The two ways to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    Handshake,
    PerRequest,
}

pub(crate) const BOTH: [Era; 2] = [Era::Handshake, Era::PerRequest];

pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
    })
}

/// A request in the given era.
pub(crate) fn request(era: Era, id: impl Into<Value>, method: &str, params: Value) -> Value {
    let mut params = params;
    if era == Era::PerRequest {
        let mut all = meta();
        if let Some(given) = params.get("_meta").and_then(Value::as_object) {
            for (key, value) in given {
                all[key] = value.clone();
            }
        }
        params["_meta"] = all;
    }
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// A tool call in the given era.
pub(crate) fn call(era: Era, id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    request(era, id, "tools/call", json!({"name": tool, "arguments": arguments}))
}

impl Client {
    /// The project server on a scripted service, not yet greeted.
    pub(crate) fn raw(fake: Fake) -> Client {
        Client::on(ProjectSurface::new(fake, ProjectOptions::default()))
    }

    /// Any surface, not yet greeted.
    pub(crate) fn on(surface: impl Surface) -> Client {
        Client::with_output(surface, 1 << 20)
    }

    /// Any surface, with an output pipe of this many bytes.
    pub(crate) fn with_output(surface: impl Surface, output_bytes: usize) -> Client {
        let (to, input) = tokio::io::duplex(1 << 16);
        let (from, output) = tokio::io::duplex(output_bytes);
        let panics = Arc::new(Counter::default());
        let stop = Arc::new(Notify::new());
        let stopped = Arc::clone(&stop);
        let settings = Settings {
            stop: async move {
                stopped.notified().await;
            },
            diagnostics: Arc::clone(&panics) as Arc<dyn Diagnostics>,
        };
        let server = tokio::spawn(serve(Arc::new(surface), settings, input, output));
        Client { to: Some(to), from: BufReader::new(from), server, panics, stop }
    }

    /// The project server in the given era: greeted when the era has a greeting.
    pub(crate) async fn start(fake: Fake, era: Era) -> Client {
        let mut client = Client::raw(fake);
        client.greet(era).await;
        client
    }

    pub(crate) async fn greet(&mut self, era: Era) {
        if era == Era::Handshake {
            self.send(&initialize("2025-06-18")).await;
            assert_eq!(self.recv().await["result"]["protocolVersion"], "2025-06-18");
            self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        }
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_line(message.to_string().as_bytes()).await;
    }

    pub(crate) async fn send_line(&mut self, line: &[u8]) {
        self.send_bytes(line).await;
        self.send_bytes(b"\n").await;
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        let to = self.to.as_mut().expect("still open");
        tokio::time::timeout(HANG, to.write_all(bytes)).await.expect("no hang").expect("taken");
    }

    /// The next line; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = self.from.read_line(&mut line);
        tokio::time::timeout(HANG, read).await.expect("an answer was awaited in vain").expect("UTF-8");
        if line.is_empty() {
            return None;
        }
        assert!(line.ends_with('\n'), "a frame is a whole line");
        let message: Value = serde_json::from_str(&line).expect("a frame is JSON");
        assert_eq!(message["jsonrpc"], "2.0");
        Some(message)
    }

    pub(crate) async fn recv(&mut self) -> Value {
        self.next().await.expect("the connection ended instead of answering")
    }

    /// Sends a message and takes its answer, which must be the next line.
    pub(crate) async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        let answer = self.recv().await;
        assert_eq!(answer["id"], message["id"], "{answer}");
        answer
    }

    /// Sends a line that must be refused; gives the error code and the id.
    pub(crate) async fn refused(&mut self, line: &[u8]) -> (i64, Option<Value>, String) {
        self.send_line(line).await;
        let answer = self.recv().await;
        let error = &answer["error"];
        let message = error["message"].as_str().expect("a message").to_owned();
        (error["code"].as_i64().unwrap_or_else(|| panic!("{answer}")), answer.get("id").cloned(), message)
    }

    /// Whatever was sent before is not answered, and the server is alive.
    pub(crate) async fn is_silent(&mut self) {
        let answer = self.ask(&json!({"jsonrpc": "2.0", "id": "still there", "method": "ping"})).await;
        assert_eq!(answer["result"], json!({}), "{answer}");
    }

    /// Closes the sending side.
    pub(crate) fn close(&mut self) {
        self.to = None;
    }

    /// As a signal does.
    pub(crate) fn stop(&self) {
        self.stop.notify_one();
    }

    /// Reads to the end and waits for a normal end of the server.
    pub(crate) async fn rest(mut self) -> Vec<Value> {
        let mut out = Vec::new();
        while let Some(message) = self.next().await {
            out.push(message);
        }
        self.ended().await;
        out
    }

    /// Waits for a normal end of the server without reading.
    pub(crate) async fn ended(self) {
        tokio::time::timeout(HANG, self.server)
            .await
            .expect("the server hangs")
            .expect("no panic")
            .expect("a normal end");
    }

    /// Drops the receiving side.
    pub(crate) fn stop_reading(&mut self) {
        let (nobody, _) = tokio::io::duplex(1);
        self.from = BufReader::new(nobody);
    }

    pub(crate) fn panics(&self) -> usize {
        self.panics.0.load(Ordering::Relaxed)
    }
}

pub(crate) fn initialize(version: &str) -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": "hello",
        "method": "initialize",
        "params": {
            "protocolVersion": version,
            "capabilities": {"roots": {"listChanged": true}},
            "clientInfo": {"name": "tester", "version": "1"},
        },
    })
}

/// Something that never happens.
#[allow(dead_code, reason = "kept for tests of a server that nobody stops")]
pub(crate) async fn never() {
    pending::<()>().await;
}
