//! Writing below one folder of a root, by handles alone: whole files that appear at once or not at all, and never in
//! the place of another. It has no way to name anything outside of its folder, and it knows no content.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};

use fault::Unwatched;
use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, fchmod, fsync, linkat, mkdirat, openat, renameat, renameat_with,
    unlinkat,
};
use rustix::io::Errno;

use super::random_hex;
use crate::beneath::{DIRECTORY_HANDLE, Mechanism, Place, open_beneath};
use crate::list::{Entry, Excess, by_bytes, entries};
use crate::open::{Kind, OpenFault, Stat};
use crate::path::RelPath;
use crate::root::Root;

/// Names of files in the making begin so; a reader passes over them and a sweep removes them.
pub const TEMPORARY_PREFIX: &str = ".tmp-";
/// Names that one folder gives.
const LISTED_MAX: usize = 1_000_000;
/// How often a file is made anew when a sweep took it before it had its name: a sweep cannot tell a live writer from one
/// that ended.
const SWEPT_MAX: usize = 8;

/// Why nothing was read or written. The texts name no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfinedFault {
    /// The folder is gone, was exchanged, or a link stands in its way.
    #[error("the folder is gone or was replaced")]
    Gone,
    /// There is nothing of this name.
    #[error("no such file")]
    NotFound,
    /// Something of this name is there already.
    #[error("the name is taken")]
    Taken,
    /// There are more bytes than asked for.
    #[error("the file is too large")]
    TooLarge,
    /// Any other answer of the system.
    #[error("the folder cannot be used ({0})")]
    Unavailable(io::ErrorKind),
}

impl From<Errno> for ConfinedFault {
    fn from(error: Errno) -> Self {
        match error {
            Errno::NOENT => ConfinedFault::NotFound,
            Errno::EXIST | Errno::NOTEMPTY => ConfinedFault::Taken,
            Errno::LOOP | Errno::NOTDIR | Errno::XDEV => ConfinedFault::Gone,
            other => ConfinedFault::Unavailable(io::Error::from(other).kind()),
        }
    }
}

impl From<io::Error> for ConfinedFault {
    fn from(error: io::Error) -> Self {
        ConfinedFault::Unavailable(error.kind())
    }
}

impl From<OpenFault> for ConfinedFault {
    fn from(fault: OpenFault) -> Self {
        match fault {
            OpenFault::NotFound => ConfinedFault::NotFound,
            OpenFault::Link | OpenFault::Outside | OpenFault::Changed => ConfinedFault::Gone,
            OpenFault::TooLarge { .. } => ConfinedFault::TooLarge,
            OpenFault::Denied => ConfinedFault::Unavailable(io::ErrorKind::PermissionDenied),
            _ => ConfinedFault::Unavailable(io::ErrorKind::Other),
        }
    }
}

/// A call that changes something on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileCall {
    /// A folder is made.
    MakeFolder,
    /// A temporary file is created.
    Create,
    /// Bytes are written to it.
    Write,
    /// The file is synced.
    Sync,
    /// The finished file or folder gets its name.
    Publish,
    /// The folder that holds the name is synced.
    SyncFolder,
    /// A name is removed.
    Remove,
}

/// Is asked before each call that changes something, so that a test can make any of them fail.
pub trait FileCalls: Send + Sync + fmt::Debug {
    /// How many of `bytes` the call may write; for the other calls the number means nothing.
    ///
    /// # Errors
    /// What the call answers instead of being made.
    fn before(&self, call: FileCall, bytes: usize) -> io::Result<usize>;
}

/// Lets every call through.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainCalls;

impl FileCalls for PlainCalls {
    fn before(&self, _call: FileCall, bytes: usize) -> io::Result<usize> {
        Ok(bytes)
    }
}

/// Who may do what with a file or a folder that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NewMode {
    /// Its owner alone.
    Private,
    /// Whoever the umask lets.
    Common,
    /// These permission bits, whatever the umask says.
    Exactly(u32),
}

/// A folder below a root, held by its handle.
#[derive(Debug)]
pub struct ConfinedFolder {
    pub(super) handle: OwnedFd,
    place: Place,
    dev: u64,
    ino: u64,
    rel: RelPath,
    calls: Box<dyn FileCalls>,
}

