//! Schemas that the docs tools share: arguments that come back, and the answer around each result. It knows no single
//! tool.

use serde_json::{Map, Value, json};

use crate::catalog::{Hints, Tool, Turn, closed_object};

/// The hints of a tool that only reads.
pub(super) const READING: Hints =
    Hints { read_only: true, destructive: false, idempotent: true, open_world: false };
/// Those of a tool that adds a proposal.
pub(super) const PROPOSING: Hints =
    Hints { read_only: false, destructive: false, idempotent: false, open_world: false };

/// What a tool consists of beside its arguments.
pub(super) struct About {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) hints: Hints,
}

/// A tool with one queue, the common answer and the given result.
pub(super) fn tool(
    about: About,
    properties: Vec<(&'static str, Value)>,
    required: &[&'static str],
    result: Map<String, Value>,
) -> Tool {
    Tool {
        name: about.name,
        title: about.title,
        description: about.description,
        input: closed_object(properties, required),
        output: Some(answer(result)),
        hints: about.hints,
        meta: None,
        turn: Turn::Gate,
        progress: false,
    }
}

/// The schema of a whole answer. What is null when it is unknown has no type. The parts around the result are the same for
/// every tool and are said once, in the documentation: a client pays for every byte of every tool here.
fn answer(result: Map<String, Value>) -> Map<String, Value> {
    closed_object(
        vec![
            ("ok", json!({"type": "boolean"})),
            ("notice", text()),
            ("project", map()),
            ("revision", json!({})),
            ("source_hash", json!({})),
            ("contract_hash", json!({})),
            ("adapter_version", json!({})),
            ("engine_version", text()),
            ("snapshot_id", json!({})),
            ("staleness", map()),
            ("result", Value::Object(result)),
            ("page", map()),
            ("warnings", maps()),
            ("error", map()),
        ],
        &[
            "ok",
            "notice",
            "project",
            "revision",
            "source_hash",
            "contract_hash",
            "adapter_version",
            "engine_version",
            "snapshot_id",
            "staleness",
            "warnings",
        ],
    )
}

pub(super) fn text() -> Value {
    json!({"type": "string"})
}

pub(super) fn flag() -> Value {
    json!({"type": "boolean"})
}

pub(super) fn count() -> Value {
    json!({"type": "integer", "minimum": 0})
}

pub(super) fn map() -> Value {
    json!({"type": "object"})
}

/// An array of strings.
pub(super) fn texts() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

/// An array of objects of no further form.
pub(super) fn maps() -> Value {
    json!({"type": "array", "items": {"type": "object"}})
}

/// An array of objects.
pub(super) fn list(item: Map<String, Value>) -> Value {
    json!({"type": "array", "items": item})
}

/// A node in a list, with further properties; all of them are there unless they are in `maybe`. A further one takes the place
/// of that of the same name: a schema that names a property twice is none.
pub(super) fn node(further: Vec<(&'static str, Value)>, maybe: &[&'static str]) -> Map<String, Value> {
    let mut properties = vec![
        ("id", text()),
        ("type", text()),
        ("path", text()),
        ("line", count()),
        ("node_hash", text()),
        ("state", text()),
        ("doc", map()),
        ("hidden", texts()),
    ];
    properties.retain(|(name, _)| further.iter().all(|(other, _)| other != name));
    properties.extend(further);
    let required: Vec<&'static str> = properties
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| *name != "hidden" && !maybe.contains(name))
        .collect();
    closed_object(properties, &required)
}

/// An edge in a list.
pub(super) fn edge(with_node: bool) -> Map<String, Value> {
    let mut properties = vec![
        ("relation", text()),
        ("inverse", text()),
        ("from", text()),
        ("to", text()),
        ("kind", text()),
        ("pin", text()),
        ("suspect", flag()),
        ("doc", map()),
        ("hidden", texts()),
    ];
    let mut required = vec!["relation", "inverse", "from", "to", "kind"];
    if with_node {
        properties.push(("node", Value::Object(node(Vec::new(), &[]))));
        required.push("node");
    }
    closed_object(properties, &required)
}

/// A finding in a list.
pub(super) fn diagnostic() -> Map<String, Value> {
    closed_object(
        vec![
            ("code", text()),
            ("severity", text()),
            ("message", text()),
            ("path", text()),
            ("line", count()),
            ("column", count()),
            ("node", text()),
            ("related", texts()),
            ("fix", text()),
            ("doc", map()),
            ("hidden", texts()),
        ],
        &["code", "severity", "message"],
    )
}

/// An argument that is text.
pub(super) fn text_argument(name: &'static str, chars_max: usize, says: &str) -> (&'static str, Value) {
    (name, json!({"type": "string", "minLength": 1, "maxLength": chars_max, "description": says}))
}

/// An argument that is one of some words.
pub(super) fn choice(name: &'static str, words: &[&str], says: &str) -> (&'static str, Value) {
    (name, json!({"type": "string", "enum": words, "description": says}))
}

/// An argument that is a list of words.
pub(super) fn words(name: &'static str, items_max: usize, says: &str) -> (&'static str, Value) {
    let item = json!({"type": "string", "minLength": 1});
    (name, json!({"type": "array", "items": item, "maxItems": items_max, "description": says}))
}

/// An argument that is an integer.
pub(super) fn integer(
    name: &'static str,
    (min, max): (usize, usize),
    default: usize,
    says: &str,
) -> (&'static str, Value) {
    let says = format!("{says} {min} to {max}, default {default}.");
    (
        name,
        json!({"type": "integer", "minimum": min, "maximum": max, "default": default, "description": says}),
    )
}

/// An argument that is true or false, false without it.
pub(super) fn switch(name: &'static str, says: &str) -> (&'static str, Value) {
    (name, json!({"type": "boolean", "default": false, "description": says}))
}

pub(super) fn id() -> (&'static str, Value) {
    text_argument("id", 200, "Stable id of a node, or an old one.")
}

pub(super) fn limit(max: usize, default: usize) -> (&'static str, Value) {
    integer("limit", (1, max), default, "Most items of this page.")
}

pub(super) fn cursor() -> (&'static str, Value) {
    text_argument("cursor", 1_024, "`page.next_cursor` of the page before, with its other arguments.")
}

pub(super) fn where_filter() -> (&'static str, Value) {
    text_argument(
        "where",
        4_096,
        "Filter, e.g. `type = req and status = \"approved\" and none(in.verifies)`. Operators = != < <= > >= ~ ^= $= in has is; \
         any/all/none/count(out.REL where …), reaches(out.REL, ID), state = error|warn|clean|suspect|orphan.",
    )
}

pub(super) fn relations() -> (&'static str, Value) {
    words("relations", 100, "Only these relations, by declared name. Default all.")
}

pub(super) fn mentions() -> (&'static str, Value) {
    switch("mentions", "Also links read from bodies. Default false.")
}
