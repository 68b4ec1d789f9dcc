//! `docforge_impact` on the wire: whom a change touches and what would break.

use std::collections::BTreeMap;
use std::sync::Arc;

use ::docs::{Affected, Change, EdgeScope, Impact, ImpactRequest, LookUp, NodeIx, Snapshot, ViewChange};
use ::propose::{Case, ChangesetId, Kind};
use fault::DocsCode;
use serde_json::{Map, Value, json};

use super::call::{Call, ids, names, node, number, optional_id, relations};
use super::changesets::{at_desk, parse_id};
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault, Warning};
use super::page::fitting;
use super::schema::{
    About, READING, count, diagnostic as diagnostic_schema, flag, integer, limit, list, map, mentions,
    node as node_schema, relations as relations_schema, text, text_argument, tool as make, words,
};
use super::shape::{diagnostic, node_ref};
use crate::args::Arguments;
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_impact";

const LIMIT_MAX: usize = 500;
const LIMIT: usize = 100;
const DEPTH_MAX: usize = 10;
const DEPTH: usize = 5;
const IDS_MAX: usize = 20;
/// Findings that are shown of each touched node.
const BREAKS_SHOWN: usize = 10;

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        text_argument("id", 200, "The node that changes. Give exactly one of id, ids, changeset_id."),
        words("ids", IDS_MAX, "Several nodes that change, at most 20."),
        text_argument("changeset_id", 64, "A changeset: what it proposes is what changes."),
        text_argument("change", 80, "content (default), delete or field:NAME; not with changeset_id."),
        integer("depth", (1, DEPTH_MAX), DEPTH, "Most steps."),
        relations_schema(),
        mentions(),
        limit(LIMIT_MAX, LIMIT),
    ]
}

pub(super) fn tool() -> Tool {
    let names = ["relation", "from", "to"];
    let step = closed_object(names.map(|name| (name, text())).to_vec(), &names);
    let affected = node_schema(
        vec![
            ("distance", count()),
            ("via", list(step)),
            ("reason", text()),
            ("suspect", flag()),
            ("breaks", list(diagnostic_schema())),
            ("breaks_total", count()),
        ],
        &["breaks_total"],
    );
    let view = closed_object(
        vec![("id", text()), ("output", json!({})), ("reason", text())],
        &["id", "output", "reason"],
    );
    let rule = closed_object(vec![("id", text()), ("now", text()), ("then", text())], &["id", "now", "then"]);
    make(
        About {
            name: NAME,
            title: "Assess the impact of a change",
            description: "Which nodes a change of a node, its removal, or a whole changeset touches along the relations that carry \
                          it: distance, way, reason (relation, pin, delete, rule), pins that do not match, and for removals \
                          and changesets the findings that would appear, rules that change their verdict, and views that \
                          would look different.",
            hints: READING,
        },
        properties(),
        &[],
        closed_object(
            vec![
                ("affected", list(affected)),
                ("affected_total", count()),
                ("by_distance", map()),
                ("views", list(view)),
                ("rules", list(rule)),
                ("other_breaks", count()),
                ("truncated", flag()),
            ],
            &["affected", "affected_total", "by_distance", "views", "rules", "truncated"],
        ),
    )
}

/// What changes.
enum Subject {
    Nodes(Vec<String>),
    Changeset(ChangesetId),
}

fn subject(arguments: &Arguments) -> Result<Subject, DocEnd> {
    let id = optional_id(arguments, "id")?;
    let ids = ids(arguments, "ids", IDS_MAX)?;
    let changeset = arguments.filled_text("changeset_id")?;
    match (id, ids.is_empty(), changeset) {
        (Some(id), true, None) => Ok(Subject::Nodes(vec![id])),
        (None, false, None) => Ok(Subject::Nodes(ids)),
        (None, true, Some(text)) => parse_id(&text).map(Subject::Changeset),
        _ => {
            let text = "Give exactly one of 'id', 'ids' and 'changeset_id'.";
            Err(DocFault::new(DocsCode::InvalidArguments, text).into())
        }
    }
}

