//! Which other open changesets touch what this one touches (spec C10.5). It settles nothing.

use std::collections::BTreeMap;

use crate::case::Desk;
use crate::content::Item;
use crate::faults::ProposeFault;
use crate::fold::{Effective, Kind, effective};
use crate::id::ChangesetId;
use crate::store::ChangesetState;

/// How two changesets meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Meeting {
    /// Both change, move or remove the node.
    SameNode,
    /// Both create the id.
    SameId,
    /// The other removes a node that this one links to.
    RemovesTarget,
    /// The other links to a node that this one removes.
    LinksToRemoved,
}

impl Meeting {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Meeting::SameNode => "same_node",
            Meeting::SameId => "same_id",
            Meeting::RemovesTarget => "removes_target",
            Meeting::LinksToRemoved => "links_to_removed",
        }
    }
}

/// One meeting.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overlap {
    /// The other changeset.
    pub changeset: ChangesetId,
    /// The node.
    pub node: String,
    /// How they meet.
    pub meeting: Meeting,
}

/// The effective entries of one changeset.
pub type Entries = BTreeMap<String, Effective>;

/// The effective entries of every open changeset but one.
///
/// # Errors
/// As [`crate::Store::ids`].
pub fn others(desk: &Desk<'_>, but: &ChangesetId) -> Result<Vec<(ChangesetId, Entries)>, ProposeFault> {
    let store = desk.store();
    let mut found = Vec::new();
    for (id, is_archived) in store.ids()? {
        if is_archived || id == *but {
            continue;
        }
        if let Ok(stored) = store.read(&id)
            && stored.state == ChangesetState::Open
        {
            found.push((id, effective(&stored.log)));
        }
    }
    Ok(found)
}

/// Every meeting of `entries` with the others, sorted.
pub fn overlaps(
    entries: &BTreeMap<String, Effective>,
    others: &[(ChangesetId, BTreeMap<String, Effective>)],
) -> Vec<Overlap> {
    let mut found = Vec::new();
    for (changeset, theirs) in others {
        let mut add = |node: &str, meeting| {
            found.push(Overlap { changeset: changeset.clone(), node: node.to_owned(), meeting });
        };
        for (id, ours) in entries {
            match theirs.get(id) {
                Some(their) if ours.kind == Kind::Create && their.kind == Kind::Create => {
                    add(id, Meeting::SameId)
                }
                Some(_) => add(id, Meeting::SameNode),
                None => {}
            }
            for target in targets(ours) {
                if theirs.get(&target).is_some_and(|their| their.kind == Kind::Delete) {
                    add(&target, Meeting::RemovesTarget);
                }
            }
            if ours.kind == Kind::Delete && theirs.values().any(|their| targets(their).contains(id)) {
                add(id, Meeting::LinksToRemoved);
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// What an entry links to anew.
fn targets(entry: &Effective) -> Vec<String> {
    let created = entry.content.iter().flat_map(|content| &content.relations).map(|one| one.to.clone());
    let added = entry.items.iter().filter_map(|(item, change)| match item {
        Item::Relation { to, .. } if change.value.is_some() => Some(to.clone()),
        _ => None,
    });
    created.chain(added).collect()
}
