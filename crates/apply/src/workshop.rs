//! What applying works with: the project, its changesets, and its documents with the right to change them.

use std::sync::Arc;
use std::time::SystemTime;

use docs::{Checked, Freshness, ProjectService, Snapshot};
use fault::Watch;
use propose::{ConfinedRoots, Desk, Render, WriterRules};

use crate::documents::Documents;
use crate::faults::{ApplyFault, ApplyProblem};

/// Everything that a person's command about changesets works with.
#[derive(Clone, Copy)]
pub struct Workshop<'w> {
    /// The project.
    pub service: &'w ProjectService,
    /// Where changesets and previews lie.
    pub roots: &'w ConfinedRoots,
    /// The documents.
    pub documents: &'w Documents,
    /// Renders views for the checks; without it views are not tried.
    pub render: Option<&'w Render<'w>>,
    /// The time; informational.
    pub now: SystemTime,
}

impl std::fmt::Debug for Workshop<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workshop").finish_non_exhaustive()
    }
}

impl<'w> Workshop<'w> {
    /// The view of a reader without rights: everything can be looked at, nothing proposed.
    pub fn desk<'d>(&'d self, snapshot: &'d Arc<Snapshot>) -> Desk<'d>
    where
        'w: 'd,
    {
        Desk {
            service: self.service,
            snapshot,
            roots: self.roots,
            writer: None,
            policy: &WriterRules,
            validators: &[],
            render: self.render,
            now: self.now,
        }
    }

    /// The project as it is now, every byte of it read.
    pub(crate) fn fresh(&self, watch: &dyn Watch) -> Result<Arc<Snapshot>, ApplyFault> {
        let stopped = |_| ApplyFault::new(ApplyProblem::Io, "The run was stopped before it began.");
        let refresh = self.service.refresh(Checked::Hash, watch).map_err(stopped)?;
        match (refresh.freshness, refresh.snapshot) {
            (Freshness::Fresh, Some(snapshot)) => Ok(snapshot),
            (freshness, _) => {
                let message = match freshness {
                    Freshness::StaleContract => "The manifest was edited meanwhile; begin again.",
                    _ => "The project cannot be loaded as it is now; see `readroom docs check`.",
                };
                let lines = refresh.problems.iter().map(|one| one.message.clone());
                Err(ApplyFault::new(ApplyProblem::Unloadable, message).about(lines))
            }
        }
    }
}
