//! Changes of `markdown@1` files that touch nothing else: comments, the order and the quotes of other keys, line ends, the
//! byte order mark and the end of the file stay as they are (spec C10.6). It writes no file; it gives bytes for bytes.

mod pin;
mod splice;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_json::Value;

use super::markdown;
use super::options::TitleFrom;
use super::scalar;
use crate::assemble::LoadedFile;
use crate::contract::{Contract, SourceDef};
use crate::diagnose::{Check, Diagnostic};
use crate::hash::Hash;
use crate::parsed::{FileText, ParsedFile};
use crate::snapshot::FileEntry;
use crate::tree::Span;
use splice::{Target, apply, ending};

const BOM: &str = "\u{FEFF}";

/// A change of one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeEdit {
    /// New values by the names of the contract: `title`, a field, or a relation with an array of ids and
    /// `{to, pin?, note?}`; `None` takes the key away.
    pub keys: Vec<(String, Option<Value>)>,
    /// The new canonical body.
    pub body: Option<String>,
}

/// A new node.
#[derive(Clone, Debug, PartialEq)]
pub struct NewNode {
    /// Its id.
    pub id: String,
    /// Its type.
    pub type_name: String,
    /// Its title; empty for none.
    pub title: String,
    /// Fields and relations by the names of the contract, in contract order.
    pub keys: Vec<(String, Value)>,
    /// Its canonical body.
    pub body: String,
}

/// Where a node is put in a file with sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodePlace {
    /// At the end.
    End,
    /// Right behind this node.
    After(String),
    /// At the end of the section with this heading.
    Section(String),
}

/// What is put in.
#[derive(Clone, Debug, PartialEq)]
pub enum Insertion {
    /// A node to be written.
    Node(NewNode),
    /// The text of a node that stood elsewhere.
    Text(String),
}

/// One change of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum FileEdit {
    /// A node changes.
    Change {
        /// Its id.
        id: String,
        /// How.
        edit: NodeEdit,
    },
    /// A relation of a node gets a pin, or another one; how its target is written stays.
    Pin {
        /// The id of the node.
        id: String,
        /// Where the relation stands, as [`crate::Link::span`] says it.
        at: Span,
        /// The pin.
        pin: String,
    },
    /// A node goes.
    Remove {
        /// Its id.
        id: String,
    },
    /// A node comes.
    Insert {
        /// Where.
        place: NodePlace,
        /// What.
        what: Insertion,
    },
}

/// Why a file cannot be changed so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditFault {
    /// The adapter of the source cannot write.
    #[error("the source cannot be written")]
    ReadOnly,
    /// The file is not UTF-8, or holds a node that cannot be read.
    #[error("the file cannot be read")]
    Unreadable,
    /// The file has no node of this id.
    #[error("the node is not in the file")]
    NodeNotFound,
    /// The file has no heading of this text.
    #[error("the heading is not in the file")]
    SectionNotFound,
    /// The relation does not stand where the node has its values, or in a form that takes no pin.
    #[error("the relation is not stated among the values of the node")]
    RelationNotFound,
    /// The file holds one node and takes no other.
    #[error("the file holds another node, and the source keeps one in each file")]
    Occupied,
}

/// Reads a file of a `markdown@1` source as the loader does.
pub fn read_markdown(contract: &Contract, source: &SourceDef, path: &str, bytes: &[u8]) -> LoadedFile {
    let entry = FileEntry {
        path: path.to_owned(),
        size: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        hash: Hash::of(&[bytes]),
        source: Some(source.id.clone()),
    };
    let parsed = match std::str::from_utf8(bytes) {
        Ok(text) => {
            let stripped = text.strip_prefix(BOM).unwrap_or(text);
            let file = FileText {
                path: path.to_owned(),
                text: Arc::from(stripped),
                bom_bytes: text.len() - stripped.len(),
                siblings: Vec::new(),
            };
            markdown::parse(source, contract, &file)
        }
        Err(_) => {
            let place = crate::diagnose::Place::file(path);
            let finding = Diagnostic::new(Check::EncodingInvalid, place, "the file is not valid UTF-8");
            ParsedFile { nodes: Vec::new(), diagnostics: vec![finding], is_quarantined: true }
        }
    };
    LoadedFile { entry, parsed, beside: Vec::new() }
}

