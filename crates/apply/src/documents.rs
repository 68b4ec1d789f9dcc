//! The documents of a project with the right to change them, and where a run keeps its journal and its lock: beside the
//! changesets (spec C10.10). It knows no changeset.

use std::time::Duration;

use disk::{CanonicalFolder, CanonicalLock, ConfinedFault, FileCalls, Kind, PlainCalls, RelPath, Root};
use docs::Paths;
use propose::ChangesetId;

use crate::faults::{ApplyFault, ApplyProblem};

const LOCK: &[u8] = b"apply.lock";
const JOURNALS: &[u8] = b"apply";
/// How often the lock is tried, and how long between.
const LOCK_TRIES: usize = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Whether an earlier run left something to settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Nothing.
    No,
    /// A run is going on in another process.
    Running,
    /// A run ended in the middle.
    Yes,
}

/// The documents of a project, held by the handle of its root.
#[derive(Debug)]
pub struct Documents {
    pub(crate) folder: CanonicalFolder,
    /// The folder that holds changesets, journals and the lock.
    base: RelPath,
}

impl Documents {
    /// Holds the documents below `root`.
    ///
    /// # Errors
    /// [`ConfinedFault`] when the root cannot be opened.
    pub fn open(root: &Root, paths: &Paths) -> Result<Documents, ConfinedFault> {
        Documents::open_with(root, paths, Box::new(PlainCalls))
    }

    /// The same with a watcher of file calls.
    ///
    /// # Errors
    /// As [`Documents::open`].
    pub fn open_with(
        root: &Root,
        paths: &Paths,
        calls: Box<dyn FileCalls>,
    ) -> Result<Documents, ConfinedFault> {
        let changesets = RelPath::parse(&paths.changesets).map_err(|_| ConfinedFault::Gone)?;
        let base = changesets.parent().unwrap_or_else(RelPath::root);
        Ok(Documents { folder: CanonicalFolder::open(root, calls)?, base })
    }

    /// Whether a run is going on or is to be settled. It makes nothing.
    ///
    /// # Errors
    /// [`ConfinedFault`] when a link stands where the journals are to lie.
    pub fn due(&self) -> Result<Due, ConfinedFault> {
        if self.journals()?.is_empty() {
            return Ok(Due::No);
        }
        // A run may have come to its end since; while the lock is free, what lies there belongs to nobody who runs.
        let left = self.folder.unless_locked(&self.base.join(LOCK), || self.journals())?;
        Ok(match left {
            None => Due::Running,
            Some(left) if left.is_empty() => Due::No,
            Some(_) => Due::Yes,
        })
    }

    /// The changesets that have a journal.
    pub(crate) fn journals(&self) -> Result<Vec<ChangesetId>, ConfinedFault> {
        let entries = self.folder.list(&self.journal_folder())?;
        let folders = entries.iter().filter(|entry| entry.kind == Kind::Directory);
        Ok(folders.filter_map(|entry| ChangesetId::parse(std::str::from_utf8(&entry.name).ok()?)).collect())
    }

    /// Where the journals lie.
    pub(crate) fn journal_folder(&self) -> RelPath {
        self.base.join(JOURNALS)
    }

    /// Takes the lock of the project.
    pub(crate) fn lock(&self) -> Result<CanonicalLock, ApplyFault> {
        self.make_folders(&self.base, true)?;
        let path = self.base.join(LOCK);
        for _ in 0..LOCK_TRIES {
            if let Some(lock) = self.folder.lock(&path)? {
                return Ok(lock);
            }
            // Somebody who only asks whether a run is going on has it for a moment.
            std::thread::sleep(LOCK_PAUSE);
        }
        let message = "Another process is applying; try again when it is done.";
        Err(ApplyFault::new(ApplyProblem::Locked, message))
    }

    /// Makes the folders of a path that are not there.
    pub(crate) fn make_folders(&self, path: &RelPath, is_private: bool) -> Result<(), ConfinedFault> {
        for folder in self.missing_folders(path)? {
            match self.folder.make_folder(&folder, is_private) {
                Ok(()) | Err(ConfinedFault::Taken) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(())
    }

    /// The folders of a path that are not there, the outermost first.
    pub(crate) fn missing_folders(&self, path: &RelPath) -> Result<Vec<RelPath>, ConfinedFault> {
        let mut missing = Vec::new();
        let mut here = RelPath::root();
        for name in path.components() {
            here = here.join(name);
            match self.folder.kind(&here)? {
                Some(Kind::Directory) => {}
                None => missing.push(here.clone()),
                Some(_) => return Err(ConfinedFault::Gone),
            }
        }
        Ok(missing)
    }

    /// Removes a tree of our own; what cannot be removed goes with the next sweep.
    pub(crate) fn remove_all(&self, path: &RelPath) -> bool {
        if self.folder.kind(path) == Ok(Some(Kind::Directory)) {
            for entry in self.folder.list(path).unwrap_or_default() {
                self.remove_all(&path.join(&entry.name));
            }
        }
        self.folder.remove(path).is_ok()
    }

    /// Removes what runs left behind that ended before their journal was whole, or after it was done with; gives the names.
    pub(crate) fn sweep(&self) -> Result<Vec<String>, ConfinedFault> {
        let folder = self.journal_folder();
        let entries = self.folder.list(&folder)?;
        let left = entries.iter().filter(|entry| entry.name.starts_with(disk::TEMPORARY_PREFIX.as_bytes()));
        let gone = left.map(|entry| folder.join(&entry.name)).filter(|path| self.remove_all(path));
        Ok(gone.map(|path| path.to_address().into_owned()).collect())
    }
}
