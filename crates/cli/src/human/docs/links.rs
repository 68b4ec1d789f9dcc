//! `readroom docs links`: what leads to a node, where it leads, and which addresses outside of the project it names. None of
//! them is asked for.

use docs::{Checked, Edge, Snapshot};
use fault::one_line;
use serde_json::json;

use super::json::tell;
use super::project::{open, print};
use super::show::found;
use crate::exit::{Ended, Exit};
use crate::flags::docs::LinksFlags;

/// Without any word about the direction, the links of both are listed.
pub(super) fn run(flags: &LinksFlags) -> Result<Exit, Ended> {
    if flags.json {
        let (tool, arguments) = match (flags.inbound, flags.out) {
            (true, false) => ("docforge_backlinks", json!({ "id": flags.id, "mentions": true })),
            (false, true) => ("docforge_dependencies", json!({ "id": flags.id, "mentions": true })),
            _ => ("docforge_get_node", json!({ "id": flags.id, "include": ["relations", "inbound"] })),
        };
        return Ok(tell(&flags.root.path, tool, &arguments)?.1);
    }
    let opened = open(&flags.root.path, Checked::Stat)?;
    let snapshot = opened.snapshot()?;
    let ix = found(snapshot, &flags.id)?;
    let both = !(flags.inbound || flags.out || flags.external);
    let mut out = String::new();
    if flags.out || both {
        for edge in snapshot.out(ix) {
            push(snapshot, edge, &mut out);
        }
        for dangling in snapshot.dangling().iter().filter(|dangling| dangling.from == ix) {
            let relation = &snapshot.contract().relations[dangling.relation as usize].name;
            out.push_str(&format!("{} -{relation}-> ", snapshot.node(ix).id));
            one_line(&dangling.target, &mut out);
            out.push_str("  (missing)\n");
        }
    }
    if flags.inbound || both {
        for edge in snapshot.inbound(ix) {
            push(snapshot, edge, &mut out);
        }
    }
    if flags.external {
        for address in &snapshot.node(ix).external {
            one_line(address, &mut out);
            out.push('\n');
        }
    }
    print(&out)?;
    Ok(Exit::Ok)
}

fn push(snapshot: &Snapshot, edge: &Edge, out: &mut String) {
    let relation = &snapshot.contract().relations[edge.relation as usize].name;
    one_line(&snapshot.node(edge.from).id, out);
    out.push_str(&format!(" -{relation}-> "));
    one_line(&snapshot.node(edge.to).id, out);
    let mut marks = Vec::new();
    if edge.kind == docs::EdgeKind::Mention {
        marks.push("mention");
    }
    if edge.suspect == Some(true) {
        marks.push("suspect");
    }
    if !marks.is_empty() {
        out.push_str(&format!("  ({})", marks.join(", ")));
    }
    if let Some(note) = &edge.note {
        out.push_str("  ");
        one_line(note, out);
    }
    out.push('\n');
}
