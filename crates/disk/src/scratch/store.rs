//! The pack store of one session: a private directory, items with random ids, quotas that hold while an item is
//! written, and nothing left behind (project specification 12, security model 2.9). It knows no pack, only bytes.

use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::fs::{
    AtFlags, FlockOperation, Mode, OFlags, RenameFlags, flock, openat, renameat_with, unlinkat,
};
use rustix::io::Errno;

use super::dirs::UserDirs;
use super::private::{Missing, directory, holder, new_directory};
use super::remove::{Removal, empty};
use super::{is_hex, random_hex};
use crate::beneath::step;
use crate::open::{Kind, Stat};

/// The folder of all sessions below the runtime folder.
pub(super) const PACKS: &[u8] = b"packs";
/// Held for as long as the session lives; a kernel lock, so it dies with the process.
pub(super) const LOCK: &[u8] = b".session.lock";
/// Hexadecimal digits of a session's name.
pub(super) const SESSION_DIGITS: usize = 32;
/// Hexadecimal digits of an item's id: 24 random bytes.
const ID_DIGITS: usize = 48;
/// Bytes that an item gathers before it writes.
const BUFFER_BYTES: usize = 64 * 1024;

/// How much may be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Bytes of one item.
    pub item_bytes: u64,
    /// Bytes of all items of the session, unfinished ones included.
    pub session_bytes: u64,
}

/// Why the store does not do what it is asked. The texts name no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreFault {
    /// The store's folder is a link.
    #[error("the session folder is a link")]
    Linked,
    /// The store's folder belongs to somebody else.
    #[error("the session folder belongs to another user")]
    Foreign,
    /// The store's folder can be entered by others.
    #[error("the session folder is open to other users")]
    OpenToOthers,
    /// The store's folder is no folder.
    #[error("the session folder is not a directory")]
    NotADirectory,
    /// Somebody else could exchange the store's folder.
    #[error("the folder that holds the session folder belongs to another user")]
    UnsafeParent,
    /// The item would exceed its quota.
    #[error("the item is too large")]
    ItemQuota,
    /// All items together would exceed the quota of the session.
    #[error("the session has stored too much")]
    SessionQuota,
    /// The id is not 48 lower-case hexadecimal digits.
    #[error("not an item id")]
    BadId,
    /// No item of this session has the id.
    #[error("unknown item id")]
    Unknown,
    /// The item was stored, and its file is gone.
    #[error("the item has vanished")]
    Vanished,
    /// The session is ending.
    #[error("the session is ending")]
    Closed,
    /// The system gave an error.
    #[error("the session folder cannot be used ({0})")]
    Unavailable(io::ErrorKind),
}

impl From<Errno> for StoreFault {
    fn from(error: Errno) -> Self {
        StoreFault::Unavailable(io::Error::from(error).kind())
    }
}

impl From<io::Error> for StoreFault {
    fn from(error: io::Error) -> Self {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<StoreFault>()) {
            Some(fault) => *fault,
            None => StoreFault::Unavailable(error.kind()),
        }
    }
}

impl From<StoreFault> for io::Error {
    fn from(fault: StoreFault) -> Self {
        match fault {
            StoreFault::ItemQuota | StoreFault::SessionQuota => {
                io::Error::new(io::ErrorKind::QuotaExceeded, fault)
            }
            _ => io::Error::other(fault),
        }
    }
}

/// The id of a stored item: 48 lower-case hexadecimal digits from the system's generator.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ItemId(String);

impl ItemId {
    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn file_name(&self) -> String {
        format!("{}.pack", self.0)
    }

    fn unfinished_name(&self) -> String {
        format!("{}.part", self.0)
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ItemId({})", self.0)
    }
}

/// What the store and its running items share; the directory goes with the last of them.
#[derive(Debug)]
pub(super) struct Session {
    packs: OwnedFd,
    pub(super) dir: OwnedFd,
    pub(super) path: PathBuf,
    name: String,
    _lock: File,
    quota: Quota,
    used_bytes: AtomicU64,
    stored: Mutex<HashSet<String>>,
    state: Mutex<State>,
    idle: Condvar,
    removed: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    closed: bool,
    running: usize,
}

impl Session {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(self: &Arc<Self>) -> Result<Running, StoreFault> {
        let mut state = self.state();
        if state.closed {
            return Err(StoreFault::Closed);
        }
        state.running += 1;
        Ok(Running(Arc::clone(self)))
    }

