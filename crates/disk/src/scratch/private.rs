//! Directories that nobody else can enter, made or checked by handle (security model 2.9). It knows no purpose of
//! such a directory.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, mkdirat, openat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::store::StoreFault;
use crate::beneath::{DIRECTORY_HANDLE, step};

/// Whether a missing directory is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    Make,
    Leave,
}

/// Opens the directory that holds our own one: ours, or one in which nobody can exchange what is ours.
pub(super) fn holder(path: &Path, missing: Missing) -> Result<OwnedFd, StoreFault> {
    if missing == Missing::Make {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(|error| StoreFault::Unavailable(error.kind()))?;
    }
    let handle = openat(CWD, path, DIRECTORY_HANDLE, Mode::empty())?;
    let stat = fstat(&handle)?;
    let ours = stat.st_uid == geteuid().as_raw();
    let sticky = stat.st_mode & 0o1000 != 0;
    let closed = stat.st_uid == 0 && stat.st_mode & 0o022 == 0;
    if ours || sticky || closed { Ok(handle) } else { Err(StoreFault::UnsafeParent) }
}

/// Opens our own directory `name` below `parent`: no link, ours, and closed to everybody else.
pub(super) fn directory(
    parent: BorrowedFd<'_>,
    name: &[u8],
    missing: Missing,
) -> Result<OwnedFd, StoreFault> {
    if missing == Missing::Make {
        match mkdirat(parent, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    open(parent, name)
}

/// As [`directory`], for a name that must be new.
pub(super) fn new_directory(parent: BorrowedFd<'_>, name: &[u8]) -> Result<OwnedFd, StoreFault> {
    mkdirat(parent, name, Mode::RWXU)?;
    open(parent, name)
}

fn open(parent: BorrowedFd<'_>, name: &[u8]) -> Result<OwnedFd, StoreFault> {
    let seen = step(parent, name, OFlags::PATH)?;
    check(seen.as_fd())?;
    let handle = step(parent, name, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK)?;
    check(handle.as_fd())?;
    Ok(handle)
}

fn check(handle: BorrowedFd<'_>) -> Result<(), StoreFault> {
    let stat = fstat(handle)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => {}
        FileType::Symlink => return Err(StoreFault::Linked),
        _ => return Err(StoreFault::NotADirectory),
    }
    if stat.st_uid != geteuid().as_raw() {
        return Err(StoreFault::Foreign);
    }
    if stat.st_mode & 0o077 != 0 {
        return Err(StoreFault::OpenToOthers);
    }
    Ok(())
}
