//! What a changeset would change: node by node for a reader, and as a patch of files for a program (spec C10.8). It writes
//! nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use docs::{Hash, lines};
use serde_json::{Map, Value, json};

use crate::case::{Case, Desk};
use crate::check;
use crate::content::{Content, Item, Relation};
use crate::entry::Placement;
use crate::finding::hash_of;
use crate::overlay::FileChange;
use crate::validate::EntryReport;

/// What happens to one node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDiff {
    /// The node.
    pub id: String,
    /// `create`, `update`, `move` or `delete`.
    pub kind: &'static str,
    /// How the entry stands.
    pub base_state: &'static str,
    /// Where it stands now and where it would, when that differs.
    pub location: Option<(Option<String>, Option<String>)>,
    /// The title before and after, when it changes.
    pub title: Option<(Option<String>, Option<String>)>,
    /// Fields that change: name, before, after.
    pub fields: Vec<(String, Option<Value>, Option<Value>)>,
    /// Relations that come.
    pub added: Vec<Relation>,
    /// Relations that go.
    pub removed: Vec<Relation>,
    /// Lines of the body that change.
    pub body: Vec<lines::Hunk>,
}

impl NodeDiff {
    /// `{id, kind, base_state, location?, relations, doc:{title?, fields, body?}}`: free text under `doc`.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("id".to_owned(), self.id.as_str().into());
        out.insert("kind".to_owned(), self.kind.into());
        out.insert("base_state".to_owned(), self.base_state.into());
        if let Some((from, to)) = &self.location {
            out.insert("location".to_owned(), json!({ "from": from, "to": to }));
        }
        let relations = |list: &[Relation]| list.iter().map(relation_json).collect::<Vec<Value>>();
        out.insert(
            "relations".to_owned(),
            json!({ "added": relations(&self.added), "removed": relations(&self.removed) }),
        );
        let mut doc = Map::new();
        if let Some((before, after)) = &self.title {
            doc.insert("title".to_owned(), json!({ "before": before, "after": after }));
        }
        let fields = self
            .fields
            .iter()
            .map(|(name, before, after)| json!({ "field": name, "before": before, "after": after }));
        doc.insert("fields".to_owned(), fields.collect());
        if !self.body.is_empty() {
            let hunks = self.body.iter().map(|hunk| {
                json!({
                    "old_start": hunk.old_start,
                    "old_lines": hunk.old_lines,
                    "new_start": hunk.new_start,
                    "new_lines": hunk.new_lines,
                    "lines": hunk.lines.iter().map(|line| line.trim_end_matches('\n')).collect::<Vec<&str>>(),
                })
            });
            doc.insert("body".to_owned(), json!({ "hunks": hunks.collect::<Vec<Value>>() }));
        }
        out.insert("doc".to_owned(), Value::Object(doc));
        Value::Object(out)
    }
}

/// A relation with its note under `doc`.
fn relation_json(relation: &Relation) -> Value {
    let mut out = Map::new();
    out.insert("relation".to_owned(), relation.name.as_str().into());
    out.insert("to".to_owned(), relation.to.as_str().into());
    if let Some(pin) = &relation.pin {
        out.insert("pin".to_owned(), pin.as_str().into());
    }
    if let Some(note) = &relation.note {
        out.insert("doc".to_owned(), json!({ "note": note }));
    }
    Value::Object(out)
}

/// The whole difference, sorted by id, and its hash, which is that of both formats. It is also over the type and the exact
/// place of what is new or moves, so that what was seen under a hash is what is applied under it.
pub fn semantic(desk: &Desk<'_>, case: &Case, entries: &[EntryReport]) -> (Vec<NodeDiff>, Hash) {
    let diffs: Vec<NodeDiff> = entries.iter().map(|entry| node_diff(desk, case, entry)).collect();
    let nodes: Vec<Value> = diffs.iter().map(NodeDiff::to_json).collect();
    let placed = case.entries.values().map(|entry| {
        let type_name = entry.content.as_ref().map(|content| content.type_name.as_str());
        json!([entry.id, type_name, entry.placement.as_ref().map(Placement::to_json)])
    });
    let hash = hash_of(
        "docforge.diff.v1",
        &json!({
            "changeset": case.stored.log.header.id.as_str(),
            "nodes": nodes,
            "placed": placed.collect::<Vec<Value>>(),
        }),
    );
    (diffs, hash)
}

