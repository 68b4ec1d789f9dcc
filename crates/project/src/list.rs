//! `list_projects`: the pinned roots.

use disk::Root;
use fault::Failure;
use git::Repository;

use crate::answer::ProjectEntry;
use crate::session::Session;

impl Session {
    /// Lists the local roots (contract, `list_projects`). Remote projects are addressed by URL and never listed.
    ///
    /// # Errors
    /// `UNKNOWN-PROJECT` when a root no longer leads to the folder that was pinned.
    pub fn list_projects(&self) -> Result<Vec<ProjectEntry>, Failure> {
        let entry = |root: &Root| ProjectEntry {
            path: root.path().to_owned(),
            name: root.name(),
            is_git: Repository::discover(root).is_some(),
            has_local_profile: self.has_local_profile(root),
        };
        Ok(self.checked_roots()?.iter().map(entry).collect())
    }
}