fn change(arguments: &Arguments) -> Result<Option<Change>, DocEnd> {
    Ok(match arguments.filled_text("change")?.as_deref() {
        None => None,
        Some("content") => Some(Change::Content),
        Some("delete") => Some(Change::Delete),
        Some(word) => match word.strip_prefix("field:").filter(|name| !name.is_empty()) {
            Some(name) => Some(Change::Field(name.to_owned())),
            None => {
                let text = "'change' must be content, delete or field:NAME.";
                return Err(DocFault::new(DocsCode::InvalidArguments, text).into());
            }
        },
    })
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let subject = subject(&arguments)?;
    let change = change(&arguments)?;
    if matches!(subject, Subject::Changeset(_)) && change.is_some() {
        let text = "'change' goes with 'id' and 'ids': a changeset says itself what changes.";
        return Err(DocFault::new(DocsCode::InvalidArguments, text).into());
    }
    let depth = number(&arguments, "depth", (1, DEPTH_MAX), DEPTH)?;
    let wanted = names(&arguments, "relations")?;
    let mentions = arguments.boolean("mentions")?.unwrap_or(false);
    let most = call.limit(&arguments, LIMIT_MAX, LIMIT)?;
    let snapshot = call.snapshot()?;
    let wanted = relations(&snapshot, &wanted)?;
    let scope = EdgeScope { relations: wanted.as_deref(), mentions };
    let mut answer = Answer::default();
    let (impact, views) = match subject {
        Subject::Nodes(ids) => {
            let changed =
                ids.iter().map(|id| Ok(node(&snapshot, id)?.0)).collect::<Result<Vec<_>, DocFault>>()?;
            let change = change.unwrap_or(Change::Content);
            if let Change::Field(name) = &change {
                check_field(&snapshot, &changed, name)?;
            }
            let after =
                (change == Change::Delete).then(|| call.host.service.without(&snapshot, &changed)).flatten();
            let request = ImpactRequest { change, scope, depth };
            let impact = snapshot.impact(&changed, &request, after.as_ref());
            let views = match &after {
                Some(after) => views_between(&snapshot, after),
                None => views_showing(&snapshot, &changed),
            };
            (impact, views)
        }
        // The form that only reads has no changesets.
        Subject::Changeset(_) if call.host.proposals.is_none() => {
            return Err(DocFault::of(DocsCode::ChangesetNotFound).into());
        }
        Subject::Changeset(id) => of_changeset(call, &snapshot, &id, scope, depth)?,
    };
    let total = impact.affected.len();
    let shown = fitting(impact.affected.iter().take(most), usize::MAX, call.bytes_aim() / 10 * 8, |one| {
        affected(&snapshot, one)
    });
    if impact.other_breaks > 0 {
        answer.warnings.push(OTHER_BREAKS);
    }
    let mut by_distance: BTreeMap<usize, usize> = BTreeMap::new();
    for one in &impact.affected {
        *by_distance.entry(one.distance).or_default() += 1;
    }
    let by_distance: Map<String, Value> =
        by_distance.into_iter().map(|(distance, count)| (distance.to_string(), count.into())).collect();
    let word = |holds: bool| if holds { "pass" } else { "fail" };
    let rules = impact
        .rules
        .iter()
        .map(|rule| json!({ "id": rule.id, "now": word(rule.now), "then": word(rule.then) }));
    let is_cut = impact.is_truncated || shown.len() < total;
    let mut out = Map::new();
    out.insert("affected".to_owned(), shown.into());
    out.insert("affected_total".to_owned(), total.into());
    out.insert("by_distance".to_owned(), Value::Object(by_distance));
    out.insert("views".to_owned(), views.into());
    out.insert("rules".to_owned(), rules.collect());
    out.insert("other_breaks".to_owned(), impact.other_breaks.into());
    out.insert("truncated".to_owned(), is_cut.into());
    answer.result = out;
    Ok(answer)
}

const OTHER_BREAKS: Warning = Warning {
    code: "other_breaks",
    message: "Findings would also appear where no relation carries the change; `other_breaks` counts them.",
};

/// A field that can change must be one of the nodes' types.
fn check_field(snapshot: &Snapshot, changed: &[NodeIx], name: &str) -> Result<(), DocFault> {
    let contract = snapshot.contract();
    let has = |ix: &NodeIx| {
        let node = snapshot.node(*ix);
        node.field(name).is_some()
            || contract.type_def(&node.type_name).is_some_and(|one| one.field(name).is_some())
    };
    if changed.iter().all(has) {
        return Ok(());
    }
    let near = ::docs::near(name, contract.field_names(), 3);
    Err(DocFault::of(DocsCode::FieldUnknown).with("near", near))
}

