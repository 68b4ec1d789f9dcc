//! The protocol: one engine that speaks MCP over a pair of byte streams, and the wires of the servers
//! that run on it. It knows JSON, schemas, queues and replies; what a tool means belongs to the surfaces below.

pub mod args;
pub mod catalog;
pub mod docs;
pub mod engine;
pub mod evidence;
pub mod project;
pub mod reply;
pub mod spotlight;

pub use docs::{DocsSurface, McpServer};
pub use evidence::{EvidenceService, serve_evidence};
pub use project::{PageChars, ProjectOptions, ProjectService, serve_project};
