//! A node as the page gets it: its names and state, and for the one in the middle what a person reads. Free text of
//! documents stands under `doc` alone, cut to what a page may hold. It makes no markup.

use docs::{Hidden, Node, NodeIx, Snapshot, hidden};
use serde_json::{Map, Value, json};

use crate::limits::{FIELD_BYTES_MAX, FINDINGS_MAX, TEXT_BYTES_MAX};

/// Characters of a title that are sent.
const TITLE_CHARS_MAX: usize = 300;
/// Old ids of a node that are sent.
const ALIASES_MAX: usize = 20;

/// What names a node (spec C12.2), with the number of its edges.
pub(crate) fn reference(snapshot: &Snapshot, ix: NodeIx) -> Map<String, Value> {
    let node = snapshot.node(ix);
    let mut object = Map::new();
    object.insert("id".to_owned(), Value::from(node.id.as_str()));
    object.insert("type".to_owned(), Value::from(node.type_name.as_str()));
    object.insert("path".to_owned(), Value::from(node.path.as_str()));
    object.insert("line".to_owned(), Value::from(node.span.line));
    object.insert("node_hash".to_owned(), Value::from(node.hash.to_string()));
    object.insert("state".to_owned(), Value::from(node.state.word()));
    object.insert("in".to_owned(), Value::from(snapshot.inbound(ix).count()));
    object.insert("out".to_owned(), Value::from(snapshot.out(ix).count()));
    let (title, _) = cut_chars(&node.title, TITLE_CHARS_MAX);
    object.insert("doc".to_owned(), json!({ "title": title }));
    mark_hidden(&mut object, [title]);
    object
}

/// What a person reads of a node: fields, the beginning of the body, findings, everything within the bytes that one node
/// may take.
pub(crate) fn detail(snapshot: &Snapshot, ix: NodeIx) -> Value {
    let node = snapshot.node(ix);
    let mut object = reference(snapshot, ix);
    object.insert("source".to_owned(), Value::from(node.source.as_str()));
    object.insert("ordinal".to_owned(), Value::from(node.ordinal));
    let aliases: Vec<&str> = node.aliases.iter().take(ALIASES_MAX).map(String::as_str).collect();
    object.insert("aliases".to_owned(), json!(aliases));
    object.insert("states".to_owned(), states(node));
    object.insert("diagnostics".to_owned(), findings(snapshot, &node.id));
    let (fields, fields_cut) = fields(snapshot, node);
    let (excerpt, excerpt_cut) = cut_bytes(&node.body, TEXT_BYTES_MAX);
    object.insert("fields_cut".to_owned(), Value::from(fields_cut));
    object.insert("body_bytes".to_owned(), Value::from(node.body.len()));
    object.insert("excerpt_cut".to_owned(), Value::from(excerpt_cut));
    let shown: Vec<String> =
        fields.iter().filter_map(|field| field["value"].as_str().map(str::to_owned)).collect();
    let (title, _) = cut_chars(&node.title, TITLE_CHARS_MAX);
    mark_hidden(&mut object, shown.iter().map(String::as_str).chain([title, excerpt]));
    object.insert("doc".to_owned(), json!({ "title": title, "fields": fields, "excerpt": excerpt }));
    Value::Object(object)
}

/// Every state that the node is in; `clean` when it is in none of the others but orphan.
fn states(node: &Node) -> Value {
    let state = node.state;
    let all = [
        ("error", state.error),
        ("suspect", state.suspect),
        ("warn", state.warn),
        ("orphan", state.orphan),
        ("clean", state.is_clean()),
    ];
    all.into_iter().filter(|(_, is)| *is).map(|(word, _)| word).collect()
}

/// The fields as lines of text, in the order of the contract, and whether something was left out.
fn fields(snapshot: &Snapshot, node: &Node) -> (Vec<Value>, bool) {
    let kind = snapshot.contract().type_def(&node.type_name);
    let place = |name: &str| {
        kind.and_then(|kind| kind.fields.iter().position(|field| field.name == name)).unwrap_or(usize::MAX)
    };
    let mut fields: Vec<_> = node.fields.iter().collect();
    fields.sort_by_key(|field| place(&field.name));
    let (mut lines, mut left, mut is_cut) = (Vec::new(), TEXT_BYTES_MAX, false);
    for field in fields {
        let text = text_of(&field.value.to_json());
        let (value, cut) = cut_bytes(&text, FIELD_BYTES_MAX.min(left));
        left -= value.len();
        is_cut |= cut;
        let label = kind.and_then(|kind| kind.field(&field.name)).and_then(|field| field.label.as_deref());
        lines.push(json!({ "name": field.name, "label": label, "value": value }));
    }
    (lines, is_cut)
}

/// A value as people read it.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(text_of).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

fn findings(snapshot: &Snapshot, id: &str) -> Value {
    let about = snapshot.diagnostics().iter().filter(|one| one.node.as_deref() == Some(id));
    about.take(FINDINGS_MAX).map(finding).collect()
}

/// One finding.
pub(crate) fn finding(one: &docs::Diagnostic) -> Value {
    let text = one.doc.as_deref().map(|text| cut_chars(text, TITLE_CHARS_MAX).0);
    json!({
        "code": one.check.code(),
        "severity": one.severity.as_str(),
        "message": one.message,
        "path": one.place.path,
        "line": one.place.line,
        "node": one.node,
        "fix": one.fix,
        "doc": text.map(|text| json!({ "text": text })),
    })
}

/// Says which characters of the texts do not show.
pub(crate) fn mark_hidden<'a>(object: &mut Map<String, Value>, texts: impl IntoIterator<Item = &'a str>) {
    let mut classes: Vec<Hidden> = texts.into_iter().flat_map(hidden).collect();
    classes.sort_unstable();
    classes.dedup();
    if !classes.is_empty() {
        object.insert("hidden".to_owned(), classes.into_iter().map(Hidden::as_str).collect());
    }
}

/// The first `most` characters, and whether more follow.
pub(crate) fn cut_chars(text: &str, most: usize) -> (&str, bool) {
    match text.char_indices().nth(most) {
        Some((end, _)) => (&text[..end], true),
        None => (text, false),
    }
}

/// The first `most` bytes or a few less, whole characters, and whether more follow.
fn cut_bytes(text: &str, most: usize) -> (&str, bool) {
    let end = text.floor_char_boundary(most);
    (&text[..end], end < text.len())
}
