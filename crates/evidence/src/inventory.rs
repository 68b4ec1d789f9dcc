//! The traversal: which files are eligible, in the order of their paths, and what was passed over on the way. It reads
//! no content.

use disk::{Entry, Kind, Links, ListFault, OpenFault, RelPath, Root};
use fault::{Stop, Watch};
use select::{RootEffort, RootRules};

use crate::ledger::{Ledger, Reason, Skip, Skipped};
use crate::limits::{DEPTH_MAX, ENTRIES_MAX, FILES_MAX};
use crate::{order, policy};

/// An eligible file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InventoryFile {
    /// The path below the root.
    pub path: String,
    /// The size as the system tells it.
    pub bytes: u64,
}

/// The answer of `file_inventory`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inventory {
    /// The eligible files in the order of their paths.
    pub files: Vec<InventoryFile>,
    /// Why there may be more; empty when there is no more.
    pub reasons: Vec<Reason>,
    /// What was passed over.
    pub skipped: Skipped,
}

/// Gives the names of a folder. The order of what it gives does not matter.
pub(crate) trait Folders: Send + Sync {
    /// Names of `dir`; when it has more than `max_entries`, those that come first in the order of paths.
    fn names(
        &self,
        root: &Root,
        dir: &RelPath,
        max_entries: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<Entry>, ListFault>;
}

/// The folders of the disk.
pub(crate) struct DiskFolders;

impl Folders for DiskFolders {
    fn names(
        &self,
        root: &Root,
        dir: &RelPath,
        max_entries: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<Entry>, ListFault> {
        root.list_first(dir, max_entries, &order::entries, watch).map(|(entries, _)| entries)
    }
}

/// What a traversal found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) files: Vec<InventoryFile>,
    pub(crate) ledger: Ledger,
}

/// Where a traversal stands: a folder, and its names that are still to come, the next one last.
struct Frame {
    dir: RelPath,
    ahead: Vec<Entry>,
}

/// The traversal is over before its end; the ledger says why.
struct Ended;

struct Traversal<'a> {
    root: &'a Root,
    rules: &'a RootRules,
    folders: &'a dyn Folders,
    watch: &'a dyn Watch,
    /// Whether names that hold a secret are kept back.
    masks: bool,
    effort: RootEffort,
    entries: usize,
    frames: Vec<Frame>,
    scan: Scan,
}

/// Walks below `root`, depth first, entry by entry. With `masks`, a path that holds a secret is as one that nobody can
/// ask for: a path is an address and cannot be masked.
///
/// # Errors
/// [`Stop::Cancelled`] alone: what was found when the time is over is an answer.
pub(crate) fn scan(
    root: &Root,
    rules: &RootRules,
    folders: &dyn Folders,
    masks: bool,
    watch: &dyn Watch,
) -> Result<Scan, Stop> {
    let mut traversal = Traversal {
        root,
        rules,
        folders,
        watch,
        masks,
        effort: RootEffort::default(),
        entries: 0,
        frames: Vec::new(),
        scan: Scan::default(),
    };
    // Whatever ended it stands in the ledger.
    let _ = traversal.run();
    if watch.cancelled() { Err(Stop::Cancelled) } else { Ok(traversal.scan) }
}

impl Traversal<'_> {
    fn run(&mut self) -> Result<(), Ended> {
        self.enter(RelPath::root())?;
        while let Some(frame) = self.frames.last_mut() {
            let Some(entry) = frame.ahead.pop() else {
                self.frames.pop();
                continue;
            };
            let path = frame.dir.join(&entry.name);
            if self.entries == ENTRIES_MAX {
                return self.end(Reason::EntryLimit);
            }
            self.entries += 1;
            if self.watch.check().is_err() {
                return self.end(Reason::TimeLimit);
            }
            self.judge(path, entry.kind)?;
        }
        Ok(())
    }

    fn end<T>(&mut self, reason: Reason) -> Result<T, Ended> {
        self.scan.ledger.note(reason);
        Err(Ended)
    }

    fn skip(&mut self, skip: Skip) -> Result<(), Ended> {
        self.scan.ledger.skipped.count(skip);
        Ok(())
    }

    fn enter(&mut self, dir: RelPath) -> Result<(), Ended> {
        // One name more than may still be counted, so that the limit is met where there is more.
        let room = ENTRIES_MAX - self.entries + 1;
        match self.folders.names(self.root, &dir, room, self.watch) {
            Ok(mut ahead) => {
                ahead.sort_unstable_by(|a, b| order::entries(b, a));
                self.frames.push(Frame { dir, ahead });
                Ok(())
            }
            Err(ListFault::Open(_)) => {
                self.scan.ledger.note(Reason::DirectoryUnreadable);
                Ok(())
            }
            Err(ListFault::Stopped(_)) => self.end(Reason::TimeLimit),
        }
    }

    fn judge(&mut self, path: RelPath, kind: Kind) -> Result<(), Ended> {
        if policy::is_excluded(path.file_name()) {
            return Ok(());
        }
        match self.rules.hide(path.as_bytes(), kind == Kind::Directory, &mut self.effort) {
            Ok(false) => {}
            Ok(true) => return Ok(()),
            Err(_) => return self.end(Reason::TimeLimit),
        }
        let is_askable = path.as_str().is_some_and(|text| self.is_askable(text));
        match kind {
            _ if !is_askable => self.skip(Skip::Name),
            Kind::Link => self.skip(Skip::Link),
            Kind::Special => self.skip(Skip::Special),
            Kind::Directory if path.depth() >= DEPTH_MAX => {
                self.scan.ledger.note(Reason::DepthLimit);
                Ok(())
            }
            Kind::Directory => self.enter(path),
            Kind::File => self.file(&path),
        }
    }

    /// Whether a caller could ask for the path. The names above were looked at before; a path that only grew too deep is
    /// told as depth.
    fn is_askable(&self, path: &str) -> bool {
        match policy::check(path) {
            Ok(()) | Err(policy::Denied::TooDeep) => !(self.masks && redact::contains_secret(path)),
            Err(_) => false,
        }
    }

    fn file(&mut self, path: &RelPath) -> Result<(), Ended> {
        let stat = match self.root.stat(path, Links::Refuse) {
            Ok(stat) => stat,
            Err(OpenFault::NotFound | OpenFault::Changed) => return self.skip(Skip::Changed),
            Err(OpenFault::Link) => return self.skip(Skip::Link),
            Err(_) => return self.skip(Skip::Unreadable),
        };
        match stat.kind {
            Kind::File if stat.nlink > 1 => return self.skip(Skip::MultiLink),
            Kind::File => {}
            Kind::Link => return self.skip(Skip::Link),
            Kind::Special => return self.skip(Skip::Special),
            // It was a file when the folder was listed.
            Kind::Directory => return self.skip(Skip::Changed),
        }
        if self.scan.files.len() == FILES_MAX {
            return self.end(Reason::FileLimit);
        }
        let path = path.as_str().unwrap_or_default().to_owned();
        self.scan.files.push(InventoryFile { path, bytes: stat.size_bytes });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
