//! From the log of a changeset to at most one effective entry for each node (spec C10.3). It knows no project.

use std::collections::BTreeMap;

use docs::Hash;
use serde_json::Value;

use crate::content::{Content, Item};
use crate::entry::{BaseMark, Entry, Placement};
use crate::oplog::Log;

/// What kind of change an effective entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A new node.
    Create,
    /// A node that changes, and perhaps moves.
    Update,
    /// A node that moves and changes nothing else.
    Move,
    /// A node that goes.
    Delete,
}

impl Kind {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Create => "create",
            Kind::Update => "update",
            Kind::Move => "move",
            Kind::Delete => "delete",
        }
    }
}

/// The new value of one item, and the version of the node that it was proposed for.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemChange {
    /// The new value; `None` takes the item away.
    pub value: Option<Value>,
    /// The base that the proposal was made for; absent for a node that the changeset itself creates.
    pub base: Option<Hash>,
}

/// Everything that a changeset does to one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Effective {
    /// The node.
    pub id: String,
    /// What happens to it.
    pub kind: Kind,
    /// As it was for the last proposal about it; absent for a new node.
    pub base: Option<BaseMark>,
    /// What changes, item by item; empty for a new node.
    pub items: BTreeMap<Item, ItemChange>,
    /// What a new node says.
    pub content: Option<Content>,
    /// Where a new or moved node is to stand.
    pub placement: Option<Placement>,
    /// Where a moved node stood when the move was proposed.
    pub moved_from: Option<BaseMark>,
    /// Why it is to go; free text.
    pub reason: Option<String>,
    /// Targets of relations as they were.
    pub targets: BTreeMap<String, Hash>,
    /// The numbers of the operations.
    pub operations: Vec<u32>,
}

/// The effective entries by id: what was applied is not among them.
pub fn effective(log: &Log) -> BTreeMap<String, Effective> {
    fold(log.operations.iter().map(|operation| (operation.n, &operation.entry)))
}

fn fold<'e>(operations: impl Iterator<Item = (u32, &'e Entry)> + Clone) -> BTreeMap<String, Effective> {
    let is_applied = |n: u32, id: &str| {
        operations.clone().any(|(_, entry)| match entry {
            Entry::Applied { ids, through } => n <= *through && ids.iter().any(|one| one == id),
            _ => false,
        })
    };
    let mut entries = BTreeMap::new();
    for (n, entry) in operations.clone() {
        if !is_applied(n, entry.id()) {
            add(&mut entries, n, entry);
        }
    }
    entries
}

