//! `/api/v1/overview`: a project from far away. Its types with counts, the bundles of edges between them, the nodes with
//! the most edges, and its findings by kind. It shows no body and no field.

use std::collections::BTreeMap;

use docs::{Diagnostic, EdgeKind, NodeIx, ProjectState, Severity, Snapshot};
use serde_json::{Map, Value, json};

use crate::layout::{Arc, Card, Layout, place};
use crate::limits::{EDGES_MAX, FINDINGS_MAX, HUBS_MAX};
use crate::node::{finding, reference};

/// How large a type is drawn, with the room around it.
const CARD: Card = Card { width: 216, height: 92, gap_x: 132, gap_y: 34 };

/// The edges of one relation between two types.
#[derive(Clone, Copy, Debug, Default)]
struct Bundle {
    relations: usize,
    mentions: usize,
    suspect: usize,
}

/// The overview of a snapshot.
pub(crate) fn overview(snapshot: &Snapshot) -> Value {
    let contract = snapshot.contract();
    let type_at: BTreeMap<&str, usize> =
        contract.types.iter().enumerate().map(|(at, kind)| (kind.name.as_str(), at)).collect();
    let of_type: Vec<usize> = snapshot
        .nodes()
        .iter()
        .map(|node| type_at.get(node.type_name.as_str()).copied().unwrap_or_default())
        .collect();
    let bundles = bundles(snapshot, &of_type);
    let arcs: Vec<Arc> = bundles
        .keys()
        .map(|(from, to, _)| Arc { from: *from, to: *to })
        .filter(|arc| arc.from != arc.to)
        .collect();
    let layout = place(contract.types.len(), &arcs, &[0], CARD, snapshot.snapshot_id());
    let mentions = snapshot.edges().iter().filter(|edge| edge.kind == EdgeKind::Mention).count();
    let per_relation = |kind: EdgeKind| {
        let mut counts = vec![0_usize; contract.relations.len()];
        snapshot
            .edges()
            .iter()
            .filter(|edge| edge.kind == kind)
            .for_each(|edge| counts[edge.relation as usize] += 1);
        counts
    };
    let (stated, mentioned) = (per_relation(EdgeKind::Relation), per_relation(EdgeKind::Mention));
    let relations: Vec<Value> = contract
        .relations
        .iter()
        .enumerate()
        .map(|(at, relation)| {
            json!({
                "name": relation.name,
                "inverse": relation.inverse,
                "acyclic": relation.acyclic,
                "symmetric": relation.symmetric,
                "count": stated[at],
                "mentions": mentioned[at],
                "doc": { "title": relation.title, "inverse_title": relation.inverse_title },
            })
        })
        .collect();
    let bundles = drawn(snapshot, bundles);
    let (bundles_drawn, bundles_total) = (bundles.iter().take(EDGES_MAX), bundles.len());
    json!({
        "project": {
            "id": contract.project.id,
            "state": if snapshot.state() == ProjectState::Valid { "valid" } else { "invalid" },
            "doc": { "title": contract.project.title, "description": contract.project.description },
        },
        "counts": {
            "nodes": snapshot.nodes().len(),
            "edges": snapshot.edges().len() - mentions,
            "mentions": mentions,
            "dangling": snapshot.dangling().len(),
            "files": snapshot.files().iter().filter(|file| file.source.is_some()).count(),
        },
        "types": types(snapshot, &of_type, &layout),
        "relations": relations,
        "bundles": bundles_drawn.collect::<Vec<_>>(),
        "bundles_total": bundles_total,
        "hubs": hubs(snapshot),
        "diagnostics": diagnostics(snapshot),
        "layout": layout.to_json(CARD),
    })
}

fn bundles(snapshot: &Snapshot, of_type: &[usize]) -> BTreeMap<(usize, usize, u32), Bundle> {
    let mut bundles: BTreeMap<(usize, usize, u32), Bundle> = BTreeMap::new();
    for edge in snapshot.edges() {
        let (from, to) = (of_type[edge.from.0 as usize], of_type[edge.to.0 as usize]);
        let bundle = bundles.entry((from, to, edge.relation)).or_default();
        match edge.kind {
            EdgeKind::Relation => bundle.relations += 1,
            EdgeKind::Mention => bundle.mentions += 1,
        }
        bundle.suspect += usize::from(edge.suspect == Some(true));
    }
    bundles
}