impl ConfinedFolder {
    /// Holds the folder `rel` below `root`, never the root itself; no link is followed.
    ///
    /// # Errors
    /// [`ConfinedFault::NotFound`] when it is not there, [`ConfinedFault::Gone`] when something else is.
    pub fn open(
        root: &Root,
        rel: &RelPath,
        calls: Box<dyn FileCalls>,
    ) -> Result<ConfinedFolder, ConfinedFault> {
        if rel.is_root() {
            return Err(ConfinedFault::Unavailable(io::ErrorKind::InvalidInput));
        }
        ConfinedFolder::hold(root, rel, calls)
    }

    /// The same for any folder, the root too.
    pub(super) fn hold(
        root: &Root,
        rel: &RelPath,
        calls: Box<dyn FileCalls>,
    ) -> Result<ConfinedFolder, ConfinedFault> {
        let handle = root.open_raw(rel, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK)?;
        let stat = Stat::of(&handle)?;
        let place = Place::of(handle.as_fd())?;
        Ok(ConfinedFolder { handle, place, dev: stat.dev, ino: stat.ino, rel: rel.clone(), calls })
    }

    /// The same, and makes the folders of the path that are not there, for their owner alone.
    ///
    /// # Errors
    /// [`ConfinedFault`].
    pub fn make(
        root: &Root,
        rel: &RelPath,
        calls: Box<dyn FileCalls>,
    ) -> Result<ConfinedFolder, ConfinedFault> {
        let mut here = RelPath::root();
        for name in rel.components() {
            let next = here.join(name);
            match root.open_raw(&next, DIRECTORY_HANDLE) {
                Ok(_) => {}
                Err(OpenFault::NotFound) => {
                    let parent = root.open_raw(&here, DIRECTORY_HANDLE)?;
                    calls.before(FileCall::MakeFolder, 0)?;
                    match mkdirat(&parent, name, Mode::RWXU) {
                        Ok(()) | Err(Errno::EXIST) => {}
                        Err(error) => return Err(error.into()),
                    }
                    // What is kept below it later must not be lost with its name.
                    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK;
                    sync_folder_with(&*calls, &root.open_raw(&here, flags)?)?;
                }
                Err(fault) => return Err(fault.into()),
            }
            here = next;
        }
        ConfinedFolder::open(root, rel, calls)
    }

    /// Whether the path still leads to the folder that is held.
    ///
    /// # Errors
    /// [`ConfinedFault::Gone`] when it does not.
    pub fn check(&self, root: &Root) -> Result<(), ConfinedFault> {
        let is_same = root
            .open_raw(&self.rel, DIRECTORY_HANDLE)
            .and_then(Stat::of)
            .is_ok_and(|stat| (stat.dev, stat.ino) == (self.dev, self.ino));
        if is_same { Ok(()) } else { Err(ConfinedFault::Gone) }
    }

