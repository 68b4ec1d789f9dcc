//! `readroom docs impact`: whom a change of nodes, their removal, or a changeset would touch. It shows what the tool of the
//! same meaning answers.

use serde_json::{Map, Value, json};

use super::json::{result, tell};
use super::project::{print, shown};
use crate::exit::{Ended, Exit};
use crate::flags::docs::ImpactFlags;

const TOOL: &str = "docforge_impact";

pub(super) fn run(flags: &ImpactFlags) -> Result<Exit, Ended> {
    let arguments = arguments(flags);
    if flags.read.json {
        return Ok(tell(&flags.read.root.path, TOOL, &arguments)?.1);
    }
    print(&page(&result(&flags.read.root.path, TOOL, &arguments)?))?;
    Ok(Exit::Ok)
}

fn arguments(flags: &ImpactFlags) -> Value {
    let mut arguments = Map::new();
    let mut put = |key: &str, value: Value| drop(arguments.insert(key.to_owned(), value));
    match &flags.changeset {
        Some(id) => put("changeset_id", json!(id)),
        None => put("ids", json!(flags.ids)),
    }
    if flags.delete {
        put("change", json!("delete"));
    }
    if let Some(field) = &flags.field {
        put("change", json!(format!("field:{field}")));
    }
    if let Some(depth) = flags.depth {
        put("depth", json!(depth));
    }
    if flags.mentions {
        put("mentions", json!(true));
    }
    Value::Object(arguments)
}

/// The answer for people: one line a node with the way to it, then findings, rules and views.
fn page(result: &Value) -> String {
    let mut out = String::new();
    let list = |key: &str| result[key].as_array().cloned().unwrap_or_default();
    let text = |value: &Value, key: &str| shown(value[key].as_str().unwrap_or_default());
    for node in list("affected") {
        let title = shown(node["doc"]["title"].as_str().unwrap_or_default());
        out.push_str(&format!(
            "{}  {}  {}  {title}  {}:{}\n",
            node["distance"],
            text(&node, "id"),
            text(&node, "type"),
            text(&node, "path"),
            node["line"]
        ));
        for step in node["via"].as_array().into_iter().flatten() {
            let (from, to) = (text(step, "from"), text(step, "to"));
            out.push_str(&format!("     {from} -{}-> {to}\n", text(step, "relation")));
        }
        let reason = text(&node, "reason");
        if reason != "relation" || node["suspect"] == true {
            let suspect = if node["suspect"] == true { ", the pin does not match already" } else { "" };
            out.push_str(&format!("     because of: {reason}{suspect}\n"));
        }
        for broken in node["breaks"].as_array().into_iter().flatten() {
            out.push_str(&format!("     then: [{}] {}\n", text(broken, "code"), text(broken, "message")));
        }
    }
    for rule in list("rules") {
        out.push_str(&format!(
            "rule {}: {} -> {}\n",
            text(&rule, "id"),
            text(&rule, "now"),
            text(&rule, "then")
        ));
    }
    for view in list("views") {
        let output = view["output"].as_str().map_or_else(String::new, |path| format!("  {}", shown(path)));
        out.push_str(&format!("view {}: {}{output}\n", text(&view, "id"), text(&view, "reason")));
    }
    if let Some(others) = result["other_breaks"].as_u64().filter(|others| *others > 0) {
        out.push_str(&format!("{others} more finding(s) would appear that concern none of these nodes\n"));
    }
    let total = result["affected_total"].as_u64().unwrap_or_default();
    out.push_str(&format!("{total} node(s) touched"));
    out.push_str(if result["truncated"] == true { "; more lie beyond --depth\n" } else { "\n" });
    out
}