    fn reserve(&self, bytes: u64) -> Result<(), StoreFault> {
        self.used_bytes
            .try_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                used.checked_add(bytes).filter(|sum| *sum <= self.quota.session_bytes)
            })
            .map(|_| ())
            .map_err(|_| StoreFault::SessionQuota)
    }

    fn remove(&self) {
        if self.removed.swap(true, Ordering::Relaxed) {
            return;
        }
        // A directory that cannot be removed is left to the next start.
        let mut budget = usize::MAX;
        if empty(self.dir.as_fd(), LOCK, &mut budget) == Removal::Done {
            let _ = unlinkat(&self.dir, LOCK, AtFlags::empty());
            let _ = unlinkat(&self.packs, self.name.as_str(), AtFlags::REMOVEDIR);
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Something that the end of the session waits for.
#[derive(Debug)]
pub(super) struct Running(pub(super) Arc<Session>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.state().running -= 1;
        self.0.idle.notify_all();
    }
}

/// The store of this session. Dropping it removes the directory; an item that is being written keeps it until then.
#[derive(Debug)]
pub struct Store {
    pub(super) session: Arc<Session>,
}

impl Store {
    /// Makes the directory of a new session: `<runtime>/packs/<32 hex digits>`, mode 0700, with a lock that is
    /// held as long as the process lives.
    ///
    /// # Errors
    /// A folder that is a link, another user's, or open to others is refused, never repaired.
    pub fn open(dirs: &UserDirs, quota: Quota) -> Result<Store, StoreFault> {
        let (packs, path) = packs(dirs, Missing::Make)?;
        let name = random_hex(SESSION_DIGITS / 2)?;
        let dir = new_directory(packs.as_fd(), name.as_bytes())?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let lock = openat(&dir, LOCK, flags, Mode::RUSR | Mode::WUSR)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        let session = Session {
            path: path.join(&name),
            packs,
            dir,
            name,
            _lock: File::from(lock),
            quota,
            used_bytes: AtomicU64::new(0),
            stored: Mutex::default(),
            state: Mutex::default(),
            idle: Condvar::new(),
            removed: AtomicBool::new(false),
        };
        Ok(Store { session: Arc::new(session) })
    }

    /// The physical path of the session's directory.
    pub fn path(&self) -> &Path {
        &self.session.path
    }

    /// Bytes that count against the session's quota now.
    pub fn used_bytes(&self) -> u64 {
        self.session.used_bytes.load(Ordering::Relaxed)
    }

    /// Begins an item. It has no id that anyone could read before [`Item::keep`].
    ///
    /// # Errors
    /// [`StoreFault::Closed`], [`StoreFault::Unavailable`].
    pub fn create(&self) -> Result<Item, StoreFault> {
        let running = self.session.begin()?;
        let id = ItemId(random_hex(ID_DIGITS / 2)?);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&self.session.dir, id.unfinished_name(), flags, Mode::RUSR | Mode::WUSR)?;
        Ok(Item {
            out: Some(BufWriter::with_capacity(BUFFER_BYTES, File::from(file))),
            id,
            written_bytes: 0,
            fault: None,
            running,
        })
    }

    /// Opens a stored item.
    ///
    /// # Errors
    /// [`StoreFault::BadId`] and [`StoreFault::Unknown`] for what this session never stored,
    /// [`StoreFault::Vanished`] for what somebody removed.
    pub fn open_item(&self, id: &str) -> Result<StoredItem, StoreFault> {
        if !is_hex(id.as_bytes(), ID_DIGITS) {
            return Err(StoreFault::BadId);
        }
        if !self.session.stored.lock().unwrap_or_else(PoisonError::into_inner).contains(id) {
            return Err(StoreFault::Unknown);
        }
        let name = ItemId(id.to_owned()).file_name();
        let handle = match step(self.session.dir.as_fd(), name.as_bytes(), OFlags::RDONLY | OFlags::NONBLOCK)
        {
            Err(Errno::NOENT | Errno::LOOP | Errno::NXIO) => return Err(StoreFault::Vanished),
            answer => answer?,
        };
        let stat = Stat::of(&handle).map_err(|_| StoreFault::Vanished)?;
        if stat.kind != Kind::File {
            return Err(StoreFault::Vanished);
        }
        Ok(StoredItem { file: File::from(handle), size_bytes: stat.size_bytes })
    }

    /// Ends the session: no item begins any more, running ones may finish for at most `patience`, then the
    /// directory is removed. Says whether all of them finished; if not, the last one removes the directory.
    pub fn close(&self, patience: Duration) -> bool {
        let mut state = self.session.state();
        state.closed = true;
        let (state, _) = self
            .session
            .idle
            .wait_timeout_while(state, patience, |state| state.running > 0)
            .unwrap_or_else(PoisonError::into_inner);
        let finished = state.running == 0;
        drop(state);
        if finished {
            self.session.remove();
        }
        finished
    }
}