    pub(super) fn folder(&self, inner: &RelPath) -> Result<OwnedFd, ConfinedFault> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK;
        Ok(open_beneath(
            Mechanism::of_this_machine(),
            self.handle.as_fd(),
            &self.place,
            inner.as_bytes(),
            flags,
        )?)
    }

    /// The names in the folder `inner` in byte order.
    ///
    /// # Errors
    /// [`ConfinedFault`].
    pub fn list(&self, inner: &RelPath) -> Result<Vec<Entry>, ConfinedFault> {
        let dir = self.folder(inner)?;
        match entries(dir.as_fd(), LISTED_MAX, Excess::GiveFirst(&by_bytes), &Unwatched) {
            Ok((entries, _)) => Ok(entries),
            Err(_) => Err(ConfinedFault::Unavailable(io::ErrorKind::Other)),
        }
    }

    /// The bytes of a regular file, at most `max_bytes`.
    ///
    /// # Errors
    /// [`ConfinedFault`].
    pub fn read(&self, path: &RelPath, max_bytes: u64) -> Result<Vec<u8>, ConfinedFault> {
        Ok(self.read_with_mode(path, max_bytes)?.0)
    }

    /// The same with the permission bits.
    pub(super) fn read_with_mode(
        &self,
        path: &RelPath,
        max_bytes: u64,
    ) -> Result<(Vec<u8>, u32), ConfinedFault> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
        let mechanism = Mechanism::of_this_machine();
        let handle = open_beneath(mechanism, self.handle.as_fd(), &self.place, path.as_bytes(), flags)?;
        if Stat::of(&handle)?.kind != Kind::File {
            return Err(ConfinedFault::NotFound);
        }
        let mode = rustix::fs::fstat(&handle)?.st_mode & 0o7777;
        let mut bytes = Vec::new();
        File::from(handle).take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > max_bytes {
            return Err(ConfinedFault::TooLarge);
        }
        Ok((bytes, mode))
    }

    /// Makes the folder `path`; its parent is there.
    ///
    /// # Errors
    /// [`ConfinedFault::Taken`] when the name is in use.
    pub fn make_folder(&self, path: &RelPath) -> Result<(), ConfinedFault> {
        self.make_folder_as(path, NewMode::Private)
    }

    pub(super) fn make_folder_as(&self, path: &RelPath, mode: NewMode) -> Result<(), ConfinedFault> {
        let parent = self.parent(path)?;
        self.before(FileCall::MakeFolder)?;
        let bits = if mode == NewMode::Private { 0o700 } else { 0o777 };
        Ok(mkdirat(&parent, path.file_name(), Mode::from_raw_mode(bits))?)
    }

    /// Writes a file that is new: it appears whole, and of two who try one wins.
    ///
    /// # Errors
    /// [`ConfinedFault::Taken`] when the name is in use; the file is then as it was. After any other error the name
    /// is either not there or there with all its bytes.
    pub fn write_new(&self, path: &RelPath, bytes: &[u8]) -> Result<(), ConfinedFault> {
        self.write_new_as(path, bytes, NewMode::Private)
    }

    pub(super) fn write_new_as(
        &self,
        path: &RelPath,
        bytes: &[u8],
        mode: NewMode,
    ) -> Result<(), ConfinedFault> {
        let dir = self.parent(path)?;
        self.publish(&dir, bytes, mode, |temporary| self.publish_new(&dir, temporary, &dir, path.file_name()))
    }

    /// Makes a synced file and gives it its name, again when a sweep took it in between.
    fn publish(
        &self,
        dir: &OwnedFd,
        bytes: &[u8],
        mode: NewMode,
        name: impl Fn(&str) -> Result<(), ConfinedFault>,
    ) -> Result<(), ConfinedFault> {
        let mut tries = 0;
        loop {
            let temporary = self.temporary(dir, bytes, mode)?;
            match name(&temporary) {
                Err(ConfinedFault::NotFound) if tries < SWEPT_MAX => tries += 1,
                Err(fault) => {
                    self.forget(dir, &temporary);
                    return Err(fault);
                }
                Ok(()) => return self.sync_folder(dir),
            }
        }
    }

    /// Writes a file in the place of the one that is there, if there is one: old or new, never half.
    ///
    /// # Errors
    /// [`ConfinedFault`]; the name then has the old bytes or all of the new ones.
    pub fn write_over(&self, path: &RelPath, bytes: &[u8]) -> Result<(), ConfinedFault> {
        let dir = self.parent(path)?;
        self.publish(&dir, bytes, NewMode::Private, |temporary| {
            self.before(FileCall::Publish)?;
            Ok(renameat(&dir, temporary, &dir, path.file_name())?)
        })
    }

    /// Gives a folder or a file of this folder another name that is new; both folders are synced.
    ///
    /// # Errors
    /// [`ConfinedFault::Taken`] when the name is in use.
    pub fn rename_new(&self, from: &RelPath, to: &RelPath) -> Result<(), ConfinedFault> {
        let (from_dir, to_dir) = (self.parent(from)?, self.parent(to)?);
        self.before(FileCall::Publish)?;
        match renameat_with(&from_dir, from.file_name(), &to_dir, to.file_name(), RenameFlags::NOREPLACE) {
            Ok(()) => {}
            // A file system without the flag: a folder is only ever put in the place of an empty one.
            Err(Errno::INVAL | Errno::NOSYS) => {
                renameat(&from_dir, from.file_name(), &to_dir, to.file_name())?
            }
            Err(error) => return Err(error.into()),
        }
        self.sync_folder(&to_dir)?;
        self.sync_folder(&from_dir)
    }

    /// Syncs a folder of this folder.
    ///
    /// # Errors
    /// [`ConfinedFault`].
    pub fn sync(&self, inner: &RelPath) -> Result<(), ConfinedFault> {
        self.sync_folder(&self.folder(inner)?)
    }

    /// Removes a file, or an empty folder.
    ///
    /// # Errors
    /// [`ConfinedFault::Taken`] for a folder that is not empty.
    pub fn remove(&self, path: &RelPath) -> Result<(), ConfinedFault> {
        let dir = self.parent(path)?;
        self.before(FileCall::Remove)?;
        match unlinkat(&dir, path.file_name(), AtFlags::empty()) {
            Err(Errno::ISDIR | Errno::PERM) => Ok(unlinkat(&dir, path.file_name(), AtFlags::REMOVEDIR)?),
            answer => Ok(answer?),
        }
    }

    /// A new name for something in the making.
    ///
    /// # Errors
    /// [`ConfinedFault::Unavailable`] when the system gives no random bytes.
    pub fn temporary_name(&self) -> Result<String, ConfinedFault> {
        Ok(format!("{TEMPORARY_PREFIX}{}", random_hex(16)?))
    }

    pub(super) fn parent(&self, path: &RelPath) -> Result<OwnedFd, ConfinedFault> {
        let parent = path.parent().ok_or(ConfinedFault::Unavailable(io::ErrorKind::InvalidInput))?;
        self.folder(&parent)
    }

    pub(super) fn before(&self, call: FileCall) -> Result<(), ConfinedFault> {
        self.calls.before(call, 0)?;
        Ok(())
    }

    /// A synced file that has a temporary name.
    fn temporary(&self, dir: &OwnedFd, bytes: &[u8], mode: NewMode) -> Result<String, ConfinedFault> {
        let name = self.temporary_name()?;
        self.before(FileCall::Create)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let bits = if mode == NewMode::Common { 0o666 } else { 0o600 };
        let handle = openat(dir, name.as_str(), flags, Mode::from_raw_mode(bits))?;
        let filled = match mode {
            NewMode::Exactly(bits) => fchmod(&handle, Mode::from_raw_mode(bits)).map_err(ConfinedFault::from),
            NewMode::Private | NewMode::Common => Ok(()),
        };
        let filled = filled.and_then(|()| self.fill(File::from(handle), bytes));
        filled.inspect_err(|_| self.forget(dir, &name))?;
        Ok(name)
    }

    fn fill(&self, mut file: File, bytes: &[u8]) -> Result<(), ConfinedFault> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let allowed = self.calls.before(FileCall::Write, rest.len())?.min(rest.len());
            file.write_all(&rest[..allowed])?;
            rest = &rest[allowed..];
        }
        self.before(FileCall::Sync)?;
        Ok(file.sync_all()?)
    }

    fn publish_new(
        &self,
        from: &OwnedFd,
        temporary: &str,
        to: &OwnedFd,
        name: &[u8],
    ) -> Result<(), ConfinedFault> {
        self.before(FileCall::Publish)?;
        match renameat_with(from, temporary, to, name, RenameFlags::NOREPLACE) {
            // Not every file system knows the flag; a hard link never replaces either.
            Err(Errno::INVAL | Errno::NOSYS) => {
                linkat(from, temporary, to, name, AtFlags::empty())?;
                self.forget(from, temporary);
                Ok(())
            }
            answer => Ok(answer?),
        }
    }

    pub(super) fn sync_folder(&self, dir: &OwnedFd) -> Result<(), ConfinedFault> {
        sync_folder_with(&*self.calls, dir)
    }

    /// What cannot be removed now goes with the next sweep.
    fn forget(&self, dir: &OwnedFd, name: &str) {
        if self.before(FileCall::Remove).is_ok() {
            let _ = unlinkat(dir, name, AtFlags::empty());
        }
    }
}

fn sync_folder_with(calls: &dyn FileCalls, dir: &OwnedFd) -> Result<(), ConfinedFault> {
    calls.before(FileCall::SyncFolder, 0)?;
    match fsync(dir) {
        // Some file systems cannot sync a folder; there is nothing more to be had from them.
        Ok(()) | Err(Errno::INVAL) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests;
