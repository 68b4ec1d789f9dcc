//! Nodes, edges and findings as they stand on the wire. Whatever a document or a caller wrote freely goes below a key `doc`,
//! and classes of characters that do not show are named beside it; ids, paths and names are checked elsewhere and may
//! stand anywhere (contract "Read tools": document text is project content).

use ::docs::{Check, Diagnostic, Edge, Hash, Hidden, Node, NodeIx, Snapshot, hidden};
use serde_json::{Map, Value, json};

/// Puts free text below `doc`, and beside it what of it does not show.
pub(super) fn put_doc(out: &mut Map<String, Value>, doc: Map<String, Value>) {
    if doc.is_empty() {
        return;
    }
    let doc = Value::Object(doc);
    let mut classes = Vec::new();
    gather(&doc, &mut classes);
    out.insert("doc".to_owned(), doc);
    if !classes.is_empty() {
        classes.sort_unstable();
        let words: Vec<&str> = classes.into_iter().map(Hidden::as_str).collect();
        out.insert("hidden".to_owned(), words.into());
    }
}

fn gather(value: &Value, classes: &mut Vec<Hidden>) {
    match value {
        Value::String(text) => add(text, classes),
        Value::Array(items) => items.iter().for_each(|item| gather(item, classes)),
        Value::Object(members) => {
            for (name, member) in members {
                add(name, classes);
                gather(member, classes);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn add(text: &str, classes: &mut Vec<Hidden>) {
    for class in hidden(text) {
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
}

/// The same for values that were put together elsewhere: beside each `doc` stands what of it does not show.
pub(super) fn mark_hidden(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mark_hidden),
        Value::Object(members) => {
            if let Some(Value::Object(doc)) = members.shift_remove("doc") {
                put_doc(members, doc);
            }
            for (name, member) in members.iter_mut() {
                if name != "doc" {
                    mark_hidden(member);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// An object of one key, for `doc`.
pub(super) fn one(key: &str, value: impl Into<Value>) -> Map<String, Value> {
    Map::from_iter([(key.to_owned(), value.into())])
}

/// What every list says of a node.
pub(super) fn node_ref(node: &Node) -> Map<String, Value> {
    node_ref_with(node, one("title", node.title.as_str()))
}

/// The same with other free text than the title.
pub(super) fn node_ref_with(node: &Node, doc: Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("id".to_owned(), node.id.as_str().into());
    out.insert("type".to_owned(), node.type_name.as_str().into());
    out.insert("path".to_owned(), node.path.as_str().into());
    out.insert("line".to_owned(), node.span.line.into());
    out.insert("node_hash".to_owned(), node.hash.to_string().into());
    out.insert("state".to_owned(), node.state.word().into());
    put_doc(&mut out, doc);
    out
}

/// An edge, its ends named by id.
pub(super) fn edge_ref(snapshot: &Snapshot, edge: &Edge) -> Map<String, Value> {
    let relation = &snapshot.contract().relations[edge.relation as usize];
    let mut out = Map::new();
    out.insert("relation".to_owned(), relation.name.as_str().into());
    out.insert("inverse".to_owned(), relation.inverse.as_str().into());
    out.insert("from".to_owned(), snapshot.node(edge.from).id.as_str().into());
    out.insert("to".to_owned(), snapshot.node(edge.to).id.as_str().into());
    out.insert("kind".to_owned(), edge.kind.as_str().into());
    let mut doc = Map::new();
    if let Some(pin) = &edge.pin {
        put_pin(pin, &mut out, &mut doc);
    }
    if let Some(suspect) = edge.suspect {
        out.insert("suspect".to_owned(), suspect.into());
    }
    if let Some(note) = &edge.note {
        doc.insert("note".to_owned(), note.as_str().into());
    }
    put_doc(&mut out, doc);
    out
}

/// A pin of our own form may stand anywhere; whatever else a document has in its place is free text.
pub(super) fn put_pin(pin: &str, out: &mut Map<String, Value>, doc: &mut Map<String, Value>) {
    let holder = if Hash::parse(pin).is_some() { out } else { doc };
    holder.insert("pin".to_owned(), pin.into());
}

/// An edge and the node at its other end.
pub(super) fn edge_with_node(snapshot: &Snapshot, edge: &Edge, far: NodeIx) -> Value {
    let mut out = edge_ref(snapshot, edge);
    out.insert("node".to_owned(), Value::Object(node_ref(snapshot.node(far))));
    Value::Object(out)
}

/// A finding.
pub(super) fn diagnostic(one: &Diagnostic) -> Value {
    let mut out = Map::new();
    out.insert("code".to_owned(), one.check.code().into_owned().into());
    out.insert("severity".to_owned(), one.severity.as_str().into());
    out.insert("message".to_owned(), one.message.as_str().into());
    let place = &one.place;
    if let Some(path) = &place.path {
        out.insert("path".to_owned(), path.as_str().into());
    }
    for (key, number) in [("line", place.line), ("column", place.column)] {
        if let Some(number) = number {
            out.insert(key.to_owned(), number.into());
        }
    }
    if let Some(node) = &one.node {
        out.insert("node".to_owned(), node.as_str().into());
    }
    if !one.related.is_empty() {
        out.insert("related".to_owned(), one.related.clone().into());
    }
    let mut doc = Map::new();
    // What to write instead of a wrong choice repeats a choice, and the manifest words those freely.
    if let Some(fix) = &one.fix {
        let holder = if one.check == Check::EnumValue { &mut doc } else { &mut out };
        holder.insert("fix".to_owned(), fix.as_str().into());
    }
    if let Some(text) = &one.doc {
        let key = if matches!(one.check, Check::Rule(_)) { "message" } else { "text" };
        doc.insert(key.to_owned(), text.as_str().into());
    }
    put_doc(&mut out, doc);
    Value::Object(out)
}

/// How many findings there are of each severity.
pub(super) fn severities<'d>(findings: impl IntoIterator<Item = &'d Diagnostic>) -> Value {
    let mut counts = [0usize; 3];
    for finding in findings {
        counts[finding.severity as usize] += 1;
    }
    json!({ "error": counts[0], "warn": counts[1], "info": counts[2] })
}
