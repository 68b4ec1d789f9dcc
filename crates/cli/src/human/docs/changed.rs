//! Which findings concern files that differ from the last Git commit, for `readroom docs check --changed-only`. Git is asked as
//! the project tools ask it: nothing that the repository names is run.

use std::collections::BTreeSet;

use disk::{Quota, RelPath, Root, Store};
use docs::{Check, Diagnostic, LookUp, MANIFEST_NAME, Snapshot};
use fault::Watch;
use git::{GitProgram, Repository, Scope, ScopeFault};

use crate::exit::{Ended, Exit};
use crate::wire::user_dirs;

/// The files that differ from the last commit: staged, unstaged, new and removed.
#[derive(Debug, Default)]
pub(super) struct Changes {
    paths: BTreeSet<String>,
    has_removed: bool,
}

impl Changes {
    /// Asks Git.
    pub(super) fn of(root: &Root, watch: &dyn Watch) -> Result<Changes, Ended> {
        let failed = |words: String| Ended::Message(Exit::Usage, format!("--changed-only: {words}"));
        let Some(repository) = Repository::discover(root) else {
            return Err(failed("the project is not in a Git repository; check the whole of it".to_owned()));
        };
        let Some(program) = GitProgram::find(std::iter::once(root.path())) else {
            return Err(failed("git is not installed or not on PATH".to_owned()));
        };
        // Nothing is stored but the stand-in for the repository's own folder.
        let quota = Quota { item_bytes: 0, session_bytes: 0 };
        let store = Store::open(&user_dirs()?, quota).map_err(|fault| failed(fault.to_string()))?;
        let folder = || store.work_folder();
        let scoped = git::scoped(&program, &folder, root, &repository, Scope::Changes, &[], watch);
        let scoped = scoped.map_err(|fault| match fault {
            ScopeFault::Stopped(_) => Ended::Cancelled,
            other => failed(other.to_string()),
        })?;
        let name = |path: &RelPath| path.as_str().map(str::to_owned);
        Ok(Changes {
            has_removed: !scoped.deleted.is_empty(),
            paths: scoped.present.iter().chain(&scoped.deleted).filter_map(name).collect(),
        })
    }

    /// Whether a finding stands in a changed file, names a node of one, or may come from one that is gone. A changed manifest
    /// concerns every finding.
    pub(super) fn concern(&self, one: &Diagnostic, snapshot: &Snapshot) -> bool {
        let is_changed = |path: &str| self.paths.contains(path);
        let leads_there = |name: &String| match snapshot.look_up(name) {
            LookUp::Found(ix) | LookUp::ByAlias(ix) => is_changed(&snapshot.node(ix).path),
            LookUp::Ambiguous(paths) => paths.iter().any(|path| is_changed(path)),
            LookUp::Missing => is_changed(name),
        };
        let leads_nowhere = matches!(
            one.check,
            Check::DanglingRelation | Check::MentionDangling | Check::BrokenAnchor | Check::BrokenPathLink
        );
        is_changed(MANIFEST_NAME)
            || one.place.path.as_deref().is_some_and(is_changed)
            || one.related.iter().any(leads_there)
            || self.has_removed && leads_nowhere
    }
}
