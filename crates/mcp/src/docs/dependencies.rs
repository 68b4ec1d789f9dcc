//! `docforge_dependencies` on the wire: what a node leads to.

use ::docs::EdgeScope;
use serde_json::{Map, Value, json};

use super::call::{Call, id_argument, names, node, number, relations};
use super::envelope::Answer;
use super::fault::{DocEnd, Warning};
use super::page::fitting;
use super::schema::{
    About, READING, count, edge, flag, id, integer, limit, list, map, mentions, node as node_schema,
    relations as relations_schema, text, texts, tool as make,
};
use super::shape::{edge_ref, node_ref, one, put_doc};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_dependencies";

const LIMIT_MAX: usize = 500;
const LIMIT: usize = 100;
const DEPTH_MAX: usize = 10;
const DEPTH: usize = 1;
/// Shares of the answer, in hundredths.
const NODES_PERCENT: usize = 60;
const EDGES_PERCENT: usize = 25;
const REST_PERCENT: usize = 7;

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        id(),
        relations_schema(),
        integer("depth", (1, DEPTH_MAX), DEPTH, "Most steps."),
        mentions(),
        limit(LIMIT_MAX, LIMIT),
    ]
}

pub(super) fn tool() -> Tool {
    let step = closed_object(vec![("relation", text()), ("id", text())], &["relation", "id"]);
    let reached = node_schema(vec![("depth", count()), ("path", list(step))], &[]);
    let dangling = closed_object(
        vec![("from", text()), ("relation", text()), ("doc", map()), ("hidden", texts())],
        &["from", "relation", "doc"],
    );
    make(
        About {
            name: NAME,
            title: "List dependencies",
            description: "What a node leads to, step by step: each node with its distance and the shortest way, the edges among them, \
                          circles, and relations that lead nowhere. `truncated` says that there is more within the depth: \
                          narrow `relations` or `depth`, or go on from a node at the edge.",
            hints: READING,
        },
        properties(),
        &["id"],
        closed_object(
            vec![
                ("nodes", list(reached)),
                ("edges", list(edge(false))),
                ("edges_total", count()),
                ("cycles", json!({"type": "array", "items": {"type": "array", "items": {"type": "string"}}})),
                ("dangling", list(dangling)),
                ("dangling_total", count()),
                ("truncated", flag()),
            ],
            &["nodes", "edges", "cycles", "dangling", "truncated"],
        ),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let id = id_argument(&arguments, "id")?;
    let wanted = names(&arguments, "relations")?;
    let depth = number(&arguments, "depth", (1, DEPTH_MAX), DEPTH)?;
    let mentions = arguments.boolean("mentions")?.unwrap_or(false);
    let most = call.limit(&arguments, LIMIT_MAX, LIMIT)?;
    let snapshot = call.snapshot()?;
    let (start, _) = node(&snapshot, &id)?;
    let wanted = relations(&snapshot, &wanted)?;
    let scope = EdgeScope { relations: wanted.as_deref(), mentions };
    let aim = call.bytes_aim();
    let share = |percent: usize| aim / 100 * percent;
    let name = |at: u32| snapshot.contract().relations[at as usize].name.as_str();
    let mut found = snapshot.dependencies(start, &scope, depth, most);
    let shown = fitting(found.nodes.iter(), usize::MAX, share(NODES_PERCENT), |reached| {
        let mut out = node_ref(snapshot.node(reached.node));
        out.insert("depth".to_owned(), reached.depth.into());
        let path = reached
            .path
            .iter()
            .map(|(relation, to)| json!({ "relation": name(*relation), "id": snapshot.node(*to).id }));
        out.insert("path".to_owned(), path.collect());
        Value::Object(out)
    });
    if shown.len() < found.nodes.len() {
        // What is told of edges, circles and loose ends is of the nodes that are shown.
        found = snapshot.dependencies(start, &scope, depth, shown.len());
    }
    let mut answer = Answer::default();
    let (edges, edges_total) = call.capped(&found.edges, share(EDGES_PERCENT), |at| {
        Value::Object(edge_ref(&snapshot, &snapshot.edges()[*at]))
    });
    let (cycles, cycles_total) = call.capped(&found.cycles, share(REST_PERCENT), |circle| {
        circle.iter().map(|ix| Value::from(snapshot.node(*ix).id.as_str())).collect()
    });
    let (dangling, dangling_total) = call.capped(&found.dangling, share(REST_PERCENT), |one_end| {
        let mut out = one("from", snapshot.node(one_end.from).id.as_str());
        out.insert("relation".to_owned(), name(one_end.relation).into());
        put_doc(&mut out, one("target", one_end.target.as_str()));
        Value::Object(out)
    });
    if edges.len() < edges_total || cycles.len() < cycles_total || dangling.len() < dangling_total {
        answer.warnings.push(MORE);
    }
    let mut out = Map::new();
    out.insert("nodes".to_owned(), shown.into());
    out.insert("edges".to_owned(), edges.into());
    out.insert("edges_total".to_owned(), edges_total.into());
    out.insert("cycles".to_owned(), cycles.into());
    out.insert("dangling".to_owned(), dangling.into());
    out.insert("dangling_total".to_owned(), dangling_total.into());
    out.insert("truncated".to_owned(), found.is_truncated.into());
    answer.result = out;
    Ok(answer)
}

const MORE: Warning = Warning {
    code: "more_edges",
    message: "Not every edge, circle or loose end among the nodes is shown; narrow `relations` or `depth`.",
};
