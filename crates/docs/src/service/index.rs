//! What the index file is worth beside the served snapshot, looked at again only when one of the two is another (spec C6).
//! Answers never come from the file, and nothing here writes one.

use std::sync::PoisonError;
use std::time::SystemTime;

use disk::{Links, RelPath};

use super::ProjectService;
use crate::index::{IndexState, index_state};
use crate::load::{RACY, Stamp};

/// What a look came to, and what it was a look at.
#[derive(Clone, Debug)]
pub(super) struct Looked {
    snapshot_id: String,
    /// How the file looked; nothing when it could not be asked.
    stamp: Option<Stamp>,
    /// Whether the file was old enough for its times to tell a later change.
    is_certain: bool,
    state: IndexState,
}

impl ProjectService {
    /// The state of the index file beside what is served; nothing when nothing is served.
    pub fn index(&self) -> Option<IndexState> {
        let snapshot = self.snapshot()?;
        let mut looked = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let stat = RelPath::parse(&snapshot.contract().paths.index)
            .ok()
            .and_then(|path| self.root.root().stat(&path, Links::Refuse).ok());
        let stamp = stat.as_ref().map(Stamp::of);
        if let Some(before) = &*looked
            && before.is_certain
            && before.stamp == stamp
            && before.snapshot_id == snapshot.snapshot_id()
        {
            return Some(before.state);
        }
        let now = SystemTime::now();
        let is_certain = stat.is_none_or(|stat| {
            stat.nlink == 1 && stat.mtime.max(stat.ctime).checked_add(RACY).is_some_and(|safe| safe < now)
        });
        let state = index_state(self.root.root(), &snapshot);
        let snapshot_id = snapshot.snapshot_id().to_owned();
        *looked = Some(Looked { snapshot_id, stamp, is_certain, state });
        Some(state)
    }
}
