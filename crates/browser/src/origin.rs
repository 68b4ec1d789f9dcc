//! Where the snapshot of a view comes from, and what its owner knows about it later: whether the files are still those
//! that were read, and whether the index file is still the one that was checked. It serves nothing.

use std::sync::{Arc, Mutex, PoisonError};

use disk::{Links, OpenFault, RelPath, Root, Stat};
use docs::{CHANGED_SHOWN, Checked, Freshness, Hash, ProjectService, Refresh, Snapshot};
use fault::Unwatched;

/// What a snapshot is worth now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is what it was.
    Same,
    /// The index file is another file, or gone.
    Replaced,
    /// The index file has other content.
    Altered,
}

/// How a snapshot and the sources relate, as every answer says it (spec C12.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staleness {
    /// The state.
    pub state: Freshness,
    /// How closely the sources were looked at.
    pub checked: Checked,
    /// Paths that differ, at most [`CHANGED_SHOWN`].
    pub changed: Vec<String>,
    /// How many differ.
    pub changed_total: usize,
}

/// What the owner of a snapshot is asked while it is shown. It is asked from the thread of the listener.
pub trait Origin: Send + Sync {
    /// Whether the index file that belongs to the snapshot is still what it was. A snapshot without an index file is
    /// always the same.
    fn standing(&self) -> Standing {
        Standing::Same
    }

    /// How the snapshot and the sources relate; it is asked at most once a second.
    fn staleness(&self, snapshot: &Snapshot) -> Staleness;
}

impl Staleness {
    /// How `shown` relates to what a refresh found.
    pub fn between(shown: &Snapshot, refresh: &Refresh) -> Staleness {
        let (checked, state) = (refresh.checked, refresh.freshness);
        let Some(now) = refresh.snapshot.as_ref().filter(|now| now.snapshot_id() != shown.snapshot_id())
        else {
            let changed = refresh.changed.clone();
            return Staleness { state, checked, changed, changed_total: refresh.changed_total };
        };
        let state = if state == Freshness::Fresh { Freshness::StaleSources } else { state };
        let mut changed = different(shown, now);
        changed.extend(refresh.changed.iter().cloned());
        changed.sort_unstable();
        changed.dedup();
        let changed_total = changed.len().max(refresh.changed_total);
        changed.truncate(CHANGED_SHOWN);
        Staleness { state, checked, changed, changed_total }
    }
}

/// The paths whose bytes differ between two states, files that only one of them has among them.
fn different(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let (mut left, mut right) = (before.files().iter().peekable(), after.files().iter().peekable());
    let mut paths = Vec::new();
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => return paths,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(one), Some(other)) => one.path.cmp(&other.path),
        };
        let one = if order.is_le() { left.next() } else { None };
        let other = if order.is_ge() { right.next() } else { None };
        if one.map(|file| file.hash) != other.map(|file| file.hash) {
            paths.extend(one.or(other).map(|file| file.path.clone()));
        }
    }
}

/// A project that is loaded and kept up to date, with the index file that its snapshot was checked against if there is
/// one.
#[derive(Debug)]
pub struct ServiceOrigin {
    service: Arc<ProjectService>,
    index: Option<IndexFile>,
}

impl ServiceOrigin {
    /// A project without an index file.
    pub fn new(service: Arc<ProjectService>) -> ServiceOrigin {
        ServiceOrigin { service, index: None }
    }

    /// A project whose snapshot was found to be what the index file of the project holds; `hash` is the digest of that
    /// file ([`docs::IndexState::Current`]). A file that is no longer that one counts as replaced.
    pub fn with_index(service: Arc<ProjectService>, hash: Hash) -> ServiceOrigin {
        let index = service
            .contract()
            .map(|contract| IndexFile::at(service.root().root(), &contract.paths.index, hash));
        ServiceOrigin { service, index }
    }
}

impl Origin for ServiceOrigin {
    fn standing(&self) -> Standing {
        self.index.as_ref().map_or(Standing::Same, |index| index.standing(self.service.root().root()))
    }

    fn staleness(&self, snapshot: &Snapshot) -> Staleness {
        match self.service.refresh(Checked::Stat, &Unwatched) {
            Ok(refresh) => Staleness::between(snapshot, &refresh),
            // Nothing stops a look that nobody watches.
            Err(_) => Staleness {
                state: Freshness::Unverified,
                checked: Checked::Stat,
                changed: Vec::new(),
                changed_total: 0,
            },
        }
    }
}

/// One index file: which file it is, and what was in it.
#[derive(Debug)]
struct IndexFile {
    path: Option<RelPath>,
    hash: Hash,
    /// Nothing when the file was not there as it should be.
    seen: Mutex<Option<Stat>>,
}

impl IndexFile {
    fn at(root: &Root, path: &str, hash: Hash) -> IndexFile {
        let path = RelPath::parse(path).ok();
        let (seen, standing) = match &path {
            Some(path) => looked_at(root, path, hash),
            None => (None, Standing::Replaced),
        };
        let seen = seen.filter(|_| standing == Standing::Same);
        IndexFile { path, hash, seen: Mutex::new(seen) }
    }

    fn standing(&self, root: &Root) -> Standing {
        let Some(path) = &self.path else { return Standing::Replaced };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(before) = *seen else { return Standing::Replaced };
        match root.stat(path, Links::Refuse) {
            Ok(now) if now == before => return Standing::Same,
            Ok(now) if (now.dev, now.ino) == (before.dev, before.ino) => {}
            Ok(_) | Err(_) => return Standing::Replaced,
        }
        // The same file with other times: its bytes say whether it was altered.
        let (now, standing) = looked_at(root, path, self.hash);
        if standing == Standing::Same {
            *seen = now;
        }
        standing
    }
}

/// What the file is now, and whether its bytes are those of `hash`.
fn looked_at(root: &Root, path: &RelPath, hash: Hash) -> (Option<Stat>, Standing) {
    let file = match root.open_file(path, Links::Refuse, docs::limits::INDEX_BYTES_MAX) {
        Ok(file) => file,
        Err(OpenFault::NotFound) => return (None, Standing::Replaced),
        Err(_) => return (None, Standing::Altered),
    };
    let stat = *file.stat();
    match file.read(docs::limits::INDEX_BYTES_MAX, &Unwatched) {
        Ok(read) if !read.changed && Hash::of(&[&read.bytes]) == hash => (Some(stat), Standing::Same),
        _ => (Some(stat), Standing::Altered),
    }
}
