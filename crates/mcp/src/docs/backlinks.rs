//! `docforge_backlinks` on the wire: what leads to a node.

use std::collections::BTreeMap;

use ::docs::EdgeScope;
use serde_json::{Map, Value};

use super::call::{Call, List, id_argument, names, node, relations};
use super::envelope::Answer;
use super::fault::DocEnd;
use super::schema::{
    About, READING, cursor, edge, id, limit, list, map, mentions, relations as relations_schema, tool as make,
};
use super::shape::edge_with_node;
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_backlinks";

const LIMIT_MAX: usize = 200;
const LIMIT: usize = 50;

fn properties() -> Vec<(&'static str, Value)> {
    vec![id(), relations_schema(), mentions(), limit(LIMIT_MAX, LIMIT), cursor()]
}

pub(super) fn tool() -> Tool {
    make(
        About {
            name: NAME,
            title: "List backlinks",
            description: "The edges that lead to a node, with the node that each starts at, by relation in the order of the \
                          contract, then by id. `by_relation` counts all of them.",
            hints: READING,
        },
        properties(),
        &["id"],
        closed_object(vec![("edges", list(edge(true))), ("by_relation", map())], &["edges", "by_relation"]),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let id = id_argument(&arguments, "id")?;
    let wanted = names(&arguments, "relations")?;
    let mentions = arguments.boolean("mentions")?.unwrap_or(false);
    let most = call.limit(&arguments, LIMIT_MAX, LIMIT)?;
    let cursor = arguments.filled_text("cursor")?;
    let snapshot = call.snapshot()?;
    let (ix, _) = node(&snapshot, &id)?;
    let wanted = relations(&snapshot, &wanted)?;
    let scope = EdgeScope { relations: wanted.as_deref(), mentions };
    let edges: Vec<_> = snapshot.inbound(ix).filter(|edge| scope.takes(edge.relation, edge.kind)).collect();
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for edge in &edges {
        *counts.entry(edge.relation).or_default() += 1;
    }
    let declared = &snapshot.contract().relations;
    let counts =
        counts.into_iter().map(|(at, count)| (declared[at as usize].name.clone(), Value::from(count)));
    let counts: Map<String, Value> = counts.collect();
    let list = List { total: edges.len(), limit: most, cursor, state: snapshot.snapshot_id() };
    let (shown, page) = call.page(list, edges.iter(), |edge| edge_with_node(&snapshot, edge, edge.from))?;
    let mut out = Map::new();
    out.insert("edges".to_owned(), shown.into());
    out.insert("by_relation".to_owned(), Value::Object(counts));
    Ok(Answer { result: out, page: Some(page), ..Answer::default() })
}
