//! After the documents: the log says what was applied, and a changeset with nothing left is closed. Done twice it does no
//! more than once, so that a recovery can do it again. It touches no document.

use docs::Hash;
use propose::{ChangesetState, Entry, Operation, Outcome, Problem, ProposeFault, Store, Stored, effective};
use serde_json::Value;

use crate::journal::Journal;

/// How often another writer may be faster than the note of what was applied.
const TRIES_MAX: usize = 64;
/// The name in the log of the one who applied; no server has a tool of this name.
const TOOL: &str = "docs changeset apply";

/// What became of a changeset whose documents are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finished {
    /// How many entries are still open.
    pub(crate) remaining: usize,
    /// Whether it is closed now.
    pub(crate) is_closed: bool,
}

/// Notes what was applied, and closes the changeset when nothing is left of it.
pub(crate) fn finish(store: &Store<'_>, journal: &Journal) -> Result<Finished, ProposeFault> {
    let id = &journal.changeset;
    let mut is_faster = None;
    for _ in 0..TRIES_MAX {
        let stored = match store.read(id) {
            // The documents are written; that the changeset is gone or broken changes nothing about it.
            Err(fault) if matches!(fault.problem, Problem::ChangesetNotFound | Problem::Damaged) => {
                return Ok(Finished { remaining: 0, is_closed: false });
            }
            answer => answer?,
        };
        if stored.state != ChangesetState::Open {
            store.archive(id)?;
            return Ok(Finished { remaining: 0, is_closed: true });
        }
        let open = effective(&stored.log);
        let is_noted = stored.log.operations.iter().any(|one| match &one.entry {
            Entry::Applied { ids, through } => *ids == journal.ids && *through == journal.version,
            _ => false,
        });
        let is_as_it_was = journal.is_whole && stored.log.version() == journal.version;
        let done = if stored.log.is_damaged {
            return Ok(Finished { remaining: open.len(), is_closed: false });
        } else if is_as_it_was || (is_noted && open.is_empty()) {
            store.close(&stored, &outcome(journal))
        } else if is_noted {
            return Ok(Finished { remaining: open.len(), is_closed: false });
        } else {
            store.append(&stored, &note(journal, &stored))
        };
        match done {
            Ok(()) => {}
            Err(fault) if matches!(fault.problem, Problem::VersionConflict) => is_faster = Some(fault),
            Err(fault) => return Err(fault),
        }
    }
    Err(is_faster.unwrap_or_else(|| ProposeFault::of(Problem::Io)))
}

fn outcome(journal: &Journal) -> Outcome {
    let text = |key: &str| journal.outcome.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    Outcome {
        state: ChangesetState::Applied,
        who: text("who"),
        when: text("when"),
        details: journal.outcome.get("details").cloned().unwrap_or_default(),
    }
}

fn note(journal: &Journal, stored: &Stored) -> Operation {
    let when = journal.outcome.get("when").and_then(Value::as_str).unwrap_or_default();
    Operation {
        n: stored.log.version() + 1,
        prev: stored.log.tip(),
        time: when.to_owned(),
        tool: TOOL.to_owned(),
        args_hash: Hash::of(&[b"docforge.args.v1\n", journal.outcome.to_string().as_bytes()]),
        entry: Entry::Applied { ids: journal.ids.clone(), through: journal.version },
    }
}