/// The folder of all sessions, and its physical path.
pub(super) fn packs(dirs: &UserDirs, missing: Missing) -> Result<(OwnedFd, PathBuf), StoreFault> {
    let (Some(parent), Some(name)) = (dirs.runtime.parent(), dirs.runtime.file_name()) else {
        return Err(StoreFault::Unavailable(io::ErrorKind::InvalidInput));
    };
    let outer = holder(parent, missing)?;
    let base = directory(outer.as_fd(), name.as_encoded_bytes(), missing)?;
    let packs = directory(base.as_fd(), PACKS, missing)?;
    let path = std::fs::canonicalize(parent)?.join(name).join("packs");
    Ok((packs, path))
}

/// An item that is being written. Unless it is kept, nothing of it remains.
#[derive(Debug)]
pub struct Item {
    out: Option<BufWriter<File>>,
    id: ItemId,
    written_bytes: u64,
    fault: Option<StoreFault>,
    running: Running,
}

impl Item {
    /// Bytes written so far.
    pub fn written_bytes(&self) -> u64 {
        self.written_bytes
    }

    /// Why the item cannot be kept any more, if so.
    pub fn fault(&self) -> Option<StoreFault> {
        self.fault
    }

    /// Makes the item readable under its id. The name appears at once and complete, or not at all.
    ///
    /// # Errors
    /// The fault that stopped the writing, else [`StoreFault::Unavailable`]; the item is then removed.
    pub fn keep(mut self) -> Result<ItemId, StoreFault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let out = self.out.as_mut().ok_or(StoreFault::Closed)?;
        out.flush()?;
        out.get_ref().sync_data()?;
        let session = &self.running.0;
        let (from, to) = (self.id.unfinished_name(), self.id.file_name());
        match renameat_with(&session.dir, &from, &session.dir, &to, RenameFlags::NOREPLACE) {
            // Not every file system knows the flag; the name is random, so nothing is there to be replaced.
            Err(Errno::INVAL | Errno::NOSYS) => rustix::fs::renameat(&session.dir, &from, &session.dir, &to)?,
            answer => answer?,
        }
        rustix::fs::fsync(&session.dir)?;
        session.stored.lock().unwrap_or_else(PoisonError::into_inner).insert(self.id.0.clone());
        self.out = None;
        Ok(self.id.clone())
    }

    fn fail(&mut self, fault: StoreFault) -> io::Error {
        self.fault = Some(fault);
        self.discard();
        fault.into()
    }

    /// Takes back the file and what it cost.
    fn discard(&mut self) {
        let Some(out) = self.out.take() else { return };
        // The buffer is not written any more.
        drop(out.into_parts().0);
        let session = &self.running.0;
        let _ = unlinkat(&session.dir, self.id.unfinished_name(), AtFlags::empty());
        let _ = unlinkat(&session.dir, self.id.file_name(), AtFlags::empty());
        session.used_bytes.fetch_sub(self.written_bytes, Ordering::Relaxed);
    }
}

impl Write for Item {
    /// Takes all of `bytes` or fails; the first failure ends the item and frees its space.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(fault) = self.fault {
            return Err(fault.into());
        }
        let more = bytes.len() as u64;
        let sum = self.written_bytes.saturating_add(more);
        if sum > self.running.0.quota.item_bytes {
            return Err(self.fail(StoreFault::ItemQuota));
        }
        if let Err(fault) = self.running.0.reserve(more) {
            return Err(self.fail(fault));
        }
        self.written_bytes = sum;
        let Some(out) = self.out.as_mut() else { return Err(StoreFault::Closed.into()) };
        match out.write_all(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => Err(self.fail(StoreFault::Unavailable(error.kind()))),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(fault) = self.fault {
            return Err(fault.into());
        }
        match self.out.as_mut().map_or(Ok(()), BufWriter::flush) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.fail(StoreFault::Unavailable(error.kind()))),
        }
    }
}

impl Drop for Item {
    fn drop(&mut self) {
        self.discard();
    }
}

/// A stored item, open for reading; it stays readable when its name goes.
#[derive(Debug)]
pub struct StoredItem {
    file: File,
    size_bytes: u64,
}

impl StoredItem {
    /// Its size in bytes.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Reads bytes at `offset_bytes` without moving; fewer than asked for only at the end.
    ///
    /// # Errors
    /// What the system says.
    pub fn read_at(&self, mut buffer: &mut [u8], mut offset_bytes: u64) -> io::Result<usize> {
        let mut filled = 0;
        while !buffer.is_empty() {
            match self.file.read_at(buffer, offset_bytes) {
                Ok(0) => break,
                Ok(read) => {
                    filled += read;
                    offset_bytes += read as u64;
                    buffer = &mut buffer[read..];
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

impl Read for StoredItem {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Seek for StoredItem {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests;
