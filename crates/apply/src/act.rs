//! Applying a changeset, from the lock to the archive (spec C10.10). That a person asked for it is for the caller to see
//! to.

use docs::Hash;
use fault::Watch;
use propose::{ChangesetId, ProposeFault};

use crate::documents::Documents;
use crate::faults::{ApplyFault, ApplyProblem};
use crate::finish::finish;
use crate::journal::Journal;
use crate::plan::Plan;
use crate::review::review;
use crate::swap;
use crate::workshop::Workshop;

/// What a person decided.
#[derive(Clone, Debug)]
pub struct ApplyRequest {
    /// The changeset.
    pub changeset: ChangesetId,
    /// The nodes whose entries are applied; all without any.
    pub only: Vec<String>,
    /// The difference that they saw.
    pub confirmed: Hash,
    /// Whether nodes that changed elsewhere are merged.
    pub merges: bool,
    /// Who; free text.
    pub who: String,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The changeset.
    pub changeset: ChangesetId,
    /// The nodes whose entries were applied.
    pub ids: Vec<String>,
    /// The files that changed, came or went.
    pub files: Vec<String>,
    /// How many entries of the changeset are still open.
    pub remaining: usize,
    /// Whether the changeset is closed now.
    pub is_closed: bool,
}

/// Applies a changeset. Either every file of it is written, or none is; what a crash leaves is settled by
/// [`crate::recover`].
///
/// # Errors
/// [`ApplyFault`]; after any problem but [`ApplyProblem::RecoveryRequired`] the documents are as they were.
pub fn apply(shop: &Workshop<'_>, request: &ApplyRequest, watch: &dyn Watch) -> Result<Applied, ApplyFault> {
    let documents = shop.documents;
    let _lock = documents.lock()?;
    nothing_is_due(shop)?;
    // What was confirmed was seen before the lock was taken, so everything is looked at again.
    let snapshot = shop.fresh(watch)?;
    let review = review(shop, &snapshot, &request.changeset, &request.only)?;
    is_confirmed(review.diff_hash, request.confirmed)?;
    review.may_apply(request.merges)?;
    let plan = Plan::of(shop, &review, &request.who)?;
    let finished = carry_out(documents, &plan, |journal| finish(&shop.desk(&snapshot).store(), journal))?;
    Ok(Applied {
        changeset: plan.changeset,
        ids: plan.ids,
        files: plan.files.into_iter().map(|file| file.path).collect(),
        remaining: finished.remaining,
        is_closed: finished.is_closed,
    })
}

/// Writes every file of a plan, or none: through a journal, which is taken away once everything that belongs to it is done
/// too.
pub(crate) fn carry_out<T>(
    documents: &Documents,
    plan: &Plan,
    finish: impl FnOnce(&Journal) -> Result<T, ProposeFault>,
) -> Result<T, ApplyFault> {
    let journal = Journal::stage(documents, plan)?;
    if let Err(fault) = swap::forward(documents, &journal) {
        return Err(match swap::back(documents, &journal) {
            // A document that somebody else wrote to is as they left it.
            Ok(_) if journal.retire(documents) => fault,
            _ => ApplyFault::unfinished(&fault),
        });
    }
    let unfinished = |fault: ApplyFault| ApplyFault::unfinished(&fault);
    journal.mark_done(documents).map_err(|fault| unfinished(fault.into()))?;
    let finished = finish(&journal).map_err(|fault| unfinished(fault.into()))?;
    if !journal.retire(documents) {
        let message = "Everything was written, but the journal could not be taken away.";
        return Err(unfinished(ApplyFault::new(ApplyProblem::Io, message)));
    }
    Ok(finished)
}

/// Refuses while an earlier run is to be settled.
pub(crate) fn nothing_is_due(shop: &Workshop<'_>) -> Result<(), ApplyFault> {
    if shop.documents.journals()?.is_empty() {
        return Ok(());
    }
    let message = "An earlier run ended in the middle; run `readroom docs changeset recover`.";
    Err(ApplyFault::new(ApplyProblem::RecoveryRequired, message))
}

/// Refuses when what was confirmed is not what there is now.
pub(crate) fn is_confirmed(now: Hash, confirmed: Hash) -> Result<(), ApplyFault> {
    if now == confirmed {
        return Ok(());
    }
    let message = "The difference is not the one that was confirmed; look at it again.";
    Err(ApplyFault::new(ApplyProblem::FingerprintMismatch, message))
}
