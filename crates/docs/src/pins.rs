//! The pins of a project: which relations were reviewed with their target as it is now. It sets none.

use crate::assemble::pin_of;
use crate::contract::{PinUse, RelationDef};
use crate::hash::Hash;
use crate::model::{EdgeKind, Link, NodeIx};
use crate::snapshot::{LookUp, Snapshot};

/// How a relation that may be pinned stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinState {
    /// Its target is as it was when it was pinned.
    Current,
    /// Its target has changed since.
    Suspect,
    /// It has no pin and needs one.
    Missing,
    /// It has none and needs none.
    Unpinned,
}

impl PinState {
    /// The word for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            PinState::Current => "current",
            PinState::Suspect => "suspect",
            PinState::Missing => "missing",
            PinState::Unpinned => "unpinned",
        }
    }
}

/// A relation that may be pinned.
#[derive(Clone, Copy, Debug)]
pub struct Pin<'s> {
    /// The node that states it.
    pub from: NodeIx,
    /// The relation as it is stated.
    pub link: &'s Link,
    /// Its definition.
    pub relation: &'s RelationDef,
    /// Its target.
    pub to: NodeIx,
    /// How it stands.
    pub state: PinState,
    /// The pin that it has once a person says that the target was reviewed.
    pub wanted: Hash,
}

impl Snapshot {
    /// The relations of a node that may be pinned and have a target, as they are written.
    pub fn pins_of(&self, from: NodeIx) -> impl Iterator<Item = Pin<'_>> {
        self.node(from).links.iter().filter_map(move |link| {
            let relation = self.contract().relation(&link.relation)?;
            let LookUp::Found(to) = self.look_up(&link.to) else { return None };
            if relation.pin == PinUse::Off || !link.is_resolved {
                return None;
            }
            let is_suspect = self.out(from).any(|edge| {
                edge.kind == EdgeKind::Relation
                    && edge.to == to
                    && self.contract().relations[edge.relation as usize].name == link.relation
                    && edge.pin == link.pin
                    && edge.suspect == Some(true)
            });
            let state = match (&link.pin, relation.pin) {
                (Some(_), _) if is_suspect => PinState::Suspect,
                (Some(_), _) => PinState::Current,
                (None, PinUse::Required) => PinState::Missing,
                (None, _) => PinState::Unpinned,
            };
            let wanted = pin_of(self.node(to), relation, self.contract());
            Some(Pin { from, link, relation, to, state, wanted })
        })
    }

    /// Those of every node, by id.
    pub fn pins(&self) -> impl Iterator<Item = Pin<'_>> {
        self.indices().flat_map(|ix| self.pins_of(ix))
    }
}
