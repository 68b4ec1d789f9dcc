//! What the engine has to know of a server: its name, its tools and its limits. It knows no tool of any
//! surface and nothing of how messages travel.

use std::time::Duration;

use fault::Watch;
use serde_json::{Map, Value, json};

use crate::reply::Reply;

/// One server on the engine: a catalogue of tools and the function that runs them.
pub trait Surface: Send + Sync + 'static {
    /// The machine name in the server info.
    fn name(&self) -> &'static str;

    /// The human name in the server info.
    fn title(&self) -> &'static str;

    /// What a client should know before the first call; under 1,200 characters (protocol.md 4).
    fn instructions(&self) -> String;

    /// Every tool, in the published order.
    fn tools(&self) -> Vec<Tool>;

    /// Bounds of the transport and the queue.
    fn limits(&self) -> Limits;

    /// Says which client is at the other end, each time its name changes.
    fn client(&self, name: &str) {
        let _ = name;
    }

    /// Runs a tool of [`Surface::tools`] on a worker thread. Arguments are as they came: reading them is the tool's.
    ///
    /// # Errors
    /// [`Cancelled`] when the caller took the call back; nothing is sent then.
    fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        context: &CallContext<'_>,
    ) -> Result<Reply, Cancelled>;

    /// The answer to a call that the queue does not admit.
    fn busy(&self) -> Reply;

    /// Releases what must not outlive the process. Called once, at the end, perhaps while a call still winds down.
    fn close(&self) {}
}

/// What a running call may look at.
pub struct CallContext<'a> {
    /// Whether to go on, and where progress is told.
    pub watch: &'a dyn Watch,
}

/// The caller took the call back: no answer is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// Bounds that differ between the servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one incoming line without its line end; a longer one is thrown away.
    pub line_bytes_max: usize,
    /// Calls that the gate holds, the running one included; a further one is answered [`Surface::busy`].
    pub admitted_max: Option<usize>,
    /// How long a call may run, the fetching of a remote project not counted.
    pub call_time_max: Option<Duration>,
    /// How long requests read before the end of input may still be answered.
    pub end_grace: Duration,
}

/// Where a tool waits for its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// In the server's one queue.
    Gate,
    /// Beside it: the call is short and touches no project.
    Beside,
}

/// The hints of a tool's annotations; all four are always published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hints {
    /// Whether the tool changes nothing.
    pub read_only: bool,
    /// Whether it may destroy something.
    pub destructive: bool,
    /// Whether calling again with the same arguments changes nothing more.
    pub idempotent: bool,
    /// Whether it may reach beyond this machine.
    pub open_world: bool,
}

/// A tool as it is published.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The name on the wire.
    pub name: &'static str,
    /// The human name.
    pub title: &'static str,
    /// What it does; under 1,500 characters.
    pub description: &'static str,
    /// The schema of its arguments.
    pub input: Map<String, Value>,
    /// The schema of its structured result, when it has one.
    pub output: Option<Map<String, Value>>,
    /// The annotations.
    pub hints: Hints,
    /// Further metadata of the definition and of successful results.
    pub meta: Option<Map<String, Value>>,
    /// Where it waits.
    pub turn: Turn,
    /// Whether it reports progress.
    pub progress: bool,
}

/// The schema of a closed object: properties in the given order, `required` left out when empty.
///
/// # Panics
/// Never: the literal is an object.
pub fn closed_object(
    properties: Vec<(&'static str, Value)>,
    required: &[&'static str],
) -> Map<String, Value> {
    let properties: Map<String, Value> =
        properties.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}
