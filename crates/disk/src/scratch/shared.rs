//! A small per-user file that several processes read and change: read with a bound, changed under a kernel lock,
//! replaced as a whole. It knows no format.

use std::fs::{File, TryLockError};
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;

use super::atomic::{Existing, WriteFault, replace};
use crate::beneath::{DIRECTORY_HANDLE, step};
use crate::open::{Kind, Stat};

/// How long a change waits for another process's change.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it looks again.
const PAUSE: Duration = Duration::from_millis(20);

/// Why a shared file was not read or changed. It is then as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SharedFault {
    /// There are, or would be, more bytes than allowed.
    #[error("the file is too large")]
    TooLarge,
    /// It is a link.
    #[error("the file is a link")]
    Link,
    /// It is a directory, a pipe, a socket or a device.
    #[error("the path names no regular file")]
    NotAFile,
    /// Another process is changing it for too long.
    #[error("another process is changing the file")]
    Busy,
    /// The system gave an error.
    #[error("the file cannot be used ({0})")]
    Unavailable(io::ErrorKind),
}

impl From<Errno> for SharedFault {
    fn from(error: Errno) -> Self {
        match error {
            Errno::LOOP => SharedFault::Link,
            Errno::ISDIR | Errno::NXIO => SharedFault::NotAFile,
            other => SharedFault::Unavailable(io::Error::from(other).kind()),
        }
    }
}

impl From<io::Error> for SharedFault {
    fn from(error: io::Error) -> Self {
        SharedFault::Unavailable(error.kind())
    }
}

impl From<WriteFault> for SharedFault {
    fn from(fault: WriteFault) -> Self {
        match fault {
            WriteFault::Link => SharedFault::Link,
            WriteFault::NotAFile | WriteFault::NoName => SharedFault::NotAFile,
            WriteFault::AlreadyExists => SharedFault::Unavailable(io::ErrorKind::AlreadyExists),
            WriteFault::NoDirectory => SharedFault::Unavailable(io::ErrorKind::NotFound),
            WriteFault::Denied => SharedFault::Unavailable(io::ErrorKind::PermissionDenied),
            WriteFault::Unwritable(kind) => SharedFault::Unavailable(kind),
        }
    }
}

/// The whole file, or nothing when it is not there. Links of the directories above are the user's own affair; the
/// file itself must not be one.
///
/// # Errors
/// [`SharedFault`], never [`SharedFault::Busy`]: a change replaces the file at once, so a reader needs no lock.
pub fn read_shared(path: &Path, max_bytes: u64) -> Result<Option<Vec<u8>>, SharedFault> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(SharedFault::NotAFile);
    };
    let dir = match openat(CWD, parent, DIRECTORY_HANDLE, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(None),
        answer => answer?,
    };
    read(dir.as_fd(), name.as_bytes(), max_bytes)
}

fn read(dir: BorrowedFd<'_>, name: &[u8], max_bytes: u64) -> Result<Option<Vec<u8>>, SharedFault> {
    // Known before it is opened: a pipe or a device is not.
    let seen = match step(dir, name, OFlags::PATH) {
        Err(Errno::NOENT) => return Ok(None),
        answer => answer?,
    };
    match Stat::of(seen).map_err(|_| Errno::IO)?.kind {
        Kind::File => {}
        Kind::Link => return Err(SharedFault::Link),
        Kind::Directory | Kind::Special => return Err(SharedFault::NotAFile),
    }
    let handle = match step(dir, name, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY) {
        Err(Errno::NOENT) => return Ok(None),
        answer => answer?,
    };
    if Stat::of(&handle).map_err(|_| Errno::IO)?.kind != Kind::File {
        return Err(SharedFault::NotAFile);
    }
    let mut bytes = Vec::new();
    File::from(handle).take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes { Err(SharedFault::TooLarge) } else { Ok(Some(bytes)) }
}

/// Changes the file under its lock (`<name>.lock` beside it): `change` gets what is there, or nothing, and gives
/// what shall be there, or nothing to leave it. The file is replaced as a whole, mode 0600; a missing directory is
/// made with mode 0700. Says whether it was written.
///
/// # Errors
/// [`SharedFault`]; [`SharedFault::Busy`] after five seconds.
pub fn write_shared(
    path: &Path,
    max_bytes: u64,
    change: impl FnOnce(Option<&[u8]>) -> Option<Vec<u8>>,
) -> Result<bool, SharedFault> {
    write_shared_within(path, max_bytes, PATIENCE, change)
}

fn write_shared_within(
    path: &Path,
    max_bytes: u64,
    patience: Duration,
    change: impl FnOnce(Option<&[u8]>) -> Option<Vec<u8>>,
) -> Result<bool, SharedFault> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(SharedFault::NotAFile);
    };
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let dir = openat(CWD, parent, flags, Mode::empty())?;
    let _lock = {
        let mut lock = name.as_bytes().to_vec();
        lock.extend_from_slice(b".lock");
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let lock = File::from(openat(&dir, lock, flags, Mode::RUSR | Mode::WUSR)?);
        hold(&lock, patience)?;
        lock
    };
    let before = read(dir.as_fd(), name.as_bytes(), max_bytes)?;
    let Some(after) = change(before.as_deref()) else { return Ok(false) };
    if after.len() as u64 > max_bytes {
        return Err(SharedFault::TooLarge);
    }
    replace(dir.as_fd(), name.as_bytes(), 0o600, Existing::Replace, |out| out.write_all(&after))?;
    Ok(true)
}

fn hold(lock: &File, patience: Duration) -> Result<(), SharedFault> {
    let end = Instant::now() + patience;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() >= end => return Err(SharedFault::Busy),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests;
