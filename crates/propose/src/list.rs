//! The changesets of a project, each with what can be said of it without judging it (spec C12.6). It changes nothing.

use crate::case::{Case, Desk};
use crate::faults::{Problem, ProposeFault};
use crate::id::ChangesetId;
use crate::overlap::{Overlap, others, overlaps};
use crate::standing::EntryState;
use crate::store::ChangesetState;

/// Which changesets are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListRequest {
    /// In this state; all without it.
    pub state: Option<ChangesetState>,
    /// Of this writer.
    pub writer: Option<String>,
    /// With an entry for this node.
    pub node: Option<String>,
}

/// Whether the nodes of a changeset are as they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaseSummary {
    /// All of them.
    Current,
    /// Some have changed elsewhere.
    Moved,
    /// Some have changed in the same place.
    Conflicting,
}

impl BaseSummary {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            BaseSummary::Current => "current",
            BaseSummary::Moved => "moved",
            BaseSummary::Conflicting => "conflicting",
        }
    }

    /// Of the states of all entries.
    pub fn of(states: impl IntoIterator<Item = EntryState>) -> BaseSummary {
        let mut summary = BaseSummary::Current;
        for state in states {
            if state.is_conflict() {
                return BaseSummary::Conflicting;
            }
            if state == EntryState::Mergeable {
                summary = BaseSummary::Moved;
            }
        }
        summary
    }
}

/// One changeset of a list.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Its id.
    pub id: ChangesetId,
    /// What became of it.
    pub state: ChangesetState,
    /// Who made it.
    pub writer: String,
    /// Its version.
    pub version: u32,
    /// How many effective entries it has.
    pub entries: usize,
    /// Whether its nodes are as they were.
    pub base: BaseSummary,
    /// Whether its log holds together.
    pub is_damaged: bool,
    /// Other open changesets that meet it.
    pub overlaps: Vec<Overlap>,
    /// Its title; free text.
    pub title: String,
}

/// Every wanted changeset, newest first. One whose header cannot be read is passed over.
///
/// # Errors
/// [`Problem::RootUnavailable`].
pub fn list(desk: &Desk<'_>, request: &ListRequest) -> Result<Vec<Summary>, ProposeFault> {
    let store = desk.store();
    let mut found = Vec::new();
    for (id, _) in store.ids()? {
        let stored = match store.read(&id) {
            Ok(stored) => stored,
            Err(fault) if fault.problem == Problem::RootUnavailable => return Err(fault),
            Err(_) => continue,
        };
        let is_wanted = request.state.is_none_or(|state| state == stored.state)
            && request.writer.as_ref().is_none_or(|writer| *writer == stored.log.header.writer);
        if !is_wanted {
            continue;
        }
        let entries = crate::fold::effective(&stored.log);
        if request.node.as_ref().is_some_and(|node| !entries.contains_key(node)) {
            continue;
        }
        let is_open = stored.state == ChangesetState::Open;
        let overlaps = if is_open { overlaps(&entries, &others(desk, &id)?) } else { Vec::new() };
        let log = stored.log.clone();
        let state = stored.state;
        let base = if is_open {
            BaseSummary::of(Case::standings_of(desk, &stored, &entries)?.into_values().map(|one| one.state))
        } else {
            BaseSummary::Current
        };
        found.push(Summary {
            id,
            state,
            writer: log.header.writer.clone(),
            version: log.version(),
            entries: entries.len(),
            base,
            is_damaged: log.is_damaged,
            overlaps,
            title: log.header.title,
        });
    }
    Ok(found)
}
