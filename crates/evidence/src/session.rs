//! One evidence server's state: the pinned root, the ignore rules read at the start, and what is known of texts. It
//! knows no single tool.

use std::path::PathBuf;

use disk::{Links, OpenFault, RelPath, Root, RootFault};
use fault::{Failure, Stop, Unwatched, Watch};
use select::RootRules;

use crate::clock::{self, CallTime, Clock};
use crate::inventory::{self, DiskFolders, Folders, Inventory, Scan};
use crate::ledger::Reason;
use crate::limits::{IGNORE_FILE_BYTES_MAX, ROWS_BYTES_MAX};
use crate::shown::Reader;
use crate::{document, faults};

/// The ignore files of the root, in the order in which they are applied.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".contextignore"];

/// How a server is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The root.
    pub root: PathBuf,
    /// Whether texts are shown as they are, secrets included.
    pub exact: bool,
}

/// Why a server does not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartFault {
    /// The root is no folder that can be read.
    #[error("the root cannot be used: {0}")]
    Root(RootFault),
    /// An ignore file of the root is no plain file.
    #[error("{0} at the root is a link or no regular file; make it a file or remove it")]
    IgnoreKind(&'static str),
    /// It is too large.
    #[error("{0} at the root has more than 256 KiB; shorten it")]
    IgnoreSize(&'static str),
    /// It cannot be read.
    #[error("{0} at the root cannot be read; check its permissions")]
    IgnoreUnreadable(&'static str),
    /// The rules are over a cap.
    #[error(
        "the ignore files at the root have more than 10,000 patterns, or one of more than 1,024 bytes; shorten them"
    )]
    IgnoreRules,
}

/// The tools of one server on one root.
pub struct Evidence {
    root: Root,
    rules: RootRules,
    reader: Reader,
    folders: Box<dyn Folders>,
    clock: Clock,
    exact: bool,
}

impl Evidence {
    /// Pins the root and reads its ignore files; nothing is walked.
    ///
    /// # Errors
    /// [`StartFault`].
    pub fn open(options: &Options) -> Result<Evidence, StartFault> {
        let root = Root::pin(&options.root).map_err(StartFault::Root)?;
        let mut files = Vec::new();
        for name in IGNORE_FILES {
            files.extend(ignore_file(&root, name)?);
        }
        let rules = RootRules::parse(&files).map_err(|_| StartFault::IgnoreRules)?;
        Ok(Evidence {
            root,
            rules,
            reader: Reader::new(options.exact),
            folders: Box::new(DiskFolders),
            clock: clock::machine(),
            exact: options.exact,
        })
    }

    /// Whether texts are shown as they are.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// The eligible files, as many as one answer holds.
    ///
    /// # Errors
    /// [`Failure::Cancelled`].
    pub fn inventory(&self, watch: &dyn Watch) -> Result<Inventory, Failure> {
        let time = CallTime::begin(watch, &self.clock);
        let Scan { mut files, mut ledger } = self.scan(&time).map_err(faults::stopped)?;
        let mut bytes = 0;
        let fit = files.iter().take_while(|file| {
            bytes += document::file(file).len() + 1;
            bytes <= ROWS_BYTES_MAX
        });
        let fit = fit.count();
        if fit < files.len() {
            files.truncate(fit);
            ledger.note(Reason::OutputLimit);
        }
        Ok(Inventory { files, reasons: ledger.reasons(), skipped: ledger.skipped })
    }

    /// The same server with other folders or another clock.
    #[cfg(test)]
    pub(crate) fn with(mut self, folders: Option<Box<dyn Folders>>, clock: Option<Clock>) -> Evidence {
        self.folders = folders.unwrap_or(self.folders);
        self.clock = clock.unwrap_or(self.clock);
        self
    }

    pub(crate) fn scan(&self, watch: &dyn Watch) -> Result<Scan, Stop> {
        inventory::scan(&self.root, &self.rules, &*self.folders, !self.exact, watch)
    }

    pub(crate) fn root(&self) -> &Root {
        &self.root
    }

    pub(crate) fn rules(&self) -> &RootRules {
        &self.rules
    }

    pub(crate) fn reader(&self) -> &Reader {
        &self.reader
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }
}

/// The bytes of an ignore file of the root; none when there is no such file.
fn ignore_file(root: &Root, name: &'static str) -> Result<Option<Vec<u8>>, StartFault> {
    let path = RelPath::parse(name).map_err(|_| StartFault::IgnoreUnreadable(name))?;
    let file = match root.open_file(&path, Links::Refuse, IGNORE_FILE_BYTES_MAX) {
        Ok(file) => file,
        Err(OpenFault::NotFound) => return Ok(None),
        Err(OpenFault::Link | OpenFault::NotAFile | OpenFault::Special | OpenFault::Outside) => {
            return Err(StartFault::IgnoreKind(name));
        }
        Err(OpenFault::TooLarge { .. }) => return Err(StartFault::IgnoreSize(name)),
        Err(OpenFault::Denied | OpenFault::Changed | OpenFault::Unreadable) => {
            return Err(StartFault::IgnoreUnreadable(name));
        }
    };
    match file.read(IGNORE_FILE_BYTES_MAX, &Unwatched) {
        Ok(read) => Ok(Some(read.bytes)),
        Err(disk::ReadFault::TooLarge) => Err(StartFault::IgnoreSize(name)),
        Err(_) => Err(StartFault::IgnoreUnreadable(name)),
    }
}

#[cfg(test)]
mod tests;
