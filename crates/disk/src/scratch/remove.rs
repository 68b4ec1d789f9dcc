//! Taking a directory apart by handle: no recursion, a handful of handles whatever the depth, no link followed, no
//! other file system entered. It knows no purpose of what it removes.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use fault::Unwatched;
use rustix::fs::{AtFlags, OFlags, renameat, unlinkat};
use rustix::io::Errno;

use crate::beneath::{Mechanism, Place, open_beneath, step};
use crate::list::{Entry, Excess, entries};
use crate::open::Kind;

/// Names that are looked at together.
const BATCH: usize = 1_024;

/// How a removal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Removal {
    /// Nothing is left.
    Done,
    /// There was more than the budget allows; going on later is safe.
    OutOfBudget,
    /// Something cannot be removed.
    Blocked,
}

/// Empties `top` except for the name `spare`. A directory below it is emptied once: its files are removed and its
/// directories move up to `top`, so a tree of any depth becomes flat on the way. Each removal and each move takes
/// one from `budget`.
pub(super) fn empty(top: BorrowedFd<'_>, spare: &[u8], budget: &mut usize) -> Removal {
    let Ok(place) = Place::of(top) else { return Removal::Blocked };
    let mut clearing = Clearing { top, place, budget, moved: 0 };
    loop {
        let Some(mut batch) = batch(top) else { return Removal::Blocked };
        batch.retain(|entry| *entry.name != *spare);
        if batch.is_empty() {
            return Removal::Done;
        }
        let mut progress = false;
        for entry in &batch {
            let done = match entry.kind {
                Kind::Directory => clearing.flatten(&entry.name),
                _ => clearing.unlink(top, &entry.name, AtFlags::empty()),
            };
            match done {
                Ok(moved) => progress |= moved,
                Err(OutOfBudget) => return Removal::OutOfBudget,
            }
        }
        if !progress {
            return Removal::Blocked;
        }
    }
}

struct OutOfBudget;

struct Clearing<'a> {
    top: BorrowedFd<'a>,
    place: Place,
    budget: &'a mut usize,
    moved: u64,
}

impl Clearing<'_> {
    /// Empties and removes one directory of `top`, and says whether anything changed.
    fn flatten(&mut self, name: &[u8]) -> Result<bool, OutOfBudget> {
        if self.unlink(self.top, name, AtFlags::REMOVEDIR)? {
            return Ok(true);
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK;
        let mechanism = Mechanism::of_this_machine();
        let Ok(dir) = open_beneath(mechanism, self.top, &self.place, name, flags) else { return Ok(false) };
        let mut changed = false;
        loop {
            let Some(batch) = batch(dir.as_fd()) else { return Ok(changed) };
            if batch.is_empty() {
                return Ok(self.unlink(self.top, name, AtFlags::REMOVEDIR)? || changed);
            }
            let mut progress = false;
            for entry in &batch {
                progress |= match entry.kind {
                    Kind::Directory => self.lift(dir.as_fd(), &entry.name)?,
                    _ => self.unlink(dir.as_fd(), &entry.name, AtFlags::empty())?,
                };
            }
            if !progress {
                return Ok(changed);
            }
            changed = true;
        }
    }

    fn unlink(&mut self, dir: BorrowedFd<'_>, name: &[u8], flags: AtFlags) -> Result<bool, OutOfBudget> {
        self.pay()?;
        Ok(unlinkat(dir, name, flags).is_ok())
    }

    /// Removes a directory that is empty, and moves another one up to the top under a name of its own.
    fn lift(&mut self, from: BorrowedFd<'_>, name: &[u8]) -> Result<bool, OutOfBudget> {
        if self.unlink(from, name, AtFlags::REMOVEDIR)? {
            return Ok(true);
        }
        for _ in 0..BATCH {
            self.pay()?;
            self.moved += 1;
            // Moving onto an empty directory replaces it, onto anything else fails: no content can be lost or kept.
            match renameat(from, name, self.top, format!("moved-{}", self.moved).as_str()) {
                Ok(()) => return Ok(true),
                Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
                Err(_) => return Ok(false),
            }
        }
        Ok(false)
    }

    fn pay(&mut self) -> Result<(), OutOfBudget> {
        *self.budget = self.budget.checked_sub(1).ok_or(OutOfBudget)?;
        Ok(())
    }
}

/// Some names of a directory, from its beginning; none when it cannot be read.
fn batch(dir: BorrowedFd<'_>) -> Option<Vec<Entry>> {
    let again: OwnedFd = step(dir, b".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK).ok()?;
    entries(again.as_fd(), BATCH, Excess::GiveAny, &Unwatched).ok().map(|(batch, _)| batch)
}
