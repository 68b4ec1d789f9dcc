//! The project as it would be with a changeset: the files that change, and the snapshot that they give (spec C10.6, C10.7).
//! It writes no file.

use std::collections::BTreeMap;

use docs::{
    Contract, EditFault, FileEdit, Insertion, NewNode, Node, NodeEdit, NodePlace, ProjectService, Snapshot,
    SourceDef, create_file, edit_file,
};
use serde_json::Value;

use crate::content::{Content, Item, Relation};
use crate::entry::{Place, Placement};
use crate::fold::{Effective, Kind};
use crate::standing::Standing;

/// A file before and after; `None` where it is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileChange {
    /// The bytes now.
    pub before: Option<Vec<u8>>,
    /// The bytes then.
    pub after: Option<Vec<u8>>,
    /// The file that it was before, when it is moved as a whole.
    pub renamed_from: Option<String>,
}

/// Why an entry is not in the overlay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OverlayFault {
    /// The file cannot be changed so.
    Edit(EditFault),
    /// The bytes of the file are not those of the snapshot any more.
    Stale,
    /// The place is taken.
    Occupied,
    /// No source has this id, or it is not that of the node.
    NoSource,
}

/// The project as it would be.
#[derive(Debug)]
pub struct Overlay {
    /// Every file that differs, by path.
    pub files: BTreeMap<String, FileChange>,
    /// What could not be put in, by node.
    pub faults: BTreeMap<String, OverlayFault>,
    /// The project; `None` when nothing is served.
    pub snapshot: Option<Snapshot>,
}

/// Puts the entries of a changeset into their files.
pub(crate) fn build(
    service: &ProjectService,
    snapshot: &Snapshot,
    entries: &BTreeMap<String, Effective>,
    standings: &BTreeMap<String, Standing>,
) -> Overlay {
    let mut work = Work { service, snapshot, files: BTreeMap::new(), faults: BTreeMap::new() };
    work.change_in_place(entries, standings);
    for (id, entry) in entries {
        if let (Kind::Update | Kind::Move, Some(placement)) = (entry.kind, &entry.placement) {
            let moved = work.relocate(id, placement);
            work.note(id, moved);
        }
    }
    for (id, entry) in entries {
        if let (Kind::Create, Some(content), Some(placement)) = (entry.kind, &entry.content, &entry.placement)
        {
            let created = work.create(content, placement);
            work.note(id, created);
        }
    }
    work.files.retain(|_, file| file.before != file.after || file.renamed_from.is_some());
    let after = work.files.iter().map(|(path, file)| (path.clone(), file.after.clone())).collect();
    Overlay { snapshot: service.overlay(&after), files: work.files, faults: work.faults }
}

struct Work<'w> {
    service: &'w ProjectService,
    snapshot: &'w Snapshot,
    files: BTreeMap<String, FileChange>,
    faults: BTreeMap<String, OverlayFault>,
}

