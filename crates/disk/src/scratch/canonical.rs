//! The documents of a project as a person's command line changes them: staged files that are put in the place of others,
//! below the root and through its handle alone. Only the crate `apply` may name it; it knows no content, and it decides
//! nothing.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{FlockOperation, Mode, OFlags, RenameFlags, flock, openat, renameat, renameat_with};
use rustix::io::Errno;

use super::confined::{ConfinedFault, ConfinedFolder, FileCall, FileCalls, NewMode};
use crate::beneath::{Mechanism, Place, open_beneath};
use crate::list::Entry;
use crate::open::{Kind, Stat};
use crate::path::RelPath;
use crate::root::Root;

/// A project whose documents may be changed.
#[derive(Debug)]
pub struct CanonicalFolder(ConfinedFolder);

/// Held by the one who changes documents; it ends when this value or its process does.
#[derive(Debug)]
pub struct CanonicalLock(#[expect(dead_code, reason = "the lock lasts as long as the handle")] OwnedFd);

/// A file as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileNow {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its permission bits.
    pub mode: u32,
}

impl CanonicalFolder {
    /// Holds the root.
    ///
    /// # Errors
    /// [`ConfinedFault`] when it cannot be opened.
    pub fn open(root: &Root, calls: Box<dyn FileCalls>) -> Result<CanonicalFolder, ConfinedFault> {
        ConfinedFolder::hold(root, &RelPath::root(), calls).map(CanonicalFolder)
    }

