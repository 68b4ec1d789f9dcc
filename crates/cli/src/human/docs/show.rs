//! `readroom docs show`, `search` and `filter`: one node as a person reads it, and the nodes that words or a condition mean.

use std::path::Path;

use docs::{Checked, Filter, FilterScope, LookUp, Node, NodeIx, Query, SearchScope, Snapshot, near};
use fault::one_line;
use serde_json::{Value, json};

use super::json::tell;
use super::project::{open, print};
use crate::exit::{Ended, Exit};
use crate::flags::docs::{FilterFlags, SearchFlags, ShowFlags};

/// The node of this id; the reason as an end when there is none.
pub(super) fn found(snapshot: &Snapshot, id: &str) -> Result<NodeIx, Ended> {
    let mut shown = String::new();
    one_line(id, &mut shown);
    let message = match snapshot.look_up(id) {
        LookUp::Found(ix) | LookUp::ByAlias(ix) => return Ok(ix),
        LookUp::Ambiguous(paths) => format!("'{shown}' is claimed by several nodes: {}", paths.join(", ")),
        LookUp::Missing => {
            let ids = snapshot.nodes().iter().map(|node| node.id.as_str());
            match near(id, ids, 5).as_slice() {
                [] => format!("no node has the id '{shown}'"),
                close => format!("no node has the id '{shown}'; did you mean {}?", close.join(", ")),
            }
        }
    };
    Err(Ended::Message(Exit::Runtime, message))
}

pub(super) fn node(flags: &ShowFlags) -> Result<Exit, Ended> {
    let root = &flags.read.root.path;
    if flags.read.json {
        return Ok(tell(root, "docforge_get_node", &json!({ "id": flags.id }))?.1);
    }
    let opened = open(root, Checked::Stat)?;
    let snapshot = opened.snapshot()?;
    let ix = found(snapshot, &flags.id)?;
    let node = snapshot.node(ix);
    let mut out = line(node);
    let mut push = |name: &str, value: &str| {
        out.push_str("  ");
        one_line(name, &mut out);
        out.push_str(": ");
        one_line(value, &mut out);
        out.push('\n');
    };
    if !node.aliases.is_empty() {
        push("aliases", &node.aliases.join(", "));
    }
    for field in &node.fields {
        let json = field.value.to_json();
        let text = json.as_str().map_or_else(|| json.to_string(), str::to_owned);
        push(&field.name, &text);
    }
    for edge in snapshot.out(ix) {
        let relation = &snapshot.contract().relations[edge.relation as usize];
        push(&relation.name, &snapshot.node(edge.to).id);
    }
    for edge in snapshot.inbound(ix) {
        let relation = &snapshot.contract().relations[edge.relation as usize];
        push(&relation.inverse, &snapshot.node(edge.from).id);
    }
    push("hash", &node.hash.to_string());
    if !node.body.is_empty() {
        out.push('\n');
        for text in node.body.lines() {
            one_line(text, &mut out);
            out.push('\n');
        }
    }
    print(&out)?;
    Ok(Exit::Ok)
}

pub(super) fn filter(flags: &FilterFlags) -> Result<Exit, Ended> {
    let root = &flags.read.root.path;
    if flags.read.json {
        return list(root, "docforge_filter_nodes", &json!({ "where": flags.expression }), "nodes");
    }
    let opened = open(root, Checked::Stat)?;
    let snapshot = opened.snapshot()?;
    let filter =
        Filter::parse(&flags.expression, &FilterScope::of(snapshot.contract())).map_err(|fault| {
            let mut shown = String::new();
            one_line(&fault.message, &mut shown);
            if !fault.near.is_empty() {
                shown.push_str(&format!("; did you mean {}?", fault.near.join(", ")));
            }
            Ended::Message(
                Exit::Usage,
                format!("the filter is not valid at character {}: {shown}", fault.position),
            )
        })?;
    let nodes = filter.select(snapshot).map_err(|_| {
        Ended::Message(
            Exit::Runtime,
            "the filter costs too much; narrow it, for example with `type = …`".to_owned(),
        )
    })?;
    let mut out: String = nodes.iter().map(|ix| line(snapshot.node(*ix))).collect();
    out.push_str(&format!("{} node(s)\n", nodes.len()));
    print(&out)?;
    Ok(if nodes.is_empty() { Exit::Runtime } else { Exit::Ok })
}

/// Hits that are printed.
const HITS_SHOWN: usize = 50;

pub(super) fn search(flags: &SearchFlags) -> Result<Exit, Ended> {
    let root = &flags.read.root.path;
    if flags.read.json {
        return list(root, "docforge_search", &json!({ "query": flags.query }), "hits");
    }
    let opened = open(root, Checked::Stat)?;
    let snapshot = opened.snapshot()?;
    let query = Query::parse(&flags.query).map_err(|fault| Ended::Message(Exit::Usage, fault.to_string()))?;
    let scope = SearchScope::default();
    let hits = snapshot
        .search(&query, scope)
        .map_err(|_| Ended::Message(Exit::Runtime, "the search costs too much".to_owned()))?;
    let mut out = String::new();
    for hit in hits.iter().take(HITS_SHOWN) {
        out.push_str(&line(snapshot.node(hit.node)));
        let snippet = snapshot.snippet(hit.node, &query);
        if !snippet.is_empty() {
            out.push_str("    ");
            one_line(&snippet, &mut out);
            out.push('\n');
        }
    }
    out.push_str(&match hits.len() {
        count @ 0..=HITS_SHOWN => format!("{count} hit(s)\n"),
        count => format!("{count} hit(s), the best {HITS_SHOWN} shown\n"),
    });
    print(&out)?;
    Ok(if hits.is_empty() { Exit::Runtime } else { Exit::Ok })
}

/// A list as JSON; an empty one has the exit code that it has as text.
fn list(root: &Path, tool: &str, arguments: &Value, key: &str) -> Result<Exit, Ended> {
    let (answer, exit) = tell(root, tool, arguments)?;
    let is_empty = answer["result"][key].as_array().is_some_and(Vec::is_empty);
    Ok(if exit == Exit::Ok && is_empty { Exit::FINDINGS } else { exit })
}

/// A node on one line: id, type, state, title, place.
pub(super) fn line(node: &Node) -> String {
    let mut out = String::new();
    one_line(&node.id, &mut out);
    out.push_str(&format!("  {}  {}  ", node.type_name, node.state.word()));
    one_line(&node.title, &mut out);
    out.push_str("  ");
    one_line(&node.path, &mut out);
    out.push_str(&format!(":{}\n", node.span.line));
    out
}
