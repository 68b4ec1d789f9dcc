//! A folder of a session for work that another program has to see by its path, such as the copy of a git directory.
//! It goes when it is dropped. It knows no content.

use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{AtFlags, Mode, OFlags, mkdirat, openat, unlinkat};
use rustix::io::Errno;

use super::private::new_directory;
use super::random_hex;
use super::remove::empty;
use super::store::{Running, Store, StoreFault};
use crate::beneath::{Mechanism, Place, open_beneath};
use crate::open::OpenFault;
use crate::path::RelPath;

/// A private folder (mode 0700) below the session's directory.
#[derive(Debug)]
pub struct WorkFolder {
    handle: OwnedFd,
    place: Place,
    path: PathBuf,
    name: String,
    running: Running,
}

impl Store {
    /// Makes an empty work folder.
    ///
    /// # Errors
    /// [`StoreFault::Closed`], [`StoreFault::Unavailable`].
    pub fn work_folder(&self) -> Result<WorkFolder, StoreFault> {
        let running = self.session.begin()?;
        let name = format!("work-{}", random_hex(16)?);
        let handle = new_directory(self.session.dir.as_fd(), name.as_bytes())?;
        let place = Place::of(handle.as_fd())?;
        Ok(WorkFolder { handle, place, path: self.session.path.join(&name), name, running })
    }
}

impl WorkFolder {
    /// The physical path, for a program that has to be told.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes a directory; its parent must be there.
    ///
    /// # Errors
    /// [`StoreFault::Unavailable`].
    pub fn make_directory(&self, rel: &RelPath) -> Result<(), StoreFault> {
        let parent = self.parent(rel)?;
        Ok(mkdirat(&parent, rel.file_name(), Mode::RWXU)?)
    }

    /// Writes a new file (mode 0600); with `mtime` it bears that time of its last write.
    ///
    /// # Errors
    /// [`StoreFault::Unavailable`], also when the name is taken.
    pub fn write(&self, rel: &RelPath, bytes: &[u8], mtime: Option<SystemTime>) -> Result<(), StoreFault> {
        let parent = self.parent(rel)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&parent, rel.file_name(), flags, Mode::RUSR | Mode::WUSR)?;
        let mut file = std::fs::File::from(file);
        file.write_all(bytes)?;
        if let Some(mtime) = mtime {
            file.set_modified(mtime)?;
        }
        Ok(())
    }

    fn parent(&self, rel: &RelPath) -> Result<OwnedFd, StoreFault> {
        let parent = rel.parent().ok_or(StoreFault::Unavailable(std::io::ErrorKind::InvalidInput))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        let mechanism = Mechanism::of_this_machine();
        open_beneath(mechanism, self.handle.as_fd(), &self.place, parent.as_bytes(), flags).map_err(|fault| {
            match fault {
                OpenFault::NotFound => Errno::NOENT.into(),
                OpenFault::Denied => Errno::ACCESS.into(),
                _ => Errno::IO.into(),
            }
        })
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // What is left, if anything, goes with the session.
        let mut budget = usize::MAX;
        empty(self.handle.as_fd(), b"", &mut budget);
        let _ = unlinkat(&self.running.0.dir, self.name.as_str(), AtFlags::REMOVEDIR);
    }
}

#[cfg(test)]
mod tests;
