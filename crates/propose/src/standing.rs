//! How an effective entry stands against the project as it is now: item by item and line by line, so that nothing is
//! merged that meets (spec C10.5). It writes nothing.

use std::collections::HashMap;

use docs::{Hash, LookUp, NodeIx, Snapshot, lines};
use serde_json::Value;

use crate::content::{Content, Item};
use crate::fold::{Effective, Kind};

/// The state of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryState {
    /// The node is as it was.
    Clean,
    /// The node has changed elsewhere.
    Mergeable,
    /// The node has changed in the same place.
    ConflictContent,
    /// The node is gone.
    ConflictDeleted,
    /// The id is taken now.
    ConflictCreated,
    /// The node stands elsewhere now, or something else is at the place.
    ConflictPath,
    /// The contract has changed, and the entry does not fit it.
    ConflictContract,
    /// A target of a new relation does not exist.
    TargetMissing,
}

impl EntryState {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            EntryState::Clean => "clean",
            EntryState::Mergeable => "mergeable",
            EntryState::ConflictContent => "conflict_content",
            EntryState::ConflictDeleted => "conflict_deleted",
            EntryState::ConflictCreated => "conflict_created",
            EntryState::ConflictPath => "conflict_path",
            EntryState::ConflictContract => "conflict_contract",
            EntryState::TargetMissing => "target_missing",
        }
    }

    /// Whether it is one of the conflicts.
    pub const fn is_conflict(self) -> bool {
        !matches!(self, EntryState::Clean | EntryState::Mergeable | EntryState::TargetMissing)
    }
}

/// An item that changed on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemConflict {
    /// The item.
    pub item: Item,
    /// What it was when the proposal was made; `None` also when that is not known any more.
    pub base: Option<Value>,
    /// What it is now.
    pub current: Option<Value>,
    /// What is proposed.
    pub proposed: Option<Value>,
}

/// How an entry stands.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Its state.
    pub state: EntryState,
    /// What changed on both sides.
    pub conflicts: Vec<ItemConflict>,
    /// Whether a node that was created elsewhere says the same.
    pub is_identical: bool,
    /// The node as it is now.
    pub current: Option<Content>,
    /// The node as it is to be; `None` when it is to go, or there is nothing to change.
    pub intended: Option<Content>,
}

/// Compares an entry with the project. `bases` holds what nodes said when something was proposed for them.
pub fn standing(
    snapshot: &Snapshot,
    entry: &Effective,
    bases: &HashMap<Hash, Content>,
    is_strict: bool,
) -> Standing {
    let found = match snapshot.look_up(&entry.id) {
        LookUp::Found(ix) => Some(ix),
        _ => None,
    };
    let current = found.map(|ix| Content::of(snapshot.node(ix)));
    if entry.kind == Kind::Create {
        return created(snapshot, entry, current);
    }
    let (Some(ix), Some(now)) = (found, &current) else {
        return Standing {
            state: EntryState::ConflictDeleted,
            conflicts: Vec::new(),
            is_identical: false,
            current: None,
            intended: None,
        };
    };
    let is_same = entry.base.as_ref().is_some_and(|base| base.hash == snapshot.node(ix).hash);
    if entry.kind == Kind::Delete {
        return deleted(entry, now, is_same, bases);
    }
    let (intended, conflicts) = changed(entry, now, bases);
    let has_moved = has_moved(snapshot, entry, ix);
    let state = if has_moved {
        EntryState::ConflictPath
    } else if !conflicts.is_empty() || (is_strict && !is_same) {
        EntryState::ConflictContent
    } else if is_same {
        EntryState::Clean
    } else {
        EntryState::Mergeable
    };
    Standing { state, conflicts, is_identical: false, current, intended: Some(intended) }
}

fn created(snapshot: &Snapshot, entry: &Effective, current: Option<Content>) -> Standing {
    let is_taken = !matches!(snapshot.look_up(&entry.id), LookUp::Missing);
    let is_identical = current.is_some() && current == entry.content;
    Standing {
        state: if is_taken { EntryState::ConflictCreated } else { EntryState::Clean },
        conflicts: Vec::new(),
        is_identical,
        intended: entry.content.clone(),
        current,
    }
}

fn deleted(entry: &Effective, now: &Content, is_same: bool, bases: &HashMap<Hash, Content>) -> Standing {
    let base = entry.base.as_ref().and_then(|base| bases.get(&base.hash));
    let items = base.map(|base| base.changed_items(now)).unwrap_or_default();
    let conflicts = items.into_iter().filter(|_| !is_same).map(|item| ItemConflict {
        base: base.and_then(|base| base.get(&item)),
        current: now.get(&item),
        proposed: None,
        item,
    });
    Standing {
        state: if is_same { EntryState::Clean } else { EntryState::ConflictContent },
        conflicts: conflicts.collect(),
        is_identical: false,
        current: Some(now.clone()),
        intended: None,
    }
}

/// Puts each change onto the node as it is. Where both sides changed the same thing, the proposal stands in the result
/// and the conflict beside it.
fn changed(entry: &Effective, now: &Content, bases: &HashMap<Hash, Content>) -> (Content, Vec<ItemConflict>) {
    let mut intended = now.clone();
    let mut conflicts = Vec::new();
    for (item, change) in &entry.items {
        let base = change.base.as_ref().and_then(|hash| bases.get(hash));
        let before = base.and_then(|base| base.get(item));
        let current = now.get(item);
        if current == change.value {
            continue;
        }
        let is_moved = base.is_none() || current != before;
        if is_moved {
            let text =
                |value: &Option<Value>| value.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
            let merged = (*item == Item::Body && base.is_some())
                .then(|| lines::merge(&text(&before), &text(&current), &text(&change.value)))
                .flatten();
            if let Some(merged) = merged {
                intended.set(item, Some(&Value::from(merged)));
                continue;
            }
            conflicts.push(ItemConflict {
                item: item.clone(),
                base: before,
                current,
                proposed: change.value.clone(),
            });
        }
        intended.set(item, change.value.as_ref());
    }
    (intended, conflicts)
}

fn has_moved(snapshot: &Snapshot, entry: &Effective, ix: NodeIx) -> bool {
    entry.moved_from.as_ref().is_some_and(|from| from.path != snapshot.node(ix).path)
}
