//! The tables of the index file and the rows that a snapshot has in them. It opens no database.

use rusqlite::types::Value;

use crate::assemble::{ENGINE, INDEX_SCHEMA, node_json};
use crate::canon;
use crate::model::NodeIx;
use crate::search::{Column, each_text};
use crate::snapshot::Snapshot;

/// What is created in an empty database.
pub(super) const SCHEMA: &str = "
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE file (path TEXT NOT NULL, size INTEGER NOT NULL, sha256 TEXT NOT NULL);
CREATE TABLE node (id TEXT NOT NULL, type TEXT NOT NULL, title TEXT NOT NULL, path TEXT NOT NULL,
    ordinal INTEGER NOT NULL, line INTEGER NOT NULL, canonical_json TEXT NOT NULL, node_hash TEXT NOT NULL);
CREATE UNIQUE INDEX node_id ON node (id);
CREATE TABLE edge (src TEXT NOT NULL, rel TEXT NOT NULL, dst TEXT NOT NULL, kind TEXT NOT NULL, pin TEXT, note TEXT);
CREATE INDEX edge_dst ON edge (dst);
CREATE TABLE diag (code TEXT NOT NULL, severity TEXT NOT NULL, path TEXT, line INTEGER, col INTEGER, node TEXT,
    message TEXT NOT NULL);
