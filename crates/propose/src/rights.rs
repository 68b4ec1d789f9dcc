//! What a writer may do, held against an entry (spec C2, C10.7 V03). It gives nobody a right.

use docs::{Budget, LookUp, Operation, WriterDef};

use crate::case::Desk;
use crate::content::Item;
use crate::finding::Finding;
use crate::fold::{Effective, Kind};

/// Everything that the writer may not do of an entry.
pub(crate) fn check(desk: &Desk<'_>, writer: &WriterDef, entry: &Effective) -> Vec<Finding> {
    let mut found = Vec::new();
    let id = entry.id.as_str();
    let mut deny = |code: &str, message: &str, key: &str, value: &str| {
        let finding = Finding::error(3, code, message).about(id).hard();
        found.push(if key.is_empty() { finding } else { finding.with(key, value) });
    };
    for operation in operations(entry) {
        if !writer.operations.contains(&operation) {
            let message = "the writer may not do this kind of operation";
            deny("writer_operation_denied", message, "operation", operation.as_str());
        }
    }
    let node = match desk.snapshot.look_up(id) {
        LookUp::Found(ix) if entry.kind != Kind::Create => Some(ix),
        _ => None,
    };
    let type_name = match (&entry.content, node) {
        (Some(content), _) => content.type_name.as_str(),
        (None, Some(ix)) => desk.snapshot.node(ix).type_name.as_str(),
        (None, None) => "",
    };
    if !writer.types.is_empty() && !type_name.is_empty() && !writer.types.iter().any(|one| one == type_name) {
        deny("writer_scope_denied", "the writer may not touch nodes of this type", "type", type_name);
    }
    let own_source = node.map(|ix| desk.snapshot.node(ix).source.as_str());
    let new_source = entry.placement.as_ref().map(|placement| placement.source.as_str());
    for source in own_source.into_iter().chain(new_source) {
        let is_writable = desk.contract().source(source).is_some_and(|source| source.write);
        let is_named = writer.sources.is_empty() || writer.sources.iter().any(|one| one == source);
        // That a source cannot be written at all is said of the place of a new node.
        if (!is_writable && entry.kind != Kind::Create) || !is_named {
            deny("writer_scope_denied", "the writer may not touch nodes of this source", "source", source);
            break;
        }
    }
    if let (Some(filter), Some(ix)) = (&writer.applies, node)
        && !matches!(filter.matches(desk.snapshot, ix, &mut Budget::new()), Ok(true))
    {
        deny("writer_scope_denied", "the node does not meet the condition of the writer", "", "");
    }
    for item in touched(entry) {
        match &item {
            Item::Field(name) if !writer.fields.admits(name) => {
                deny("writer_field_denied", "the writer may not touch this field", "field", name);
            }
            Item::Title | Item::Body if !writer.fields.admits(&item.word()) => {
                deny(
                    "writer_field_denied",
                    "the writer may not touch this part of a node",
                    "field",
                    &item.word(),
                );
            }
            Item::Relation { name, .. } if !writer.relations.admits(name) => {
                deny("writer_field_denied", "the writer may not touch this relation", "relation", name);
            }
            _ => {}
        }
    }
    found
}

fn operations(entry: &Effective) -> Vec<Operation> {
    match (entry.kind, &entry.placement) {
        (Kind::Create, _) => vec![Operation::Create],
        (Kind::Update, Some(_)) => vec![Operation::Update, Operation::Move],
        (Kind::Update, None) => vec![Operation::Update],
        (Kind::Move, _) => vec![Operation::Move],
        (Kind::Delete, _) => vec![Operation::Delete],
    }
}

/// The items that an entry sets or takes away.
pub(crate) fn touched(entry: &Effective) -> Vec<Item> {
    match &entry.content {
        Some(content) => {
            let mut items = Vec::new();
            if !content.title.is_empty() {
                items.push(Item::Title);
            }
            items.extend(content.fields.keys().map(|name| Item::Field(name.clone())));
            let relations = content.relations.iter();
            items.extend(relations.map(|one| Item::Relation { name: one.name.clone(), to: one.to.clone() }));
            if !content.body.is_empty() {
                items.push(Item::Body);
            }
            items
        }
        None => entry.items.keys().cloned().collect(),
    }
}
