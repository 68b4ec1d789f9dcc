//! `list_projects`: the pinned roots.

use std::sync::Arc;

use fault::Failure;

use crate::answer::ProjectEntry;
use crate::place::Place;
use crate::session::Session;

impl Session {
    /// Lists the local roots (contract, `list_projects`). Remote projects are addressed by URL and never listed.
    ///
    /// # Errors
    /// `UNKNOWN-PROJECT` when a root no longer leads to the folder that was pinned.
    pub fn list_projects(&self) -> Result<Vec<ProjectEntry>, Failure> {
        let entry = |root: &Arc<Place>| ProjectEntry {
            path: root.path().to_owned(),
            name: root.name(),
            is_git: git::has_boundary(root),
            has_local_profile: self.has_local_profile(root),
        };
        Ok(self.checked_roots()?.iter().map(entry).collect())
    }
}