fn node_diff(desk: &Desk<'_>, case: &Case, entry: &EntryReport) -> NodeDiff {
    let nothing = Content {
        id: entry.id.clone(),
        type_name: String::new(),
        title: String::new(),
        fields: std::collections::BTreeMap::new(),
        relations: Vec::new(),
        body: String::new(),
    };
    let standing = case.standings.get(&entry.id);
    let before = standing.and_then(|one| one.current.as_ref()).unwrap_or(&nothing);
    let after = standing.and_then(|one| one.intended.as_ref()).unwrap_or(&nothing);
    let mut diff = NodeDiff {
        id: entry.id.clone(),
        kind: entry.kind,
        base_state: entry.state.as_str(),
        location: location(desk, case, &entry.id),
        title: None,
        fields: Vec::new(),
        added: Vec::new(),
        removed: Vec::new(),
        body: Vec::new(),
    };
    let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
    for item in before.changed_items(after) {
        match &item {
            Item::Title => diff.title = Some((text(before.get(&item)), text(after.get(&item)))),
            Item::Field(name) => diff.fields.push((name.clone(), before.get(&item), after.get(&item))),
            Item::Relation { name, to } => {
                let find = |content: &Content| {
                    content.relations.iter().find(|one| one.name == *name && one.to == *to).cloned()
                };
                diff.removed.extend(find(before));
                diff.added.extend(find(after));
            }
            Item::Body => diff.body = lines::hunks(&before.body, &after.body),
        }
    }
    diff
}

/// The file before and after, when they differ.
fn location(desk: &Desk<'_>, case: &Case, id: &str) -> Option<(Option<String>, Option<String>)> {
    let from = check::node(desk.snapshot, id).map(|node| node.path.clone());
    let after =
        case.overlay.snapshot.as_ref().and_then(|after| check::node(after, id)).map(|node| node.path.clone());
    let placed = case
        .entries
        .get(id)
        .and_then(|entry| entry.placement.as_ref())
        .map(|placement| placement.path.clone());
    let to = after.or(placed);
    (from != to).then_some((from, to))
}

/// What applying would do to the files, as a patch that git takes.
pub fn unified(case: &Case) -> String {
    let mut out = String::new();
    let files = &case.overlay.files;
    let renamed: Vec<&String> =
        files.values().filter_map(|file| moved_from(files, file)).map(|(from, _)| from).collect();
    for (path, file) in files {
        if file.after.is_none() && renamed.contains(&path) {
            continue;
        }
        let (old_path, before) = match moved_from(files, file) {
            Some((from, old)) => (from, old.before.as_ref()),
            None => (path, file.before.as_ref()),
        };
        let text = |bytes: Option<&Vec<u8>>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let (before, after) = (text(before), text(file.after.as_ref()));
        let (from, to) = (quoted("a/", old_path), quoted("b/", path));
        let _ = writeln!(out, "diff --git {from} {to}");
        match (&before, &after) {
            (None, _) => out.push_str("new file mode 100644\n"),
            (_, None) => out.push_str("deleted file mode 100644\n"),
            _ if old_path != path => {
                let is_same = before == after;
                let _ = writeln!(out, "similarity index {}%", if is_same { 100 } else { 90 });
                let _ = writeln!(out, "rename from {}", quoted("", old_path));
                let _ = writeln!(out, "rename to {}", quoted("", path));
            }
            _ => {}
        }
        let hunks = lines::hunks(before.as_deref().unwrap_or_default(), after.as_deref().unwrap_or_default());
        if hunks.is_empty() {
            continue;
        }
        let _ = writeln!(out, "--- {}", if before.is_some() { from } else { "/dev/null".to_owned() });
        let _ = writeln!(out, "+++ {}", if after.is_some() { to } else { "/dev/null".to_owned() });
        for hunk in hunks {
            let range = |start: usize, count: usize| {
                if count == 1 { start.to_string() } else { format!("{start},{count}") }
            };
            let _ = writeln!(
                out,
                "@@ -{} +{} @@",
                range(hunk.old_start, hunk.old_lines),
                range(hunk.new_start, hunk.new_lines)
            );
            for line in hunk.lines {
                out.push_str(&line);
                if !line.ends_with('\n') {
                    out.push_str("\n\\ No newline at end of file\n");
                }
            }
        }
    }
    out
}

/// The file that git calls renamed: its old name falls free, and its new one was.
fn moved_from<'f>(
    files: &'f BTreeMap<String, FileChange>,
    file: &'f FileChange,
) -> Option<(&'f String, &'f FileChange)> {
    let from = file.renamed_from.as_ref().filter(|_| file.before.is_none())?;
    let old = files.get(from)?;
    old.after.is_none().then_some((from, old))
}

/// A path as git writes it: in quotes when it holds one.
fn quoted(side: &str, path: &str) -> String {
    if path.contains(['"', '\\']) {
        format!("\"{side}{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        format!("{side}{path}")
    }
}
