//! Settling a run that ended in the middle: to its end when it can be finished, else back to its beginning (spec C10.10).

use propose::{ChangesetId, Store};

use crate::faults::{ApplyFault, ApplyProblem};
use crate::finish::finish;
use crate::journal::Journal;
use crate::swap;
use crate::workshop::Workshop;

/// Which way a run was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Every document has its new bytes.
    Forward,
    /// Every document has its old bytes again.
    Back,
}

/// A run that was settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The changeset.
    pub changeset: ChangesetId,
    /// Which way.
    pub direction: Direction,
    /// Documents that somebody else wrote to meanwhile: they are as they were left.
    pub left: Vec<String>,
}

/// Settles every run that ended in the middle; none is no fault.
///
/// # Errors
/// [`ApplyProblem::Locked`] while a run is going on, [`ApplyProblem::RecoveryRequired`] when a journal cannot be read,
/// [`ApplyProblem::Io`]; it can be called again.
pub fn recover(shop: &Workshop<'_>) -> Result<Vec<Recovered>, ApplyFault> {
    let documents = shop.documents;
    if documents.journals()?.is_empty() {
        return Ok(Vec::new());
    }
    let _lock = documents.lock()?;
    let mut settled = Vec::new();
    for id in documents.journals()? {
        let journal = Journal::read(documents, &id)?;
        let mut left = Vec::new();
        let is_done = journal.is_done(documents)?;
        let direction = if is_done || swap::can_finish(documents, &journal)? {
            if !is_done {
                swap::forward(documents, &journal)?;
                journal.mark_done(documents)?;
            }
            finish(&Store::new(shop.roots), &journal)?;
            Direction::Forward
        } else {
            left = swap::back(documents, &journal)?;
            Direction::Back
        };
        if !journal.retire(documents) {
            return Err(ApplyFault::new(ApplyProblem::Io, "The journal could not be taken away; try again."));
        }
        settled.push(Recovered { changeset: id, direction, left });
    }
    documents.sweep()?;
    Ok(settled)
}
