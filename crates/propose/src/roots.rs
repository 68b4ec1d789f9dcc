//! The two folders that proposals may write to, held by handles: one for changesets, one for previews (spec C10.4, C14).
//! Nothing else of the project can be named here.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use disk::{ConfinedFault, ConfinedFolder, FileCalls, PlainCalls, RelPath, Root};
use docs::Paths;

/// Makes the watcher of file calls for a folder; a test gives one that lets calls fail.
type Calls = dyn Fn() -> Box<dyn FileCalls> + Send + Sync;

/// The two folders.
pub struct ConfinedRoots {
    project: Arc<Root>,
    changesets: Slot,
    previews: Slot,
    calls: Box<Calls>,
}

impl std::fmt::Debug for ConfinedRoots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConfinedRoots").field("changesets", &self.changesets).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Slot {
    rel: RelPath,
    /// Held from its first use on; what takes its place later is refused.
    held: Mutex<Option<Arc<ConfinedFolder>>>,
}

/// Why the folders cannot be used. The texts name no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RootsFault {
    /// A link or a file stands where the changesets are to lie.
    #[error("[paths].changesets is a link, lies behind one, or is no folder")]
    Changesets,
    /// A link or a file stands where the previews are to lie.
    #[error("[paths].previews is a link, lies behind one, or is no folder")]
    Previews,
}

impl ConfinedRoots {
    /// Holds the folders that are there; a missing one is made when it is first written to.
    ///
    /// # Errors
    /// [`RootsFault`] when something else is in the place of one of them.
    pub fn open(project: Arc<Root>, paths: &Paths) -> Result<ConfinedRoots, RootsFault> {
        ConfinedRoots::open_with(project, paths, Box::new(|| Box::new(PlainCalls)))
    }

    /// The same with a watcher of file calls.
    ///
    /// # Errors
    /// As [`ConfinedRoots::open`].
    pub fn open_with(
        project: Arc<Root>,
        paths: &Paths,
        calls: Box<Calls>,
    ) -> Result<ConfinedRoots, RootsFault> {
        let slot = |path: &str, fault| {
            let rel = RelPath::parse(path).map_err(|_| fault)?;
            Ok(Slot { rel, held: Mutex::new(None) })
        };
        let roots = ConfinedRoots {
            changesets: slot(&paths.changesets, RootsFault::Changesets)?,
            previews: slot(&paths.previews, RootsFault::Previews)?,
            project,
            calls,
        };
        roots.folder(&roots.changesets, false).map_err(|_| RootsFault::Changesets)?;
        roots.folder(&roots.previews, false).map_err(|_| RootsFault::Previews)?;
        Ok(roots)
    }

    /// Makes the folders ahead, for a process that can make none later: both for one that is to write changesets, else that
    /// of previews where there are changesets.
    ///
    /// # Errors
    /// [`RootsFault`] when one cannot be made.
    pub fn prepare(&self, writes: bool) -> Result<(), RootsFault> {
        if writes {
            self.make_changesets().map_err(|_| RootsFault::Changesets)?;
        }
        if self.changesets().map_err(|_| RootsFault::Changesets)?.is_some() {
            self.make_previews().map_err(|_| RootsFault::Previews)?;
        }
        Ok(())
    }

    /// The folder of changesets; `None` when it was never made.
    pub(crate) fn changesets(&self) -> Result<Option<Arc<ConfinedFolder>>, ConfinedFault> {
        self.folder(&self.changesets, false)
    }

    /// The folder of changesets, made when it is missing.
    pub(crate) fn make_changesets(&self) -> Result<Arc<ConfinedFolder>, ConfinedFault> {
        self.folder(&self.changesets, true)?.ok_or(ConfinedFault::NotFound)
    }

    /// The folder of previews; `None` when it was never made.
    pub(crate) fn previews(&self) -> Result<Option<Arc<ConfinedFolder>>, ConfinedFault> {
        self.folder(&self.previews, false)
    }

    /// The folder of previews, made when it is missing.
    pub(crate) fn make_previews(&self) -> Result<Arc<ConfinedFolder>, ConfinedFault> {
        self.folder(&self.previews, true)?.ok_or(ConfinedFault::NotFound)
    }

    /// Where changesets lie, project-relative.
    pub(crate) fn changesets_path(&self) -> &RelPath {
        &self.changesets.rel
    }

    /// Where previews lie, project-relative.
    pub(crate) fn previews_path(&self) -> &RelPath {
        &self.previews.rel
    }

    fn folder(&self, slot: &Slot, make: bool) -> Result<Option<Arc<ConfinedFolder>>, ConfinedFault> {
        let mut held: MutexGuard<'_, _> = slot.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = &*held {
            folder.check(&self.project)?;
            return Ok(Some(Arc::clone(folder)));
        }
        let found = if make {
            ConfinedFolder::make(&self.project, &slot.rel, (self.calls)())
        } else {
            ConfinedFolder::open(&self.project, &slot.rel, (self.calls)())
        };
        match found {
            Ok(folder) => {
                let folder = Arc::new(folder);
                *held = Some(Arc::clone(&folder));
                Ok(Some(folder))
            }
            // Nothing there is fine; a link there is not.
            Err(ConfinedFault::NotFound) if !make && self.is_free(&slot.rel) => Ok(None),
            Err(ConfinedFault::NotFound) => Err(ConfinedFault::Gone),
            Err(fault) => Err(fault),
        }
    }

    /// Whether nothing but folders stands on the way to the path.
    fn is_free(&self, rel: &RelPath) -> bool {
        let mut here = RelPath::root();
        for name in rel.components() {
            here = here.join(name);
            match self.project.stat(&here, disk::Links::Refuse) {
                Ok(stat) if stat.kind == disk::Kind::Directory => {}
                Err(disk::OpenFault::NotFound) => return true,
                _ => return false,
            }
        }
        true
    }
}
