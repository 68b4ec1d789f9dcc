//! `docforge_list_changesets` on the wire.

use ::propose::{ChangesetState, ListRequest, list as listed};
use serde_json::{Map, Value};

use super::call::{Call, node, optional_id};
use super::changesets::{at_desk, overlap, overlap_schema};
use super::envelope::Answer;
use super::fault::DocEnd;
use super::page::{Page, fitting};
use super::schema::{
    About, READING, choice, count, cursor, flag, limit, list, map, text, text_argument, texts, tool as make,
};
use super::shape::{one, put_doc};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_list_changesets";

const LIMIT_MAX: usize = 100;
const LIMIT: usize = 50;
/// Overlaps that a list shows of each changeset.
const OVERLAPS_SHOWN: usize = 10;

fn properties() -> Vec<(&'static str, Value)> {
    let states = ChangesetState::ALL.map(ChangesetState::as_str);
    vec![
        choice("state", &states, "Only changesets in this state. Default all."),
        text_argument("writer", 64, "Only changesets of this writer."),
        text_argument("node", 200, "Only changesets with an entry for this node."),
        limit(LIMIT_MAX, LIMIT),
        cursor(),
    ]
}

pub(super) fn tool() -> Tool {
    let item = closed_object(
        vec![
            ("id", text()),
            ("state", text()),
            ("writer", text()),
            ("version", count()),
            ("ops", count()),
            ("entries", count()),
            ("base", text()),
            ("damaged", flag()),
            ("overlaps", overlap_schema()),
            ("overlaps_total", count()),
            ("doc", map()),
            ("hidden", texts()),
        ],
        &["id", "state", "writer", "version", "ops", "entries", "base", "overlaps", "overlaps_total", "doc"],
    );
    make(
        About {
            name: NAME,
            title: "List changesets",
            description: "Changesets, newest first: state (open, applied, rejected, withdrawn), writer, version, whether the nodes \
                          that they touch are as they were (`base`: current, moved, conflicting), and other open changesets \
                          that touch the same nodes.",
            hints: READING,
        },
        properties(),
        &[],
        closed_object(vec![("changesets", list(item))], &["changesets"]),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let states = ChangesetState::ALL.map(|state| (state.as_str(), state));
    let state = arguments.choice("state", &states)?;
    let writer = arguments.filled_text("writer")?;
    let about = optional_id(&arguments, "node")?;
    let most = call.limit(&arguments, LIMIT_MAX, LIMIT)?;
    let cursor = arguments.filled_text("cursor")?;
    let snapshot = call.snapshot()?;
    // A node that is only proposed can be asked for as well.
    let about = about.map(|id| match node(&snapshot, &id) {
        Ok((ix, _)) => snapshot.node(ix).id.clone(),
        Err(_) => id,
    });
    let request = ListRequest { state, writer, node: about };
    let found = at_desk(call, &snapshot, |desk| Ok(listed(desk, &request)?))?;
    let last = call.position(cursor.as_deref(), snapshot.snapshot_id())?;
    // The place is an id and no number: what is made meanwhile moves nothing.
    let rest = found.iter().filter(|one| last.as_ref().is_none_or(|last| one.id.as_str() < last.as_str()));
    let shown = fitting(rest, most, call.bytes_aim(), |one| {
        let mut out = Map::new();
        out.insert("id".to_owned(), one.id.as_str().into());
        out.insert("state".to_owned(), one.state.as_str().into());
        out.insert("writer".to_owned(), one.writer.as_str().into());
        out.insert("version".to_owned(), one.version.into());
        out.insert("ops".to_owned(), one.version.into());
        out.insert("entries".to_owned(), one.entries.into());
        out.insert("base".to_owned(), one.base.as_str().into());
        if one.is_damaged {
            out.insert("damaged".to_owned(), true.into());
        }
        let overlaps = one.overlaps.iter().take(OVERLAPS_SHOWN).map(overlap);
        out.insert("overlaps".to_owned(), overlaps.collect());
        out.insert("overlaps_total".to_owned(), one.overlaps.len().into());
        put_doc(&mut out, super::shape::one("title", one.title.as_str()));
        Value::Object(out)
    });
    let end = shown.last().and_then(|one| one["id"].as_str()).unwrap_or_default();
    let is_last = found.last().is_none_or(|one| one.id.as_str() >= end);
    let next_cursor = (!is_last && !shown.is_empty()).then(|| call.cursor_at(snapshot.snapshot_id(), end));
    let page = Page { limit: most, returned: shown.len(), total: found.len(), next_cursor };
    Ok(Answer { result: one("changesets", shown), page: Some(page), ..Answer::default() })
}
