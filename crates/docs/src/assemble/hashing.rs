//! The hashes of nodes, pins, sources and snapshots (spec C4). It decides nothing about a project.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::canon;
use crate::contract::{Contract, Part, RelationDef};
use crate::diagnose::Diagnostic;
use crate::hash::Hash;
use crate::model::{Link, Node};
use crate::snapshot::{FileEntry, Snapshot};

/// The engine, as it stands in every answer.
pub const ENGINE: &str = concat!("readroom ", env!("CARGO_PKG_VERSION"));
/// The layout of the index file; it counts in the snapshot id.
pub(crate) const INDEX_SCHEMA: u32 = 1;

/// The object of a node that is hashed.
pub fn node_json(node: &Node, contract: &Contract) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("body".to_owned(), Value::from(node.body.as_str()));
    let fields: Map<String, Value> = node
        .fields
        .iter()
        .filter(|field| field.is_hashed)
        .map(|field| (field.name.clone(), field.value.to_json()))
        .collect();
    object.insert("fields".to_owned(), Value::Object(fields));
    object.insert("id".to_owned(), Value::from(node.id.as_str()));
    object.insert("relations".to_owned(), relations(node, contract));
    object.insert("title".to_owned(), Value::from(node.title.as_str()));
    object.insert("type".to_owned(), Value::from(node.type_name.as_str()));
    object
}

/// The relations in canonical order: by name, target, note and pin, those of one ordered relation as written.
fn relations(node: &Node, contract: &Contract) -> Value {
    let mut links: Vec<_> = node.links.iter().enumerate().collect();
    links.sort_by(|(left_at, left), (right_at, right)| {
        left.relation.cmp(&right.relation).then_with(|| {
            if contract.relation(&left.relation).is_some_and(|relation| relation.ordered) {
                return left_at.cmp(right_at);
            }
            (&left.to, &left.note, &left.pin).cmp(&(&right.to, &right.note, &right.pin))
        })
    });
    let links = links.into_iter().map(|(_, link)| {
        let mut object = Map::new();
        object.insert("name".to_owned(), Value::from(link.relation.as_str()));
        object.insert("to".to_owned(), Value::from(link.to.as_str()));
        if let Some(note) = &link.note {
            object.insert("note".to_owned(), Value::from(note.as_str()));
        }
        if let Some(pin) = &link.pin {
            object.insert("pin".to_owned(), Value::from(pin.as_str()));
        }
        Value::Object(object)
    });
    Value::Array(links.collect())
}

/// Whether two nodes of one contract have the same hashed object.
pub(super) fn is_same(left: &Node, right: &Node) -> bool {
    let is_same_link = |(left, right): (&Link, &Link)| {
        (&left.relation, &left.to, &left.pin, &left.note)
            == (&right.relation, &right.to, &right.pin, &right.note)
    };
    left.id == right.id
        && left.type_name == right.type_name
        && left.title == right.title
        && left.fields == right.fields
        && left.links.len() == right.links.len()
        && left.links.iter().zip(&right.links).all(is_same_link)
        && left.body == right.body
}

pub(super) fn node_hash(node: &Node, contract: &Contract) -> Hash {
    let text = canon::canonical(&Value::Object(node_json(node, contract)));
    Hash::of(&[b"docforge.node.v1\n", text.as_bytes()])
}

/// What a pin of `relation` on this node holds when it is up to date.
pub fn pin_of(node: &Node, relation: &RelationDef, contract: &Contract) -> Hash {
    if relation.pin_fields.is_empty() {
        return node.hash;
    }
    let whole = node_json(node, contract);
    let mut object = Map::new();
    let mut fields = Map::new();
    for part in &relation.pin_fields {
        match part {
            Part::Title => object.insert("title".to_owned(), whole["title"].clone()),
            Part::Body => object.insert("body".to_owned(), whole["body"].clone()),
            Part::Relations => object.insert("relations".to_owned(), whole["relations"].clone()),
            Part::Field(name) => {
                node.field(name).and_then(|value| fields.insert(name.clone(), value.to_json()))
            }
        };
    }
    if relation.pin_fields.iter().any(|part| matches!(part, Part::Field(_))) {
        object.insert("fields".to_owned(), Value::Object(fields));
    }
    Hash::of(&[b"docforge.pin.v1\n", canon::canonical(&Value::Object(object)).as_bytes()])
}

/// SHA-256 of what `sha256sum` prints for the files, sorted by path.
pub(super) fn source_hash(files: &[FileEntry]) -> Hash {
    let mut hasher = Sha256::new();
    for file in files {
        hasher.update(file.hash.hex());
        hasher.update(b"  ");
        hasher.update(file.path.as_bytes());
        hasher.update(b"\n");
    }
    Hash::from_bytes(hasher.finalize().into())
}

pub(super) fn revision(snapshot: &Snapshot) -> String {
    let mut hasher = Sha256::new();
    hasher.update(b"docforge.revision.v1\n");
    hasher.update(snapshot.contract.hash.to_string());
    hasher.update(b"\n");
    hasher.update(snapshot.adapter_version.as_bytes());
    hasher.update(b"\n");
    for node in &snapshot.nodes {
        hasher.update(format!("{}\t{}\t{}\t{}\n", node.id, node.hash, node.path, node.ordinal));
    }
    format!("r1-{}", Hash::from_bytes(hasher.finalize().into()).hex())
}

pub(super) fn snapshot_id(snapshot: &Snapshot, findings: &[Diagnostic]) -> String {
    let mut digest = Sha256::new();
    for finding in findings {
        let place = &finding.place;
        let line = json!([
            finding.check.code(),
            finding.severity.as_str(),
            place.path,
            place.line,
            place.column,
            finding.node,
            finding.message,
            finding.doc,
            finding.related,
        ]);
        digest.update(canon::canonical(&line));
        digest.update(b"\n");
    }
    let digest = Hash::from_bytes(digest.finalize().into());
    let text = format!(
        "docforge.snapshot.v1\n{ENGINE}\n{INDEX_SCHEMA}\n{}\n{}\n{digest}\n",
        snapshot.revision, snapshot.source_hash
    );
    format!("s1-{}", Hash::of(&[text.as_bytes()]).hex())
}