/// Changes a file; `None` when nothing is left of it.
///
/// # Errors
/// [`EditFault`]; that the result reads back as it was meant is for the caller to see.
pub fn edit_file(
    contract: &Contract,
    source: &SourceDef,
    path: &str,
    bytes: &[u8],
    edits: &[FileEdit],
) -> Result<Option<Vec<u8>>, EditFault> {
    if source.adapter != "markdown@1" {
        return Err(EditFault::ReadOnly);
    }
    let whole = std::str::from_utf8(bytes).map_err(|_| EditFault::Unreadable)?;
    let text = whole.strip_prefix(BOM).unwrap_or(whole);
    let target = Target::read(contract, source, path, text)?;
    let mut splices = Vec::new();
    for edit in edits {
        match edit {
            FileEdit::Change { id, edit } => splices.extend(target.change(id, edit)?),
            FileEdit::Pin { id, at, pin } => splices.push(target.pin(id, *at, pin)?),
            FileEdit::Remove { id } => match target.remove(id)? {
                Some(splice) => splices.push(splice),
                None => return Ok(None),
            },
            FileEdit::Insert { place, what } => splices.push(target.insert(place, what)?),
        }
    }
    let changed = apply(text, splices);
    if changed.trim().is_empty() && !text.trim().is_empty() {
        return Ok(None);
    }
    let bom = &whole[..whole.len() - text.len()];
    Ok(Some(format!("{bom}{changed}").into_bytes()))
}

/// The bytes of a new file with one node, keys in contract order.
///
/// # Errors
/// [`EditFault::ReadOnly`].
pub fn create_file(contract: &Contract, source: &SourceDef, node: &NewNode) -> Result<Vec<u8>, EditFault> {
    if source.adapter != "markdown@1" {
        return Err(EditFault::ReadOnly);
    }
    let text = if source.options.sections {
        section_text(contract, source, node, 2, "\n")
    } else {
        format!("---\n{}---\n{}", key_lines(contract, source, node, false, "\n"), node.body)
    };
    Ok(text.into_bytes())
}

/// A node as a section: heading, fence, body.
fn section_text(
    contract: &Contract,
    source: &SourceDef,
    node: &NewNode,
    level: usize,
    line_end: &str,
) -> String {
    let hashes = "#".repeat(level.clamp(1, 6));
    let title = heading_words(&node.title);
    let keys = key_lines(contract, source, node, title == node.title, line_end);
    let heading = format!("{hashes} {title}");
    let mut out =
        format!("{}{line_end}```{}{line_end}{keys}```{line_end}", heading.trim_end(), markdown::NODE_FENCE);
    if !node.body.is_empty() {
        out.push_str(line_end);
        out.push_str(&node.body.replace('\n', line_end));
    }
    out
}

/// The words of a title that a heading shows as they are; the rest becomes blanks.
fn heading_words(title: &str) -> String {
    let plain: String = title
        .chars()
        .map(|one| if one.is_alphanumeric() || " ,.;:?()/-'\"".contains(one) { one } else { ' ' })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lines between the marks. A heading may stand for the title.
fn key_lines(
    contract: &Contract,
    source: &SourceDef,
    node: &NewNode,
    has_heading: bool,
    line_end: &str,
) -> String {
    let mut lines = format!("id: {}{line_end}", scalar::string(&node.id));
    if source.default_type.as_ref() != Some(&node.type_name)
        || matches!(source.options.type_from, super::options::TypeFrom::Field(_))
    {
        lines.push_str(&format!("type: {}{line_end}", scalar::string(&node.type_name)));
    }
    if !node.title.is_empty() && !has_heading {
        lines.push_str(&format!("title: {}{line_end}", scalar::string(&node.title)));
    }
    for (name, value) in &node.keys {
        let written = written(contract, &node.type_name, name, value, line_end);
        let blank = if written.starts_with(['\n', '\r']) { "" } else { " " };
        lines.push_str(&format!("{}:{blank}{written}{line_end}", key_in_file(source, name)));
    }
    lines
}

/// A value as it stands behind its key.
fn written(contract: &Contract, type_name: &str, name: &str, value: &Value, line_end: &str) -> String {
    if contract.relation(name).is_some() {
        return scalar::relation(value, line_end);
    }
    scalar::field(contract.type_def(type_name).and_then(|one| one.field(name)), value)
}

/// How a file of the source spells a name of the contract.
fn key_in_file(source: &SourceDef, name: &str) -> String {
    let title_key = match &source.options.title_from {
        Some(TitleFrom::Field(key)) if name == "title" => Some(key.clone()),
        _ => None,
    };
    let renamed = || {
        let found = source.options.keys.iter().find(|(_, means)| means == name)?;
        Some(scalar::string(&found.0))
    };
    title_key.or_else(renamed).unwrap_or_else(|| name.to_owned())
}

/// The line end that a text uses first.
fn line_end_of(text: &str) -> &'static str {
    match text.find(['\n', '\r']) {
        Some(at) => ending(&text[at..]),
        None => "\n",
    }
}