/// Adds one entry to the effective ones.
pub(crate) fn add(entries: &mut BTreeMap<String, Effective>, n: u32, entry: &Entry) {
    let id = entry.id().to_owned();
    let mut here = match entry {
        Entry::Applied { .. } => return,
        _ => entries.remove(&id).unwrap_or_else(|| Effective {
            id: id.clone(),
            kind: Kind::Update,
            base: None,
            items: BTreeMap::new(),
            content: None,
            placement: None,
            moved_from: None,
            reason: None,
            targets: BTreeMap::new(),
            operations: Vec::new(),
        }),
    };
    here.operations.push(n);
    if let Some(base) = entry.base() {
        here.base = Some(base.clone());
    }
    match entry {
        Entry::Create { content, placement, targets } => {
            here.kind = Kind::Create;
            here.content = Some(content.clone());
            here.placement = Some(placement.clone());
            here.targets.extend(targets.clone());
        }
        Entry::Update { base, items, targets, .. } => {
            for (item, value) in items {
                match &mut here.content {
                    Some(content) => content.set(item, value.as_ref()),
                    None => {
                        let base = base.as_ref().map(|base| base.hash);
                        here.items.insert(item.clone(), ItemChange { value: value.clone(), base });
                    }
                }
            }
            here.targets.extend(targets.clone());
            if here.kind != Kind::Create {
                here.kind = Kind::Update;
            }
        }
        Entry::Move { base, to, .. } => {
            here.placement = Some(to.clone());
            here.moved_from.clone_from(base);
            if here.kind != Kind::Create {
                here.kind = if here.items.is_empty() { Kind::Move } else { Kind::Update };
            }
        }
        Entry::Delete { reason, .. } => {
            if here.kind == Kind::Create {
                // Made and removed in one changeset: as if it had never been.
                return;
            }
            here.kind = Kind::Delete;
            here.items.clear();
            here.placement = None;
            here.moved_from = None;
            here.reason = Some(reason.clone());
        }
        Entry::Applied { .. } => {}
    }
    entries.insert(id, here);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Place;
    use serde_json::json;

    fn mark(text: &str) -> Option<BaseMark> {
        Some(BaseMark { hash: Hash::of(&[text.as_bytes()]), path: "a.md".to_owned(), ordinal: 0 })
    }

    fn update(item: Item, value: Option<Value>, base: &str) -> Entry {
        Entry::Update {
            id: "N".to_owned(),
            base: mark(base),
            items: vec![(item, value)],
            targets: BTreeMap::new(),
        }
    }

    fn create() -> Entry {
        let content = Content {
            id: "N".to_owned(),
            type_name: "t".to_owned(),
            title: "T".to_owned(),
            fields: BTreeMap::new(),
            relations: Vec::new(),
            body: String::new(),
        };
        Entry::Create { content, placement: place("a.md"), targets: BTreeMap::new() }
    }

    fn place(path: &str) -> Placement {
        Placement { source: "s".to_owned(), path: path.to_owned(), place: Place::End }
    }

    fn go(base: &str) -> Entry {
        Entry::Move { id: "N".to_owned(), base: mark(base), to: place("b.md") }
    }

    fn delete() -> Entry {
        Entry::Delete { id: "N".to_owned(), base: mark("1"), reason: "old".to_owned() }
    }

    fn folded(list: &[Entry]) -> Option<Effective> {
        for entry in list {
            assert_eq!(Entry::from_json(&entry.to_json()).as_ref(), Some(entry));
        }
        let entries = fold((1..).zip(list));
        assert!(entries.len() <= 1);
        entries.into_values().next()
    }

    #[test]
    fn entries_about_one_node_become_one() {
        let field = || Item::Field("f".to_owned());
        let made = folded(&[create(), update(Item::Title, Some(json!("U")), "1")]).expect("an entry");
        assert_eq!((made.kind, made.content.expect("new").title.as_str()), (Kind::Create, "U"));
        let last =
            folded(&[update(field(), Some(json!(1)), "1"), update(field(), None, "2")]).expect("an entry");
        assert_eq!(last.items[&field()], ItemChange { value: None, base: mark("2").map(|mark| mark.hash) });
        assert_eq!(last.operations, [1, 2]);
        let both = folded(&[update(field(), Some(json!(1)), "1"), go("1")]).expect("an entry");
        assert_eq!((both.kind, both.placement), (Kind::Update, Some(place("b.md"))));
        assert_eq!(folded(&[go("1")]).expect("an entry").kind, Kind::Move);
        let moved = folded(&[create(), go("1")]).expect("an entry");
        assert_eq!((moved.kind, moved.placement), (Kind::Create, Some(place("b.md"))));
        let gone = folded(&[update(field(), Some(json!(1)), "1"), go("1"), delete()]).expect("an entry");
        assert_eq!((gone.kind, gone.items.len(), gone.placement), (Kind::Delete, 0, None));
        assert_eq!(folded(&[create(), delete()]), None);
        let done = |through| Entry::Applied { ids: vec!["N".to_owned()], through };
        assert_eq!(folded(&[go("1"), done(1)]), None);
        assert_eq!(folded(&[go("1"), done(1), go("2")]).expect("an entry").base, mark("2"));
        // What was accepted while the earlier ones were applied is not lost.
        let late = folded(&[go("1"), go("2"), done(1)]).expect("an entry");
        assert_eq!((late.base, late.operations), (mark("2"), vec![2]));
    }
}