/// The bundles as the page gets them, thickest first.
fn drawn(snapshot: &Snapshot, bundles: BTreeMap<(usize, usize, u32), Bundle>) -> Vec<Value> {
    let contract = snapshot.contract();
    let mut bundles: Vec<_> = bundles.into_iter().collect();
    bundles.sort_by_key(|(key, bundle)| (std::cmp::Reverse(bundle.relations + bundle.mentions), *key));
    let one = |((from, to, relation), bundle): ((usize, usize, u32), Bundle)| {
        json!({
            "from": contract.types[from].name,
            "to": contract.types[to].name,
            "relation": contract.relations[relation as usize].name,
            "count": bundle.relations,
            "mentions": bundle.mentions,
            "suspect": bundle.suspect,
        })
    };
    bundles.into_iter().map(one).collect()
}

fn types(snapshot: &Snapshot, of_type: &[usize], layout: &Layout) -> Vec<Value> {
    let kinds = &snapshot.contract().types;
    let mut states: Vec<[usize; 6]> = vec![[0; 6]; kinds.len()];
    for (node, kind) in snapshot.nodes().iter().zip(of_type) {
        let state = node.state;
        let flags = [true, state.error, state.warn, state.suspect, state.orphan, state.is_clean()];
        states[*kind].iter_mut().zip(flags).for_each(|(count, is)| *count += usize::from(is));
    }
    let one = |(at, kind): (usize, &docs::TypeDef)| {
        let [count, error, warn, suspect, orphan, clean] = states[at];
        let (x, y) = layout.at(at);
        json!({
            "name": kind.name,
            "count": count,
            "states": { "error": error, "warn": warn, "suspect": suspect, "orphan": orphan, "clean": clean },
            "x": x,
            "y": y,
            "doc": { "title": kind.title },
        })
    };
    kinds.iter().enumerate().map(one).collect()
}

/// The nodes with the most edges, in either direction.
fn hubs(snapshot: &Snapshot) -> Vec<Value> {
    let mut degrees = vec![0_usize; snapshot.nodes().len()];
    for edge in snapshot.edges() {
        degrees[edge.from.0 as usize] += 1;
        degrees[edge.to.0 as usize] += 1;
    }
    let mut hubs: Vec<NodeIx> = snapshot.indices().filter(|ix| degrees[ix.0 as usize] > 0).collect();
    let order = |ix: &NodeIx| (std::cmp::Reverse(degrees[ix.0 as usize]), *ix);
    if hubs.len() > HUBS_MAX {
        hubs.select_nth_unstable_by_key(HUBS_MAX, order);
        hubs.truncate(HUBS_MAX);
    }
    hubs.sort_by_key(order);
    hubs.into_iter().map(|ix| Value::Object(reference(snapshot, ix))).collect()
}

/// The findings by kind: how many, what the kind says, and the first few of it.
fn diagnostics(snapshot: &Snapshot) -> Value {
    let mut kinds: BTreeMap<(Severity, String), Vec<&Diagnostic>> = BTreeMap::new();
    for one in snapshot.diagnostics() {
        kinds.entry((one.severity, one.check.code().into_owned())).or_default().push(one);
    }
    let count =
        |severity: Severity| snapshot.diagnostics().iter().filter(|one| one.severity == severity).count();
    let mut by_code: Vec<Value> = Vec::new();
    for ((severity, code), found) in &kinds {
        let mut kind = Map::new();
        kind.insert("code".to_owned(), Value::from(code.as_str()));
        kind.insert("severity".to_owned(), Value::from(severity.as_str()));
        kind.insert("count".to_owned(), Value::from(found.len()));
        kind.insert("meaning".to_owned(), Value::from(found[0].check.meaning()));
        let first = found.iter().take(FINDINGS_MAX).map(|one| finding(one));
        kind.insert("first".to_owned(), first.collect());
        by_code.push(Value::Object(kind));
    }
    json!({
        "error": count(Severity::Error),
        "warn": count(Severity::Warn),
        "info": count(Severity::Info),
        "by_code": by_code,
    })
}
