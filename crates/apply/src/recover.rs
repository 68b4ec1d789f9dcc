//! Settling a run that ended in the middle: to its end when it can be finished, else back to its beginning (spec C10.10).

use propose::{ChangesetId, Store};

use crate::faults::{ApplyFault, ApplyProblem};
use crate::finish::finish;
use crate::journal::{IntentFile, Journal};
use crate::plan::may_change;
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
        is_ours(shop, &journal)?;
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

/// Refuses a journal that would touch anything but documents: a folder that came from elsewhere may hold one that nobody
/// here has written.
fn is_ours(shop: &Workshop<'_>, journal: &Journal) -> Result<(), ApplyFault> {
    let contract = shop.service.contract();
    let may_change = |path: &str| contract.as_ref().is_some_and(|contract| may_change(contract, path));
    let leads_to_one = |folder: &String| {
        let is_above = |file: &IntentFile| {
            file.path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        journal.files.iter().any(is_above)
    };
    let files = journal.files.iter().map(|file| &file.path).filter(|path| !may_change(path));
    let foreign: Vec<String> =
        files.chain(journal.folders.iter().filter(|folder| !leads_to_one(folder))).cloned().collect();
    if foreign.is_empty() {
        return Ok(());
    }
    let message = "A journal names what is no document of a writable source; nothing was changed. If the manifest was \
                   edited since, put it back first; a journal that is not yours is to be removed by hand.";
    let place = journal.folder(shop.documents).to_address().into_owned();
    Err(ApplyFault::new(ApplyProblem::RecoveryRequired, message).about([place]).about(foreign))
}