impl Work<'_> {
    fn note(&mut self, id: &str, done: Result<(), OverlayFault>) {
        if let Err(fault) = done {
            self.faults.entry(id.to_owned()).or_insert(fault);
        }
    }

    fn node(&self, id: &str) -> Option<&Node> {
        match self.snapshot.look_up(id) {
            docs::LookUp::Found(ix) => Some(self.snapshot.node(ix)),
            _ => None,
        }
    }

    fn source(&self, id: &str) -> Result<&SourceDef, OverlayFault> {
        self.snapshot.contract().source(id).ok_or(OverlayFault::NoSource)
    }

    /// The bytes of a file as the entries so far leave it.
    fn bytes(&mut self, path: &str) -> Result<Option<Vec<u8>>, OverlayFault> {
        if let Some(file) = self.files.get(path) {
            return Ok(file.after.clone());
        }
        let is_source = self.snapshot.files().iter().any(|file| file.path == path);
        if !is_source {
            return if self.service.exists(path) { Err(OverlayFault::Occupied) } else { Ok(None) };
        }
        let bytes = self.service.source_bytes(path).ok_or(OverlayFault::Stale)?;
        let file = FileChange { before: Some(bytes.clone()), after: Some(bytes), renamed_from: None };
        Ok(self.files.entry(path.to_owned()).or_insert(file).after.clone())
    }

    fn put(&mut self, path: &str, after: Option<Vec<u8>>) {
        self.files.entry(path.to_owned()).or_default().after = after;
    }

    /// Updates and removals, all of one file at once.
    fn change_in_place(
        &mut self,
        entries: &BTreeMap<String, Effective>,
        standings: &BTreeMap<String, Standing>,
    ) {
        let mut by_file: BTreeMap<String, Vec<(String, FileEdit)>> = BTreeMap::new();
        for (id, entry) in entries {
            let Some(node) = self.node(id) else { continue };
            let standing = standings.get(id);
            let edit = match entry.kind {
                Kind::Delete => FileEdit::Remove { id: id.clone() },
                Kind::Update => {
                    let Some(intended) = standing.and_then(|one| one.intended.as_ref()) else { continue };
                    let current = Content::of(node);
                    FileEdit::Change {
                        id: id.clone(),
                        edit: edit_of(self.snapshot.contract(), &current, intended),
                    }
                }
                Kind::Create | Kind::Move => continue,
            };
            by_file.entry(node.path.clone()).or_default().push((id.clone(), edit));
        }
        for (path, edits) in by_file {
            let ids: Vec<String> = edits.iter().map(|(id, _)| id.clone()).collect();
            let list: Vec<FileEdit> = edits.into_iter().map(|(_, edit)| edit).collect();
            let done = self.edit(&path, &list);
            for id in ids {
                self.note(&id, done.clone());
            }
        }
    }

    fn edit(&mut self, path: &str, edits: &[FileEdit]) -> Result<(), OverlayFault> {
        let bytes = self.bytes(path)?.ok_or(OverlayFault::Stale)?;
        let contract = std::sync::Arc::clone(self.snapshot.contract());
        let source = contract.source_of(path).ok_or(OverlayFault::NoSource)?;
        let after = edit_file(&contract, source, path, &bytes, edits).map_err(OverlayFault::Edit)?;
        self.put(path, after);
        Ok(())
    }

    /// Moves a node, with every byte that is its own.
    fn relocate(&mut self, id: &str, to: &Placement) -> Result<(), OverlayFault> {
        let node = self.node(id).ok_or(OverlayFault::Edit(EditFault::NodeNotFound))?;
        let (from, source_id) = (node.path.clone(), node.source.clone());
        if source_id != to.source {
            return Err(OverlayFault::NoSource);
        }
        let contract = std::sync::Arc::clone(self.snapshot.contract());
        let source = self.source(&to.source)?.clone();
        let bytes = self.bytes(&from)?.ok_or(OverlayFault::Stale)?;
        if !source.options.sections {
            if self.bytes(&to.path)?.is_some() {
                return Err(OverlayFault::Occupied);
            }
            self.put(&from, None);
            self.put(&to.path, Some(bytes));
            if let Some(file) = self.files.get_mut(&to.path) {
                file.renamed_from = Some(from);
            }
            return Ok(());
        }
        let text = own_text(&contract, &source, &from, &bytes, id)?;
        let remove = [FileEdit::Remove { id: id.to_owned() }];
        let without = edit_file(&contract, &source, &from, &bytes, &remove).map_err(OverlayFault::Edit)?;
        self.put(&from, without);
        let insert = [FileEdit::Insert { place: node_place(&to.place), what: Insertion::Text(text.clone()) }];
        match self.bytes(&to.path)? {
            Some(there) => {
                let after =
                    edit_file(&contract, &source, &to.path, &there, &insert).map_err(OverlayFault::Edit)?;
                self.put(&to.path, after);
            }
            None => self.put(&to.path, Some(text.into_bytes())),
        }
        Ok(())
    }

    fn create(&mut self, content: &Content, placement: &Placement) -> Result<(), OverlayFault> {
        let contract = std::sync::Arc::clone(self.snapshot.contract());
        let source = self.source(&placement.source)?.clone();
        let node = new_node(&contract, content);
        let after = match self.bytes(&placement.path)? {
            None => create_file(&contract, &source, &node).map(Some),
            Some(there) => {
                let what = Insertion::Node(node);
                let insert = [FileEdit::Insert { place: node_place(&placement.place), what }];
                edit_file(&contract, &source, &placement.path, &there, &insert)
            }
        };
        match after {
            Ok(after) => {
                self.put(&placement.path, after);
                Ok(())
            }
            Err(EditFault::Occupied) => Err(OverlayFault::Occupied),
            Err(fault) => Err(OverlayFault::Edit(fault)),
        }
    }
}

