//! `readroom docs context`: a node and what matters around it within a budget, as a text to read or to hand over. It shows
//! what the tool of the same meaning answers.

use fault::one_line;
use serde_json::{Map, Value, json};

use super::json::{result, tell};
use super::project::{print, shown};
use crate::exit::{Ended, Exit};
use crate::flags::docs::ContextFlags;

const TOOL: &str = "docforge_get_context";

pub(super) fn run(flags: &ContextFlags) -> Result<Exit, Ended> {
    let mut arguments = Map::from_iter([("id".to_owned(), json!(flags.id))]);
    for (key, number) in [("budget_tokens", flags.budget), ("depth", flags.depth)] {
        arguments.extend(number.map(|number| (key.to_owned(), json!(number))));
    }
    arguments.extend(flags.query.as_ref().map(|query| ("query".to_owned(), json!(query))));
    let arguments = Value::Object(arguments);
    if flags.read.json {
        return Ok(tell(&flags.read.root.path, TOOL, &arguments)?.1);
    }
    print(&page(&result(&flags.read.root.path, TOOL, &arguments)?))?;
    Ok(Exit::Ok)
}

/// The answer for people: each node with the way to it and as much of it as the budget allows.
fn page(result: &Value) -> String {
    let mut out = String::new();
    for item in result["items"].as_array().into_iter().flatten() {
        node(item, &mut out);
        out.push('\n');
    }
    let omitted = &result["omitted"];
    let names: Vec<String> = omitted["top"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["id"].as_str())
        .map(shown)
        .collect();
    if !names.is_empty() {
        out.push_str(&format!("left out: {} node(s), the nearest {}\n", omitted["count"], names.join(", ")));
    }
    out.push_str(&format!(
        "{} of {} tokens ({})\n",
        result["tokens_used"],
        result["budget_tokens"],
        result["estimator"].as_str().unwrap_or_default()
    ));
    out
}

fn node(item: &Value, out: &mut String) {
    let text = |key: &str| shown(item[key].as_str().unwrap_or_default());
    let doc = &item["doc"];
    let title = shown(doc["title"].as_str().unwrap_or_default());
    out.push_str(&format!("{}  {}  {title}  {}:{}\n", text("id"), text("type"), text("path"), item["line"]));
    let mut way = String::new();
    for step in item["via"].as_array().into_iter().flatten() {
        let (relation, id) = (step["relation"].as_str(), step["id"].as_str());
        let arrow = if step["direction"] == "out" { ("-", "->") } else { ("<-", "-") };
        way.push_str(&format!(
            " {}{}{} {}",
            arrow.0,
            shown(relation.unwrap_or_default()),
            arrow.1,
            shown(id.unwrap_or_default())
        ));
    }
    if !way.is_empty() {
        out.push_str(&format!(" {way}\n"));
    }
    for (name, value) in doc["fields"].as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        out.push_str(&format!("  {}: {}\n", shown(name), shown(&value)));
    }
    let body = doc["body"].as_str().or_else(|| doc["excerpt"].as_str()).unwrap_or_default();
    for line in body.lines() {
        out.push_str("  ");
        one_line(line, out);
        out.push('\n');
    }
    if let Some(next) = doc["body_next"].as_u64() {
        out.push_str(&format!("  … cut at byte {next} of {}\n", doc["body_total"]));
    }
}