    /// Takes the lock file `path` for itself, without waiting; none when somebody else has it.
    ///
    /// # Errors
    /// [`ConfinedFault`]; a link in the place of the file is never followed.
    pub fn lock(&self, path: &RelPath) -> Result<Option<CanonicalLock>, ConfinedFault> {
        let dir = self.0.parent(path)?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let handle = openat(&dir, path.file_name(), flags, Mode::RUSR | Mode::WUSR)?;
        match flock(&handle, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(CanonicalLock(handle))),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Looks at something while nobody can take the lock file `path`; none when somebody has it. A file that is not there is
    /// nobody's.
    ///
    /// # Errors
    /// [`ConfinedFault`].
    pub fn unless_locked<T>(
        &self,
        path: &RelPath,
        look: impl FnOnce() -> Result<T, ConfinedFault>,
    ) -> Result<Option<T>, ConfinedFault> {
        let handle = match self.handle(path, OFlags::RDONLY | OFlags::NONBLOCK) {
            Ok(handle) => handle,
            Err(ConfinedFault::NotFound) => return look().map(Some),
            Err(fault) => return Err(fault),
        };
        match flock(&handle, FlockOperation::NonBlockingLockShared) {
            Ok(()) => look().map(Some),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// What stands at a path; nothing when nothing does. A link is told as such.
    ///
    /// # Errors
    /// [`ConfinedFault::Gone`] when a link stands in the way.
    pub fn kind(&self, path: &RelPath) -> Result<Option<Kind>, ConfinedFault> {
        match self.handle(path, OFlags::PATH) {
            Ok(handle) => Ok(Some(Stat::of(&handle)?.kind)),
            Err(ConfinedFault::NotFound) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// The names in a folder in byte order; none when it is not there.
    ///
    /// # Errors
    /// [`ConfinedFault::Gone`] when something else is there.
    pub fn list(&self, dir: &RelPath) -> Result<Vec<Entry>, ConfinedFault> {
        match self.0.list(dir) {
            // The system says of a link or a file only that it is no folder.
            Err(ConfinedFault::NotFound) => match self.kind(dir)? {
                None => Ok(Vec::new()),
                // It has come in between.
                Some(Kind::Directory) => self.0.list(dir),
                Some(_) => Err(ConfinedFault::Gone),
            },
            answer => answer,
        }
    }

    /// A regular file of at most `max_bytes`; nothing when nothing is there.
    ///
    /// # Errors
    /// [`ConfinedFault::Gone`] when something else is there.
    pub fn read(&self, path: &RelPath, max_bytes: u64) -> Result<Option<FileNow>, ConfinedFault> {
        match self.kind(path)? {
            None => Ok(None),
            Some(Kind::File) => {
                let (bytes, mode) = self.0.read_with_mode(path, max_bytes)?;
                Ok(Some(FileNow { bytes, mode }))
            }
            Some(_) => Err(ConfinedFault::Gone),
        }
    }

    /// Makes a folder for its owner alone, or as the umask says.
    ///
    /// # Errors
    /// [`ConfinedFault::Taken`] when the name is in use.
    pub fn make_folder(&self, path: &RelPath, is_private: bool) -> Result<(), ConfinedFault> {
        self.0.make_folder_as(path, if is_private { NewMode::Private } else { NewMode::Common })?;
        self.sync(path)
    }

    /// Writes a file that is new, synced; without a mode it is as the umask says.
    ///
    /// # Errors
    /// [`ConfinedFault::Taken`] when the name is in use.
    pub fn write_new(&self, path: &RelPath, bytes: &[u8], mode: Option<u32>) -> Result<(), ConfinedFault> {
        self.0.write_new_as(path, bytes, mode.map_or(NewMode::Common, NewMode::Exactly))
    }

    /// Gives a file or a folder a name that nobody has; both folders are synced.
    ///
    /// # Errors
    /// [`ConfinedFault::Taken`] when the name is in use.
    pub fn move_new(&self, from: &RelPath, to: &RelPath) -> Result<(), ConfinedFault> {
        self.0.rename_new(from, to)
    }

    /// Puts a file in the place of another one, which gets the place of the first; both folders are synced. Tells whether it
    /// could: on a file system that exchanges nothing the other one is gone.
    ///
    /// # Errors
    /// [`ConfinedFault`]; the place then has the old file or the new one.
    pub fn move_over(&self, from: &RelPath, to: &RelPath) -> Result<bool, ConfinedFault> {
        if self.kind(to)? != Some(Kind::File) {
            return Err(ConfinedFault::Gone);
        }
        let (from_dir, to_dir) = (self.0.parent(from)?, self.0.parent(to)?);
        self.0.before(FileCall::Publish)?;
        let (old, new) = (from.file_name(), to.file_name());
        let is_kept = match renameat_with(&from_dir, old, &to_dir, new, RenameFlags::EXCHANGE) {
            Ok(()) => true,
            Err(Errno::INVAL | Errno::NOSYS) => {
                renameat(&from_dir, old, &to_dir, new)?;
                false
            }
            Err(error) => return Err(error.into()),
        };
        self.0.sync_folder(&to_dir)?;
        self.0.sync_folder(&from_dir)?;
        Ok(is_kept)
    }

    /// Removes a file or an empty folder; the folder that held it is synced.
    ///
    /// # Errors
    /// [`ConfinedFault::Taken`] for a folder that is not empty.
    pub fn remove(&self, path: &RelPath) -> Result<(), ConfinedFault> {
        self.0.remove(path)?;
        self.sync(path)
    }

    /// A new name for something in the making.
    ///
    /// # Errors
    /// [`ConfinedFault::Unavailable`] when the system gives no random bytes.
    pub fn temporary_name(&self) -> Result<String, ConfinedFault> {
        self.0.temporary_name()
    }

    /// Syncs the folder that holds a name.
    fn sync(&self, path: &RelPath) -> Result<(), ConfinedFault> {
        self.0.sync(&path.parent().ok_or(ConfinedFault::Unavailable(io::ErrorKind::InvalidInput))?)
    }

    fn handle(&self, path: &RelPath, flags: OFlags) -> Result<OwnedFd, ConfinedFault> {
        let place = Place::of(self.0.handle.as_fd())?;
        let mechanism = Mechanism::of_this_machine();
        Ok(open_beneath(mechanism, self.0.handle.as_fd(), &place, path.as_bytes(), flags)?)
    }
}

#[cfg(test)]
mod tests;