/// The text of a node in a file with sections.
fn own_text(
    contract: &Contract,
    source: &SourceDef,
    path: &str,
    bytes: &[u8],
    id: &str,
) -> Result<String, OverlayFault> {
    let file = docs::read_markdown(contract, source, path, bytes);
    let node = file.parsed.nodes.iter().find(|node| node.id == id);
    let span = node.ok_or(OverlayFault::Edit(EditFault::NodeNotFound))?.span;
    let text = std::str::from_utf8(bytes).map_err(|_| OverlayFault::Edit(EditFault::Unreadable))?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    Ok(text.get(span.start..span.end).unwrap_or_default().to_owned())
}

fn node_place(place: &Place) -> NodePlace {
    match place {
        Place::End => NodePlace::End,
        Place::After(id) => NodePlace::After(id.clone()),
        Place::Section(heading) => NodePlace::Section(heading.clone()),
    }
}

/// The keys that differ, and the body when it does.
fn edit_of(contract: &Contract, current: &Content, intended: &Content) -> NodeEdit {
    let mut edit = NodeEdit::default();
    let mut relations: Vec<String> = Vec::new();
    for item in current.changed_items(intended) {
        match item {
            Item::Title => {
                let title = (!intended.title.is_empty()).then(|| Value::from(intended.title.as_str()));
                edit.keys.push(("title".to_owned(), title));
            }
            Item::Field(name) => {
                let value = intended.fields.get(&name).cloned();
                edit.keys.push((name, value));
            }
            Item::Relation { name, .. } if !relations.contains(&name) => relations.push(name),
            Item::Relation { .. } => {}
            Item::Body => edit.body = Some(intended.body.clone()),
        }
    }
    for name in relations {
        let targets = targets_of(intended, &name);
        edit.keys.push((name, targets));
    }
    let order = |name: &str| key_order(contract, &intended.type_name, name);
    edit.keys.sort_by_key(|(name, _)| order(name));
    edit
}

/// What a node states of one relation; `None` when nothing.
fn targets_of(content: &Content, name: &str) -> Option<Value> {
    let targets: Vec<Value> =
        content.relations.iter().filter(|one| one.name == name).map(target_value).collect();
    (!targets.is_empty()).then(|| Value::from(targets))
}

fn target_value(relation: &Relation) -> Value {
    if relation.pin.is_none() && relation.note.is_none() {
        return Value::from(relation.to.as_str());
    }
    let mut value = relation.to_json();
    if let Some(members) = value.as_object_mut() {
        members.remove("name");
    }
    value
}

fn new_node(contract: &Contract, content: &Content) -> NewNode {
    let mut keys: Vec<(String, Value)> =
        content.fields.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let mut names: Vec<&str> = content.relations.iter().map(|one| one.name.as_str()).collect();
    names.dedup();
    for name in names {
        if !keys.iter().any(|(key, _)| key == name)
            && let Some(targets) = targets_of(content, name)
        {
            keys.push((name.to_owned(), targets));
        }
    }
    keys.sort_by_key(|(name, _)| key_order(contract, &content.type_name, name));
    NewNode {
        id: content.id.clone(),
        type_name: content.type_name.clone(),
        title: content.title.clone(),
        keys,
        body: content.body.clone(),
    }
}

/// Title, fields and relations in the order of the contract.
fn key_order(contract: &Contract, type_name: &str, name: &str) -> (u8, usize, String) {
    if name == "title" {
        return (0, 0, String::new());
    }
    if let Some(at) =
        contract.type_def(type_name).and_then(|one| one.fields.iter().position(|field| field.name == name))
    {
        return (1, at, String::new());
    }
    match contract.relations.iter().position(|relation| relation.name == name) {
        Some(at) => (3, at, String::new()),
        None => (2, 0, name.to_owned()),
    }
}
