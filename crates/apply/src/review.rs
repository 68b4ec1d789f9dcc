//! What a person sees of a changeset before deciding on it, and the hash that their decision is about. It changes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use docs::{Hash, LookUp, Snapshot};
use propose::{
    Case, ChangesetId, ChangesetState, Effective, EntryState, Item, Kind, NodeDiff, Problem, ProposeFault,
    Validation, Verdict, effective, judge, semantic,
};

use crate::faults::{ApplyFault, ApplyProblem};
use crate::workshop::Workshop;

/// Hexadecimal digits of a difference that a person types.
const FINGERPRINT_DIGITS: usize = 8;

/// A changeset against the project as it is now.
#[derive(Debug)]
pub struct Review {
    /// The changeset, its entries and the project as it would be.
    pub case: Case,
    /// The project as it is.
    pub snapshot: Arc<Snapshot>,
    /// Every check.
    pub validation: Validation,
    /// What would change.
    pub nodes: Vec<NodeDiff>,
    /// The hash of what would change.
    pub diff_hash: Hash,
    /// Whether these are all entries of the changeset.
    pub is_whole: bool,
    /// Entries that are left out although one that is not needs them: who, and whom.
    pub needs: Vec<(String, String)>,
}

/// The digits of a difference that a person types.
pub fn fingerprint(diff_hash: Hash) -> String {
    diff_hash.hex().chars().take(FINGERPRINT_DIGITS).collect()
}

/// Looks at a changeset, or at the entries of some nodes of it alone.
///
/// # Errors
/// The problems of [`propose::Store::read`]; [`Problem::NodeNotFound`] for a node of `only` without an entry.
pub fn review(
    shop: &Workshop<'_>,
    snapshot: &Arc<Snapshot>,
    id: &ChangesetId,
    only: &[String],
) -> Result<Review, ApplyFault> {
    let desk = shop.desk(snapshot);
    let stored = desk.store().read(id)?;
    let all = effective(&stored.log);
    if let Some(unknown) = only.iter().find(|id| !all.contains_key(*id)) {
        let message = "The changeset has no open entry for a node that was named.";
        return Err(
            ApplyFault::from(ProposeFault::new(Problem::NodeNotFound, message)).about([unknown.clone()])
        );
    }
    let case = if only.is_empty() { Case::open(&desk, stored)? } else { Case::only(&desk, stored, only)? };
    let validation = judge(&desk, &case)?;
    let (nodes, diff_hash) = semantic(&desk, &case, &validation.entries);
    let needs = needs(snapshot, &all, &case.entries);
    let is_whole = case.entries.len() == all.len();
    Ok(Review { case, snapshot: Arc::clone(snapshot), validation, nodes, diff_hash, is_whole, needs })
}

/// Which chosen entries lead to a node that only an entry makes which is not chosen.
fn needs(
    snapshot: &Snapshot,
    all: &BTreeMap<String, Effective>,
    chosen: &BTreeMap<String, Effective>,
) -> Vec<(String, String)> {
    let is_left_out = |to: &String| {
        !chosen.contains_key(to)
            && all.get(to).is_some_and(|entry| entry.kind == Kind::Create)
            && !matches!(snapshot.look_up(to), LookUp::Found(_))
    };
    let mut needs = Vec::new();
    for (id, entry) in chosen {
        let created = entry.content.iter().flat_map(|content| &content.relations).map(|one| &one.to);
        let added = entry.items.iter().filter_map(|(item, change)| match item {
            Item::Relation { to, .. } if change.value.is_some() => Some(to),
            _ => None,
        });
        needs.extend(created.chain(added).filter(|to| is_left_out(to)).map(|to| (id.clone(), to.clone())));
    }
    needs.sort();
    needs.dedup();
    needs
}

impl Review {
    /// Why this may not be applied, if it may not.
    ///
    /// # Errors
    /// [`Problem::ChangesetClosed`], [`Problem::Damaged`], [`Problem::NoChange`], [`ApplyProblem::Conflict`].
    pub fn may_apply(&self, merges: bool) -> Result<(), ApplyFault> {
        let stored = &self.case.stored;
        let refuse = |problem: Problem| Err(ApplyFault::from(ProposeFault::of(problem)));
        if stored.state != ChangesetState::Open {
            return refuse(Problem::ChangesetClosed);
        }
        if stored.log.is_damaged {
            return refuse(Problem::Damaged);
        }
        if self.case.entries.is_empty() {
            return refuse(Problem::NoChange);
        }
        let conflict = |message: &str, lines: Vec<String>| {
            Err(ApplyFault::new(ApplyProblem::Conflict, message).about(lines))
        };
        let listed = |is_meant: &dyn Fn(EntryState) -> bool| -> Vec<String> {
            let entries = self.validation.entries.iter().filter(|entry| is_meant(entry.state));
            entries.map(|entry| format!("{}: {}", entry.id, entry.state.as_str())).collect()
        };
        let conflicts = listed(&EntryState::is_conflict);
        if !conflicts.is_empty() {
            return conflict("The project has moved on where the changeset proposes something.", conflicts);
        }
        if !self.needs.is_empty() {
            let lines = self.needs.iter().map(|(id, to)| format!("{id} needs {to}")).collect();
            return conflict("An entry needs another one that is left out; name it too.", lines);
        }
        if self.validation.verdict != Verdict::Pass || !self.case.overlay.faults.is_empty() {
            let errors =
                self.validation.findings.iter().filter(|one| one.severity == docs::Severity::Error).map(
                    |one| {
                        let about = one.entry.as_deref().unwrap_or("(changeset)");
                        format!("{about}: {} {}: {}", one.check.word(), one.code, one.message)
                    },
                );
            return conflict("A check stands against the changeset.", errors.collect());
        }
        let mergeable = listed(&|state| state == EntryState::Mergeable);
        if !merges && !mergeable.is_empty() {
            let message = "Nodes have changed elsewhere since; pass --merge to put both changes together.";
            return conflict(message, mergeable);
        }
        Ok(())
    }
}
