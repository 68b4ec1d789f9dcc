//! Removing what sessions left behind that could not end by themselves (project specification 12). It touches only
//! directories that look exactly like ours, belong to us, hold no link, are old, and whose lock nobody holds.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, SystemTime};

use fault::Unwatched;
use rustix::fs::{
    AtFlags, FlockOperation, OFlags, Timespec, Timestamps, flock, fstat, futimens, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::dirs::UserDirs;
use super::is_hex;
use super::private::Missing;
use super::remove::{Removal, empty};
use super::store::{LOCK, SESSION_DIGITS, Store, StoreFault, packs};
use crate::beneath::{Mechanism, Place, open_beneath, step};
use crate::list::{Excess, entries};
use crate::open::{Kind, Stat};

/// A session that wrote within this time is left alone.
const AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// Removals and moves of one run; the next run goes on.
const ENTRIES_MAX: usize = 1_000_000;
/// Names looked at in the folder of all sessions, and in one session.
const NAMES_MAX: usize = 100_000;

/// What one run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scavenged {
    /// Session directories that are gone.
    pub removed: usize,
    /// Session directories that look like ours and stay: in use, too young, or not to be trusted.
    pub left: usize,
    /// Whether there was more than one run does.
    pub unfinished: bool,
}

impl Store {
    /// Removes the directories of sessions that ended without removing theirs and last wrote more than 24 hours
    /// before `now`. It may run in the background beside a live store.
    ///
    /// # Errors
    /// As [`Store::open`]; that there is no folder yet is no error.
    pub fn scavenge(dirs: &UserDirs, now: SystemTime) -> Result<Scavenged, StoreFault> {
        scavenge(dirs, now, ENTRIES_MAX)
    }
}

pub(super) fn scavenge(dirs: &UserDirs, now: SystemTime, budget: usize) -> Result<Scavenged, StoreFault> {
    let packs = match packs(dirs, Missing::Leave) {
        Ok((packs, _)) => packs,
        Err(StoreFault::Unavailable(std::io::ErrorKind::NotFound)) => return Ok(Scavenged::default()),
        Err(fault) => return Err(fault),
    };
    let mut budget = budget;
    let mut done = Scavenged::default();
    let names = match entries(packs.as_fd(), NAMES_MAX, Excess::GiveAny, &Unwatched) {
        Ok((names, more)) => {
            done.unfinished = more;
            names
        }
        Err(_) => return Err(Errno::IO.into()),
    };
    for entry in names.iter().filter(|entry| is_hex(&entry.name, SESSION_DIGITS)) {
        match session(packs.as_fd(), &entry.name, now, &mut budget) {
            Some(Removal::Done) => done.removed += 1,
            Some(Removal::OutOfBudget) => {
                done.left += 1;
                done.unfinished = true;
                break;
            }
            Some(Removal::Blocked) | None => done.left += 1,
        }
    }
    Ok(done)
}

/// Removes one session's directory if it may; none when it is left alone.
fn session(packs: BorrowedFd<'_>, name: &[u8], now: SystemTime, budget: &mut usize) -> Option<Removal> {
    let place = Place::of(packs).ok()?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK;
    let dir = open_beneath(Mechanism::of_this_machine(), packs, &place, name, flags).ok()?;
    let before = fstat(&dir).ok()?;
    if before.st_uid != geteuid().as_raw() {
        return None;
    }
    let Ok((names, false)) = entries(dir.as_fd(), NAMES_MAX, Excess::GiveAny, &Unwatched) else {
        return None;
    };
    let mut last_write = Stat::from_raw(&before).mtime;
    for entry in &names {
        match entry.kind {
            Kind::Link => return None,
            Kind::File => {
                let stat = statat(&dir, &*entry.name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
                last_write = last_write.max(Stat::from_raw(&stat).mtime);
            }
            // The time of a directory below is the time of our own earlier, unfinished run.
            Kind::Directory | Kind::Special => {}
        }
    }
    // A last write in the future is no reason to remove anything.
    if now.duration_since(last_write).ok()? <= AGE {
        return None;
    }
    if names.is_empty() {
        // The session ended between the directory and its lock. Only an empty directory goes this way.
        return unlinkat(packs, name, AtFlags::REMOVEDIR).ok().map(|()| Removal::Done);
    }
    // Without a lock file it is not one of our sessions, and with a held one it is alive.
    let lock = step(dir.as_fd(), LOCK, OFlags::RDWR | OFlags::NONBLOCK).ok()?;
    if Stat::of(&lock).ok()?.kind != Kind::File {
        return None;
    }
    flock(&lock, FlockOperation::NonBlockingLockExclusive).ok()?;
    let removal = empty(dir.as_fd(), LOCK, budget);
    if removal == Removal::Done {
        unlinkat(&dir, LOCK, AtFlags::empty()).ok()?;
        unlinkat(packs, name, AtFlags::REMOVEDIR).ok()?;
    } else {
        // Our own removing must not make the rest look young.
        let stamp =
            Timespec { tv_sec: before.st_mtime, tv_nsec: before.st_mtime_nsec.try_into().unwrap_or(0) };
        let _ = futimens(&dir, &Timestamps { last_access: stamp, last_modification: stamp });
    }
    Some(removal)
}

#[cfg(test)]
mod tests;
