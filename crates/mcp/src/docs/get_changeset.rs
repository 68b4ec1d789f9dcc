//! `docforge_get_changeset` on the wire: what a changeset proposes and how each entry stands.

use ::propose::{Case, EntryReport, Operation, judge};
use fault::DocsCode;
use serde_json::{Map, Value, json};

use super::call::{Call, List, names};
use super::changesets::{
    at_desk, changeset_id, entry, entry_schema, head, header, id_schema, overlap, overlap_schema, page_state,
    version_result,
};
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault, Warning};
use super::schema::{
    About, READING, count, cursor, flag, limit, list, map, text, texts, tool as make, words,
};
use super::shape::put_doc;
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_get_changeset";

const LIMIT_MAX: usize = 200;
const LIMIT: usize = 50;
const PARTS: [&str; 2] = ["entries", "log"];
/// Bytes that the overlaps may take.
const OVERLAPS_BYTES: usize = 6 * 1024;

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        id_schema(),
        words("include", PARTS.len(), "Parts: entries, log. Default entries."),
        limit(LIMIT_MAX, LIMIT),
        cursor(),
    ]
}

pub(super) fn tool() -> Tool {
    let operation = ["n", "time", "tool", "kind", "node"];
    let operation = closed_object(
        operation.map(|name| (name, if name == "n" { count() } else { text() })).to_vec(),
        &operation[..4],
    );
    let place = vec![("placement", map()), ("items", texts())];
    make(
        About {
            name: NAME,
            title: "Get a changeset",
            description: "One changeset: header, effective entries (at most one a node), how each stands against the project \
                          (`base_state`: clean, mergeable, conflict_*, target_missing, with both values of a conflict), and \
                          other open changesets that touch the same nodes. With `log`, the accepted calls in order. The page \
                          counts entries, then calls.",
            hints: READING,
        },
        properties(),
        &["changeset_id"],
        closed_object(
            vec![
                ("changeset_id", text()),
                version_result(),
                ("state", text()),
                ("writer", text()),
                ("created", text()),
                ("base", map()),
                ("damaged", flag()),
                ("entries", entry_schema(place)),
                ("log", list(operation)),
                ("overlaps", overlap_schema()),
                ("overlaps_total", count()),
                ("doc", map()),
                ("hidden", texts()),
            ],
            &["changeset_id", "version", "state", "writer", "created", "base", "overlaps", "doc"],
        ),
    )
}

enum Row<'r> {
    Entry(&'r EntryReport),
    Call(&'r Operation),
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let include = names(&arguments, "include")?;
    if include.iter().any(|part| !PARTS.contains(&part.as_str())) {
        return Err(DocFault::new(DocsCode::InvalidArguments, "'include' takes entries and log.").into());
    }
    let shows = |part: &str| {
        if include.is_empty() { part == "entries" } else { include.iter().any(|one| one == part) }
    };
    let most = call.limit(&arguments, LIMIT_MAX, LIMIT)?;
    let cursor = arguments.filled_text("cursor")?;
    let id = changeset_id(&arguments)?;
    let snapshot = call.snapshot()?;
    let (case, validation) = at_desk(call, &snapshot, |desk| {
        let case = Case::open(desk, desk.store().read(&id)?)?;
        let validation = judge(desk, &case)?;
        Ok((case, validation))
    })?;
    let stored = &case.stored;
    let mut rows: Vec<Row<'_>> = Vec::new();
    if shows("entries") {
        rows.extend(validation.entries.iter().map(Row::Entry));
    }
    if shows("log") {
        rows.extend(stored.log.operations.iter().map(Row::Call));
    }
    let state = page_state(&snapshot, stored);
    let list = List { total: rows.len(), limit: most, cursor, state: &state };
    let mut answer = Answer::default();
    let (shown, page) = call.page(list, rows.iter(), |row| match row {
        Row::Entry(report) => Value::Object(entry_row(&case, report)),
        Row::Call(operation) => json!({ "log": log_row(operation) }),
    })?;
    let mut out = head(stored);
    out.insert("state".to_owned(), stored.state.as_str().into());
    header(&mut out, &stored.log.header);
    if stored.log.is_damaged {
        out.insert("damaged".to_owned(), true.into());
        answer.warnings.push(DAMAGED);
    }
    let mut entries = Vec::new();
    let mut calls = Vec::new();
    for mut row in shown {
        match row.as_object_mut().and_then(|row| row.remove("log")) {
            Some(operation) => calls.push(operation),
            None => entries.push(row),
        }
    }
    for (part, rows) in [("entries", entries), ("log", calls)] {
        if shows(part) {
            out.insert(part.to_owned(), rows.into());
        }
    }
    let (overlaps, all) = call.capped(&validation.overlaps, OVERLAPS_BYTES, overlap);
    out.insert("overlaps".to_owned(), overlaps.into());
    out.insert("overlaps_total".to_owned(), all.into());
    answer.result = out;
    answer.page = Some(page);
    Ok(answer)
}

const DAMAGED: Warning = Warning {
    code: "changeset_damaged",
    message: "The log does not hold together after the calls that are shown; nothing can be added to it.",
};

fn entry_row(case: &Case, report: &EntryReport) -> Map<String, Value> {
    let mut out = entry(report, true);
    let Some(effective) = case.entries.get(&report.id) else { return out };
    let items: Vec<String> = effective.items.keys().map(::propose::Item::word).collect();
    if !items.is_empty() {
        out.insert("items".to_owned(), items.into());
    }
    let mut doc = match out.shift_remove("doc") {
        Some(Value::Object(doc)) => doc,
        _ => Map::new(),
    };
    if let Some(placement) = &effective.placement {
        let mut place = match placement.to_json() {
            Value::Object(place) => place,
            _ => Map::new(),
        };
        // A heading is a document's own text; paths and ids are checked.
        if let Some(section) = place.shift_remove("section") {
            doc.insert("section".to_owned(), section);
        }
        out.insert("placement".to_owned(), Value::Object(place));
    }
    if let Some(reason) = &effective.reason {
        doc.insert("reason".to_owned(), reason.as_str().into());
    }
    put_doc(&mut out, doc);
    out
}

fn log_row(operation: &Operation) -> Value {
    let mut out = json!({
        "n": operation.n,
        "time": operation.time,
        "tool": operation.tool,
        "kind": operation.entry.kind(),
    });
    if !operation.entry.id().is_empty() {
        out["node"] = operation.entry.id().into();
    }
    out
}
