//! Closing a changeset without applying it, and taking away what ended runs left behind. It touches no document.

use docs::Hash;
use fault::Watch;
use propose::{ChangesetId, ChangesetState, Outcome, Problem, ProposeFault, Store, utc};
use serde_json::json;

use crate::act::{is_confirmed, nothing_is_due};
use crate::faults::ApplyFault;
use crate::review::review;
use crate::workshop::Workshop;

/// What a person decided.
#[derive(Clone, Debug)]
pub struct CloseRequest {
    /// The changeset.
    pub changeset: ChangesetId,
    /// [`ChangesetState::Rejected`] or [`ChangesetState::Withdrawn`].
    pub state: ChangesetState,
    /// The difference that they saw.
    pub confirmed: Hash,
    /// Who; free text.
    pub who: String,
}

/// Closes a changeset for good.
///
/// # Errors
/// [`ApplyFault`]; the changeset is then open as before, or closed when only its move to the archive failed.
pub fn close(shop: &Workshop<'_>, request: &CloseRequest, watch: &dyn Watch) -> Result<(), ApplyFault> {
    let _lock = shop.documents.lock()?;
    nothing_is_due(shop)?;
    let snapshot = shop.fresh(watch)?;
    let review = review(shop, &snapshot, &request.changeset, &[])?;
    let stored = &review.case.stored;
    if stored.state != ChangesetState::Open
        || !matches!(request.state, ChangesetState::Rejected | ChangesetState::Withdrawn)
    {
        return Err(ProposeFault::of(Problem::ChangesetClosed).into());
    }
    is_confirmed(review.diff_hash, request.confirmed)?;
    let outcome = Outcome {
        state: request.state,
        who: request.who.clone(),
        when: utc(shop.now),
        details: json!({
            "version": stored.log.version(),
            "diff_hash": review.diff_hash.to_string(),
            "revision": snapshot.revision(),
            "source_hash": snapshot.source_hash().to_string(),
        }),
    };
    Ok(Store::new(shop.roots).close(stored, &outcome)?)
}

/// What a sweep did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// What was removed, project-relative.
    pub removed: Vec<String>,
    /// Closed changesets that did not lie in the archive yet.
    pub archived: Vec<ChangesetId>,
}

/// Takes away what ended runs left behind, and moves closed changesets to the archive that do not lie there yet.
///
/// # Errors
/// [`ApplyFault`].
pub fn collect(shop: &Workshop<'_>) -> Result<Collected, ApplyFault> {
    let _lock = shop.documents.lock()?;
    nothing_is_due(shop)?;
    let store = Store::new(shop.roots);
    let mut collected = Collected { removed: store.sweep()?, archived: Vec::new() };
    collected.removed.extend(shop.documents.sweep()?);
    for (id, is_archived) in store.ids()? {
        // One that cannot be read is for a person to look at.
        if !is_archived && matches!(store.archive(&id), Ok(true)) {
            collected.archived.push(id);
        }
    }
    Ok(collected)
}
