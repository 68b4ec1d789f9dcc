//! The page of the servers' tools, as they are published.

use std::fmt::Write as _;

use fault::{Failure, Outcome, Watch};
use mcp::catalog::{Surface as _, Tool};
use mcp::{ProjectOptions, ProjectService};
use project::answer::{Analysis, PackAnswer, Payload, ProjectEntry};
use project::request::{
    AnalyzeRequest, FileRequest, PackRequest, ReadPackRequest, SearchRequest, TreeRequest,
};
use serde_json::{Map, Value};

use super::cell;
use crate::workspace::Workspace;

/// Every tool with its description, arguments and annotations.
pub(super) fn page(_workspace: &Workspace) -> String {
    let surface = mcp::project::ProjectSurface::new(Unserved, ProjectOptions::default());
    let mut out = String::from(
        "# Tools\n\nIn the order of `tools/list`. Unknown arguments are refused; numbers and booleans are also taken as strings, and\n\
         `null` counts as absent.\n",
    );
    for (server, command, tools) in [
        ("project", "readroom mcp", surface.tools()),
        ("evidence", "readroom mcp evidence", mcp::evidence::tools()),
    ] {
        write!(out, "\n## The {server} server\n\nStarted with `{command}`.\n").ok();
        for tool in tools {
            describe(&mut out, &tool);
        }
    }
    out
}

fn describe(out: &mut String, tool: &Tool) {
    write!(out, "\n### `{}`\n\n{}. {}\n", tool.name, tool.title, tool.description).ok();
    let none = Map::new();
    let properties = tool.input.get("properties").and_then(Value::as_object).unwrap_or(&none);
    if properties.is_empty() {
        out.push_str("\nIt takes no arguments.\n");
    } else {
        out.push_str("\n| argument | type | says |\n|---|---|---|\n");
    }
    let required: Vec<&str> = tool
        .input
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, schema) in properties {
        let mark = if required.contains(&name.as_str()) { ", required" } else { "" };
        let says = schema["description"].as_str().unwrap_or_default();
        writeln!(out, "| `{name}`{mark} | {} | {} |", kind(schema), cell(says)).ok();
    }
    let hints = tool.hints;
    let mut words = vec![
        if hints.read_only { "read-only" } else { "writes" },
        if hints.destructive { "destructive" } else { "not destructive" },
        if hints.idempotent { "idempotent" } else { "not idempotent" },
        if hints.open_world { "open world" } else { "closed world" },
    ];
    words.push(if tool.output.is_some() { "structured result" } else { "text result" });
    if tool.progress {
        words.push("reports progress");
    }
    writeln!(out, "\nIt is {}.", words.join(", ")).ok();
}

/// The type of a property in words, with its bounds.
fn kind(schema: &Value) -> String {
    let base = schema["type"].as_str().unwrap_or("?");
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> =
            values.iter().filter_map(Value::as_str).map(|value| format!("`{value}`")).collect();
        return values.join(", ");
    }
    let bound = |low: &str, high: &str| match (schema[low].as_u64(), schema[high].as_u64()) {
        (Some(low), Some(high)) => format!(", {low} to {high}"),
        (Some(low), None) => format!(", at least {low}"),
        (None, Some(high)) => format!(", at most {high}"),
        (None, None) => String::new(),
    };
    match base {
        "integer" => format!("integer{}", bound("minimum", "maximum")),
        "array" => format!(
            "array of {}{}",
            schema["items"]["type"].as_str().unwrap_or("?"),
            bound("minItems", "maxItems")
        ),
        "string" => format!(
            "string{}",
            if schema["maxLength"].is_u64() { bound("minLength", "maxLength") } else { String::new() }
        ),
        other => other.to_owned(),
    }
}

/// A service that is never asked: only what is published of the tools is of interest here.
#[derive(Debug)]
struct Unserved;

impl ProjectService for Unserved {
    fn list_projects(&self) -> Result<Vec<ProjectEntry>, Failure> {
        Err(Failure::Cancelled)
    }

    fn tree(&self, _: &TreeRequest, _: &dyn Watch) -> Result<Outcome<Payload>, Failure> {
        Err(Failure::Cancelled)
    }

    fn analyze(&self, _: &AnalyzeRequest, _: &dyn Watch) -> Result<Outcome<Analysis>, Failure> {
        Err(Failure::Cancelled)
    }

    fn pack(&self, _: &PackRequest, _: &dyn Watch) -> Result<Outcome<PackAnswer>, Failure> {
        Err(Failure::Cancelled)
    }

    fn read_pack(&self, _: &ReadPackRequest, _: &dyn Watch) -> Result<Payload, Failure> {
        Err(Failure::Cancelled)
    }

    fn search(&self, _: &SearchRequest, _: &dyn Watch) -> Result<Outcome<Payload>, Failure> {
        Err(Failure::Cancelled)
    }

    fn file(&self, _: &FileRequest, _: &dyn Watch) -> Result<Payload, Failure> {
        Err(Failure::Cancelled)
    }

    fn set_page_chars(&self, _: usize) {}
}