fn of_changeset(
    call: &Call<'_>,
    snapshot: &Arc<Snapshot>,
    id: &ChangesetId,
    scope: EdgeScope<'_>,
    depth: usize,
) -> Result<(Impact, Vec<Value>), DocEnd> {
    at_desk(call, snapshot, |desk| {
        let case = Case::open(desk, desk.store().read(id)?)?;
        let after = case.after()?;
        let there = |id: &str| match snapshot.look_up(id) {
            LookUp::Found(ix) => Some(ix),
            _ => None,
        };
        let of_kind = |is_delete: bool| -> Vec<NodeIx> {
            let entries = case.entries.values().filter(|entry| (entry.kind == Kind::Delete) == is_delete);
            entries.filter_map(|entry| there(&entry.id)).collect()
        };
        let (gone, changed) = (of_kind(true), of_kind(false));
        let mut request = ImpactRequest { change: Change::Delete, scope, depth };
        // What a removal touches is told as that; what both touch, by the shorter way.
        let removal = (!gone.is_empty()).then(|| snapshot.impact(&gone, &request, None));
        request.change = Change::Content;
        let all: Vec<NodeIx> = changed.iter().chain(&gone).copied().collect();
        let mut impact = snapshot.impact(&all, &request, Some(after));
        for one in removal.iter().flat_map(|impact| &impact.affected).filter(|one| one.distance == 1) {
            if let Some(known) = impact.affected.iter_mut().find(|known| known.node == one.node) {
                known.reason = one.reason;
                known.via.clone_from(&one.via);
                known.suspect = one.suspect;
            }
        }
        Ok((impact, views_between(snapshot, after)))
    })
}

fn affected(snapshot: &Snapshot, one: &Affected) -> Value {
    let mut out = node_ref(snapshot.node(one.node));
    out.insert("distance".to_owned(), one.distance.into());
    let via = one.via.iter().map(|at| {
        let edge = &snapshot.edges()[*at];
        let relation = &snapshot.contract().relations[edge.relation as usize].name;
        json!({ "relation": relation, "from": snapshot.node(edge.from).id, "to": snapshot.node(edge.to).id })
    });
    out.insert("via".to_owned(), via.collect());
    out.insert("reason".to_owned(), one.reason.as_str().into());
    out.insert("suspect".to_owned(), one.suspect.into());
    out.insert("breaks".to_owned(), one.breaks.iter().take(BREAKS_SHOWN).map(diagnostic).collect());
    if one.breaks.len() > BREAKS_SHOWN {
        out.insert("breaks_total".to_owned(), one.breaks.len().into());
    }
    Value::Object(out)
}

fn view_json(snapshot: &Snapshot, at: usize, change: ViewChange) -> Value {
    let view = &snapshot.contract().views[at];
    json!({ "id": view.name, "output": view.output, "reason": change.as_str() })
}

/// The views that show a node that changes.
fn views_showing(snapshot: &Snapshot, changed: &[NodeIx]) -> Vec<Value> {
    let views = snapshot.contract().views.iter().enumerate();
    let showing = views.filter(|(_, view)| {
        // A view that cannot be told is named rather than passed over.
        snapshot.of_view(view).map_or(true, |nodes| changed.iter().any(|ix| nodes.contains(ix)))
    });
    showing.map(|(at, _)| view_json(snapshot, at, ViewChange::Content)).collect()
}

/// The views whose bytes would differ.
fn views_between(before: &Snapshot, after: &Snapshot) -> Vec<Value> {
    let mut changed = Vec::new();
    for (at, view) in before.contract().views.iter().enumerate() {
        let change = match before.view_change(after, view) {
            Ok(Some(change)) => Some(change),
            Ok(None) => differs(before, after, at).then_some(ViewChange::Content),
            Err(_) => Some(ViewChange::Content),
        };
        changed.extend(change.map(|change| view_json(before, at, change)));
    }
    changed
}

/// Whether a view that shows the same nodes would show something else about one of them.
fn differs(before: &Snapshot, after: &Snapshot, at: usize) -> bool {
    let view = &before.contract().views[at];
    let nodes = before.of_view(view).unwrap_or_default();
    nodes.into_iter().any(|ix| {
        let node = before.node(ix);
        match after.look_up(&node.id) {
            LookUp::Found(then) => {
                let then = after.node(then);
                then.hash != node.hash || then.state != node.state || then.path != node.path
            }
            _ => true,
        }
    })
}
