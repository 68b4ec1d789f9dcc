//! What the commands about changesets share: the project with its changesets and its documents, and the words and exit
//! codes for what goes wrong. It prints nothing.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use apply::{ApplyFault, ApplyProblem, Documents, Workshop};
use docs::{Checked, Paths, Snapshot};
use propose::{ChangesetId, ConfinedRoots, Problem, ProposeFault};

use super::super::project::{Opened, open, open_unsettled, shown, unwritable};
use crate::exit::{Ended, Exit};

/// A project, its changesets, and the right to change its documents.
pub(in crate::human::docs) struct Office {
    opened: Opened,
    roots: ConfinedRoots,
    documents: Documents,
}

impl Office {
    /// Opens a project, unless a change of its documents was interrupted.
    pub(in crate::human::docs) fn open(root: &Path, checked: Checked) -> Result<Office, Ended> {
        let opened = open(root, checked)?;
        opened.snapshot()?;
        Office::of(opened)
    }

    /// The same whatever was interrupted, and whether or not it can be served as it is now.
    pub(super) fn open_unsettled(root: &Path) -> Result<Office, Ended> {
        Office::of(open_unsettled(root, Checked::Stat)?)
    }

    fn of(opened: Opened) -> Result<Office, Ended> {
        let root = opened.service.root();
        let Some(contract) = opened.service.contract() else {
            // The manifest cannot be read, and the findings say why.
            return Err(opened.snapshot().err().unwrap_or(Ended::Cancelled));
        };
        let paths: &Paths = &contract.paths;
        let documents = Documents::open(root.root(), paths)
            .map_err(|fault| unwritable("the folder of the project", fault))?;
        let roots = ConfinedRoots::open(root.share(), paths).map_err(|fault| {
            Ended::Message(Exit::REFUSED, format!("{}: {fault}", Problem::RootUnavailable.as_str()))
        })?;
        Ok(Office { opened, roots, documents })
    }

    /// The project as it was when it was opened.
    pub(super) fn snapshot(&self) -> Result<&Arc<Snapshot>, Ended> {
        self.opened.snapshot()
    }

    /// What the work is done with.
    pub(in crate::human::docs) fn shop(&self) -> Workshop<'_> {
        Workshop {
            service: &self.opened.service,
            roots: &self.roots,
            documents: &self.documents,
            render: None,
            now: SystemTime::now(),
        }
    }
}

/// Reads the id of a changeset.
pub(super) fn id(text: &str) -> Result<ChangesetId, Ended> {
    ChangesetId::parse(text).ok_or_else(|| {
        let message = format!(
            "{}: '{}' is no id of a changeset; `readroom docs changeset list` lists them",
            Problem::ChangesetNotFound.as_str(),
            shown(text)
        );
        Ended::Message(Exit::FINDINGS, message)
    })
}

/// A fault as its code, words, and what it is about, and the exit code that goes with it.
pub(in crate::human::docs) fn ended(fault: ApplyFault) -> Ended {
    let exit = match fault.problem {
        ApplyProblem::NeedsPerson
        | ApplyProblem::FingerprintMismatch
        | ApplyProblem::Conflict
        | ApplyProblem::Locked => Exit::REFUSED,
        ApplyProblem::RecoveryRequired => Exit::Recovery,
        ApplyProblem::Unloadable => Exit::Usage,
        ApplyProblem::Io | ApplyProblem::Changeset(Problem::Io) => Exit::IO,
        ApplyProblem::Changeset(
            Problem::ChangesetNotFound | Problem::NodeNotFound | Problem::ViewNotFound,
        ) => Exit::FINDINGS,
        ApplyProblem::Changeset(_) => Exit::REFUSED,
    };
    let mut message = format!("{}: {}", fault.problem.as_str(), shown(&fault.message));
    match fault.problem {
        ApplyProblem::Changeset(Problem::ChangesetNotFound) => {
            message.push_str(" `readroom docs changeset list` lists them.");
        }
        ApplyProblem::Changeset(Problem::Damaged) => {
            message.push_str(
                " Its folder lies among the changesets; look at it and remove it by hand when it is of no use.",
            );
        }
        _ => {}
    }
    for line in &fault.about {
        message.push_str("\n  ");
        message.push_str(&shown(line));
    }
    Ended::Message(exit, message)
}

/// The same for a fault of the changesets alone.
pub(super) fn refused(fault: ProposeFault) -> Ended {
    ended(fault.into())
}