CREATE VIRTUAL TABLE fts USING fts5 (id, aliases, title, headings, fields, body, content = '',
    tokenize = 'unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE fts_tri USING fts5 (id, title, aliases, body, content = '', tokenize = 'trigram');
";

type Sink<'s> = &'s mut dyn FnMut(Vec<Value>) -> Result<bool, rusqlite::Error>;

/// One table.
pub(super) struct Table {
    pub(super) insert: &'static str,
    /// Reads it back in the order of insertion; a text index cannot be read back.
    pub(super) select: Option<&'static str>,
    /// Gives every row, until the sink says stop.
    pub(super) rows: fn(&Snapshot, Sink<'_>) -> Result<(), rusqlite::Error>,
}

pub(super) const TABLES: [Table; 6] = [
    Table {
        insert: "INSERT INTO file VALUES (?, ?, ?)",
        select: Some("SELECT path, size, sha256 FROM file ORDER BY rowid"),
        rows: files,
    },
    Table {
        insert: "INSERT INTO node VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        select: Some(
            "SELECT id, type, title, path, ordinal, line, canonical_json, node_hash FROM node ORDER BY rowid",
        ),
        rows: nodes,
    },
    Table {
        insert: "INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?)",
        select: Some("SELECT src, rel, dst, kind, pin, note FROM edge ORDER BY rowid"),
        rows: edges,
    },
    Table {
        insert: "INSERT INTO diag VALUES (?, ?, ?, ?, ?, ?, ?)",
        select: Some("SELECT code, severity, path, line, col, node, message FROM diag ORDER BY rowid"),
        rows: findings,
    },
    Table {
        insert: "INSERT INTO fts (rowid, id, aliases, title, headings, fields, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
        select: None,
        rows: words,
    },
    Table {
        insert: "INSERT INTO fts_tri (rowid, id, title, aliases, body) VALUES (?, ?, ?, ?, ?)",
        select: None,
        rows: trigrams,
    },
];

/// What the file says about itself.
pub(super) fn meta(snapshot: &Snapshot) -> [(&'static str, String); 7] {
    [
        ("schema", INDEX_SCHEMA.to_string()),
        ("engine", ENGINE.to_owned()),
        ("project", snapshot.contract().project.id.clone()),
        ("contract_hash", snapshot.contract().hash.to_string()),
        ("revision", snapshot.revision().to_owned()),
        ("source_hash", snapshot.source_hash().to_string()),
        ("snapshot_id", snapshot.snapshot_id().to_owned()),
    ]
}

fn number(value: usize) -> Value {
    Value::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}

fn text(value: impl Into<String>) -> Value {
    Value::Text(value.into())
}

fn maybe(value: Option<&String>) -> Value {
    value.map_or(Value::Null, |value| text(value.as_str()))
}

fn give(rows: impl Iterator<Item = Vec<Value>>, sink: Sink<'_>) -> Result<(), rusqlite::Error> {
    for row in rows {
        if !sink(row)? {
            break;
        }
    }
    Ok(())
}

fn files(snapshot: &Snapshot, sink: Sink<'_>) -> Result<(), rusqlite::Error> {
    let row = |file: &crate::snapshot::FileEntry| {
        let size = Value::Integer(i64::try_from(file.size).unwrap_or(i64::MAX));
        vec![text(file.path.as_str()), size, text(file.hash.hex())]
    };
    give(snapshot.files().iter().map(row), sink)
}

fn nodes(snapshot: &Snapshot, sink: Sink<'_>) -> Result<(), rusqlite::Error> {
    let row = |node: &crate::model::Node| {
        let json = canon::canonical(&serde_json::Value::Object(node_json(node, snapshot.contract())));
        vec![
            text(node.id.as_str()),
            text(node.type_name.as_str()),
            text(node.title.as_str()),
            text(node.path.as_str()),
            number(node.ordinal),
            Value::Integer(i64::from(node.span.line)),
            text(json),
            text(node.hash.to_string()),
        ]
    };
    give(snapshot.nodes().iter().map(row), sink)
}

fn edges(snapshot: &Snapshot, sink: Sink<'_>) -> Result<(), rusqlite::Error> {
    let contract = snapshot.contract();
    let row = |edge: &crate::model::Edge| {
        vec![
            text(snapshot.node(edge.from).id.as_str()),
            text(contract.relations[edge.relation as usize].name.as_str()),
            text(snapshot.node(edge.to).id.as_str()),
            text(edge.kind.as_str()),
            maybe(edge.pin.as_ref()),
            maybe(edge.note.as_ref()),
        ]
    };
    give(snapshot.edges().iter().map(row), sink)
}

fn findings(snapshot: &Snapshot, sink: Sink<'_>) -> Result<(), rusqlite::Error> {
    let place = |value: Option<u32>| value.map_or(Value::Null, |value| Value::Integer(i64::from(value)));
    let row = |one: &crate::diagnose::Diagnostic| {
        vec![
            text(one.check.code()),
            text(one.severity.as_str()),
            maybe(one.place.path.as_ref()),
            place(one.place.line),
            place(one.place.column),
            maybe(one.node.as_ref()),
            text(one.message.as_str()),
        ]
    };
    give(snapshot.diagnostics().iter().map(row), sink)
}

fn column(snapshot: &Snapshot, node: NodeIx, column: Column) -> Value {
    let mut all = String::new();
    each_text(snapshot.node(node), snapshot.contract(), column, |piece| {
        all.push_str(piece);
        all.push('\n');
    });
    text(all)
}

fn words(snapshot: &Snapshot, sink: Sink<'_>) -> Result<(), rusqlite::Error> {
    let row = |node: NodeIx| {
        let columns = Column::ALL.into_iter().map(|one| column(snapshot, node, one));
        std::iter::once(number(node.0 as usize + 1)).chain(columns).collect()
    };
    give(snapshot.indices().map(row), sink)
}

/// Names of every node, and the bodies that are written in scripts without spaces between words.
fn trigrams(snapshot: &Snapshot, sink: Sink<'_>) -> Result<(), rusqlite::Error> {
    let row = |node: NodeIx| {
        let body = &snapshot.node(node).body;
        let letters = body.chars().filter(|letter| letter.is_alphabetic()).count();
        let wide = body.chars().filter(|letter| matches!(letter, '\u{3041}'..='\u{D7A3}')).count();
        let body = if wide * 20 >= letters.max(1) { body.as_str() } else { "" };
        let named = [Column::Id, Column::Title, Column::Aliases].map(|one| column(snapshot, node, one));
        std::iter::once(number(node.0 as usize + 1)).chain(named).chain([text(body)]).collect()
    };
    give(snapshot.indices().map(row), sink)
}
