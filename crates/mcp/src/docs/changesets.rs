//! What the tools of changesets share: the desk that they work at, ids, and the forms of entries, overlaps and findings. It
//! knows no single tool.

use std::sync::Arc;
use std::time::SystemTime;

use ::docs::Snapshot;
use ::propose::{ChangesetId, Desk, EntryReport, Finding, Header, ItemConflict, Overlap, Stored};
use fault::DocsCode;
use serde_json::{Map, Value, json};

use super::call::Call;
use super::fault::{DocEnd, DocFault};
use super::host::Proposals;
use super::schema::{self, count, flag, list, map, text, text_argument};
use super::shape::{mark_hidden, put_doc};
use crate::args::Arguments;
use crate::catalog::closed_object;

/// Does `work` at the desk of the project.
pub(super) fn at_desk<T>(
    call: &Call<'_>,
    snapshot: &Arc<Snapshot>,
    work: impl FnOnce(&Desk<'_>) -> Result<T, DocEnd>,
) -> Result<T, DocEnd> {
    let proposals = proposals(call)?;
    let roots = proposals.roots(&call.host.service, snapshot.contract())?;
    let desk = Desk {
        service: &call.host.service,
        snapshot,
        roots: &roots,
        writer: proposals.writer.as_ref(),
        policy: proposals.policy.as_ref(),
        validators: &proposals.validators,
        render: None,
        now: SystemTime::now(),
    };
    work(&desk)
}

fn proposals<'c>(call: &Call<'c>) -> Result<&'c Proposals, DocEnd> {
    // The form without proposals has none of these tools.
    call.host.proposals.as_ref().ok_or_else(|| DocFault::of(DocsCode::AccessDisabled).into())
}

/// Judged before anything else in the tools that change a changeset.
pub(super) fn check_access(call: &Call<'_>) -> Result<(), DocEnd> {
    match proposals(call)?.writer {
        Some(_) => Ok(()),
        None => Err(DocFault::of(DocsCode::AccessDisabled).into()),
    }
}

pub(super) fn id_schema() -> (&'static str, Value) {
    text_argument("changeset_id", 64, "Id of a changeset, `cs-` and 26 characters.")
}

pub(super) fn version_schema() -> (&'static str, Value) {
    (
        "expected_version",
        json!({"type": "integer", "minimum": 0, "description": "`version` of the changeset as you last saw it; 0 after docforge_create_changeset."}),
    )
}

/// A changeset as it lies there. A text that is no id names no changeset.
pub(super) fn changeset_id(arguments: &Arguments) -> Result<ChangesetId, DocEnd> {
    let text = arguments.required_word("changeset_id")?;
    parse_id(&text)
}

/// Reads an id.
pub(super) fn parse_id(text: &str) -> Result<ChangesetId, DocEnd> {
    ChangesetId::parse(text).ok_or_else(|| DocFault::of(DocsCode::ChangesetNotFound).into())
}

/// The state that pages of a changeset are taken of.
pub(super) fn page_state(snapshot: &Snapshot, stored: &Stored) -> String {
    let (version, state) = (stored.log.version(), stored.state.as_str());
    format!("{}:{version}:{state}", snapshot.snapshot_id())
}

/// What every answer says of the changeset.
pub(super) fn head(stored: &Stored) -> Map<String, Value> {
    let header = &stored.log.header;
    let mut out = Map::new();
    out.insert("changeset_id".to_owned(), header.id.as_str().into());
    out.insert("version".to_owned(), stored.log.version().into());
    out
}

/// The header of a changeset.
pub(super) fn header(out: &mut Map<String, Value>, header: &Header) {
    out.insert("writer".to_owned(), header.writer.as_str().into());
    out.insert("created".to_owned(), header.created.as_str().into());
    out.insert("base".to_owned(), header.base.to_json());
    let mut doc = super::shape::one("title", header.title.as_str());
    if let Some(reason) = &header.reason {
        doc.insert("reason".to_owned(), reason.as_str().into());
    }
    put_doc(out, doc);
}

pub(super) fn overlap(one: &Overlap) -> Value {
    json!({ "changeset_id": one.changeset.as_str(), "node": one.node, "meeting": one.meeting.as_str() })
}

pub(super) fn overlap_schema() -> Value {
    let names = ["changeset_id", "node", "meeting"];
    list(closed_object(names.map(|name| (name, text())).to_vec(), &names))
}

pub(super) fn finding(one: &Finding) -> Value {
    let mut out = one.to_json();
    mark_hidden(&mut out);
    out
}

pub(super) fn finding_schema() -> Value {
    list(closed_object(
        vec![
            ("check", text()),
            ("code", text()),
            ("severity", text()),
            ("entry", text()),
            ("path", text()),
            ("message", text()),
            ("details", map()),
            ("doc", map()),
            ("hidden", schema::texts()),
        ],
        &["check", "code", "severity", "message", "details"],
    ))
}

/// An effective entry. With `conflicts`, both values of what changed on both sides.
pub(super) fn entry(one: &EntryReport, conflicts: bool) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("id".to_owned(), one.id.as_str().into());
    out.insert("kind".to_owned(), one.kind.into());
    out.insert("base_state".to_owned(), one.state.as_str().into());
    for (key, hash) in [("base_hash", one.base_hash), ("proposed_hash", one.proposed_hash)] {
        if let Some(hash) = hash {
            out.insert(key.to_owned(), hash.to_string().into());
        }
    }
    if one.is_identical {
        out.insert("identical".to_owned(), true.into());
    }
    if conflicts && !one.conflicts.is_empty() {
        let conflicts: Vec<Value> = one.conflicts.iter().map(conflict).collect();
        put_doc(&mut out, super::shape::one("conflicts", conflicts));
    }
    out
}

pub(super) fn entry_schema(further: Vec<(&'static str, Value)>) -> Value {
    let mut properties = vec![
        ("id", text()),
        ("kind", text()),
        ("base_state", text()),
        ("base_hash", text()),
        ("proposed_hash", text()),
        ("identical", flag()),
        ("doc", map()),
        ("hidden", schema::texts()),
    ];
    properties.extend(further);
    list(closed_object(properties, &["id", "kind", "base_state"]))
}

fn conflict(one: &ItemConflict) -> Value {
    json!({
        "item": one.item.to_json(),
        "base": brief(one.base.as_ref()),
        "current": brief(one.current.as_ref()),
        "proposed": brief(one.proposed.as_ref()),
    })
}

/// Characters of a value that an answer repeats; whole bodies are read with docforge_get_changeset_diff.
const BRIEF_CHARS: usize = 1_000;

/// A value, or its beginning when it is a long text.
pub(super) fn brief(value: Option<&Value>) -> Value {
    match value {
        None => Value::Null,
        Some(Value::String(text)) if text.chars().count() > BRIEF_CHARS => {
            let begin: String = text.chars().take(BRIEF_CHARS).collect();
            json!({ "begins": begin, "bytes": text.len() })
        }
        Some(value) if value.to_string().len() > BRIEF_CHARS * 4 => {
            json!({ "bytes": value.to_string().len() })
        }
        Some(value) => value.clone(),
    }
}

/// The number of a version in a schema.
pub(super) fn version_result() -> (&'static str, Value) {
    ("version", count())
}
