//! Requests and answers in both eras of the protocol. It knows the envelope, no tool.

use serde_json::{Map, Value, json};

use super::process::{Client, Exit};

/// The revision that has no handshake and carries its version on each request.
pub const MODERN_VERSION: &str = "2026-07-28";

/// The revisions that begin with `initialize`, oldest first.
pub const LEGACY_VERSIONS: &[&str] = &["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// How a session speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// `initialize` with this version, then plain requests.
    Legacy(&'static str),
    /// No handshake; `_meta` on each request.
    Modern,
}

/// A client that keeps ids, and collects the notifications between a request and its answer.
#[derive(Debug)]
pub struct Session {
    client: Client,
    era: Era,
    next_id: i64,
    notifications: Vec<Value>,
}

/// A tool's result, or the protocol error in its place.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The whole frame.
    pub frame: Value,
}

impl Session {
    /// Opens a session: in a legacy era the handshake is done, in the modern one nothing is sent.
    pub fn open(client: Client, era: Era) -> Session {
        let mut session = Session { client, era, next_id: 0, notifications: Vec::new() };
        if let Era::Legacy(version) = era {
            let answer = session.request(
                "initialize",
                json!({
                    "protocolVersion": version,
                    "capabilities": {},
                    "clientInfo": {"name": "testkit", "version": "1"},
                }),
            );
            assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
            session.client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        session
    }

    /// The raw client, for lines that no session would send.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// Every notification that came before an answer so far; the list is emptied.
    pub fn take_notifications(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.notifications)
    }

    /// Sends a request and returns its id without waiting. `params` must be an object; in the modern era its `_meta`
    /// gets the three keys of that era, unless they are there already.
    pub fn send(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let params = self.with_meta(params);
        self.client.send(&json!({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}));
        self.next_id
    }

    /// Waits for the frame that answers `id`, collecting notifications. Panics on any other answer.
    pub fn receive(&mut self, id: i64) -> Value {
        loop {
            let frame = self.client.read_frame();
            if frame.get("id").is_none() && frame.get("method").is_some() {
                self.notifications.push(frame);
                continue;
            }
            assert_eq!(frame["id"], id, "an answer to another request: {frame}");
            return frame;
        }
    }

    /// Sends a request and waits for its whole answer frame.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.receive(id)
    }

    /// The tools that the server offers.
    pub fn list_tools(&mut self) -> Vec<Value> {
        let answer = self.request("tools/list", json!({}));
        answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("no tools: {answer}")).clone()
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        Answer { frame: self.request("tools/call", json!({"name": tool, "arguments": arguments})) }
    }

    /// Calls a tool with a progress token; the notifications are in [`Session::take_notifications`] afterwards.
    pub fn call_with_progress(&mut self, tool: &str, arguments: Value, token: Value) -> Answer {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": token}});
        Answer { frame: self.request("tools/call", params) }
    }

    /// Closes the server's stdin and waits for its end.
    pub fn finish(self) -> Exit {
        self.client.finish()
    }

    fn with_meta(&self, mut params: Value) -> Value {
        if self.era == Era::Modern
            && let Some(object) = params.as_object_mut()
        {
            let meta = object.entry("_meta").or_insert_with(|| Value::Object(Map::new()));
            for (key, value) in [
                ("io.modelcontextprotocol/protocolVersion", json!(MODERN_VERSION)),
                ("io.modelcontextprotocol/clientInfo", json!({"name": "testkit", "version": "1"})),
                ("io.modelcontextprotocol/clientCapabilities", json!({})),
            ] {
                if let Some(meta) = meta.as_object_mut() {
                    meta.entry(key).or_insert(value);
                }
            }
        }
        params
    }
}

impl Answer {
    /// The result. Panics when the answer is a protocol error.
    pub fn result(&self) -> &Value {
        self.frame.get("result").unwrap_or_else(|| panic!("not a result: {}", self.frame))
    }

    /// The text blocks, in order.
    pub fn blocks(&self) -> Vec<&str> {
        let content = self.result()["content"].as_array().expect("a tool result has content");
        content.iter().map(|block| block["text"].as_str().expect("every block is a text block")).collect()
    }

    /// The first text block.
    pub fn text(&self) -> &str {
        self.blocks().first().copied().expect("a tool result has a first block")
    }

    /// All text blocks joined with line ends.
    pub fn all_text(&self) -> String {
        self.blocks().join("\n")
    }

    /// Whether the tool reported a failure.
    pub fn is_error(&self) -> bool {
        self.result()["isError"] == true
    }

    /// The code that an error result starts with. Panics when the result is none.
    pub fn code(&self) -> &str {
        assert!(self.is_error(), "not an error result: {}", self.frame);
        self.text().split(':').next().unwrap_or_default()
    }

    /// The structured content. Panics when there is none.
    pub fn structured(&self) -> &Value {
        self.result()
            .get("structuredContent")
            .unwrap_or_else(|| panic!("no structured content: {}", self.frame))
    }

    /// The number of a protocol error. Panics when the answer is a result.
    pub fn protocol_error(&self) -> i64 {
        self.frame["error"]["code"].as_i64().unwrap_or_else(|| panic!("not a protocol error: {}", self.frame))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tree;
    use std::path::Path;

    /// A server of one line of shell: it answers the n-th line it reads with the n-th of `answers`.
    fn scripted(tree: &Tree, answers: &[&str]) -> Client {
        let script: String =
            answers.iter().map(|answer| format!("read -r l; printf '%s\\n' '{answer}'; ")).collect();
        Client::start(Path::new("/bin/sh"), &["-c", &script], &tree.home())
    }

    #[test]
    fn a_modern_request_carries_its_meta_and_keeps_a_callers_own() {
        let tree = Tree::new("");
        let script = "read -r line; printf '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}\\n' \"$line\"";
        let client = Client::start(Path::new("/bin/sh"), &["-c", script], &tree.home());
        let mut session = Session::open(client, Era::Modern);
        let sent = session.call_with_progress("t", json!({"a": 1}), json!("p")).frame["result"].clone();
        let meta = &sent["params"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], MODERN_VERSION);
        assert_eq!(meta["io.modelcontextprotocol/clientCapabilities"], json!({}));
        assert_eq!(meta["progressToken"], "p");
        assert_eq!(sent["params"]["arguments"], json!({"a": 1}));
    }

    #[test]
    fn notifications_are_collected_and_answers_are_read() {
        let tree = Tree::new("");
        let client = scripted(
            &tree,
            &[
                r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}
{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"A-CODE: no"}],"isError":true}}"#,
                r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"x"}}"#,
            ],
        );
        let mut session = Session::open(client, Era::Modern);
        let answer = session.call("t", json!({}));
        assert_eq!((answer.is_error(), answer.code()), (true, "A-CODE"));
        assert_eq!(session.take_notifications().len(), 1);
        assert_eq!(session.call("t", json!({})).protocol_error(), -32602);
        assert_eq!(session.finish().code, Some(0));
    }

    #[test]
    fn a_legacy_session_begins_with_the_handshake() {
        let tree = Tree::new("");
        let client = scripted(
            &tree,
            &[
                r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}"#,
                r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}]}}"#,
            ],
        );
        let mut session = Session::open(client, Era::Legacy("2025-06-18"));
        assert_eq!(session.list_tools()[0]["name"], "a");
    }
}
