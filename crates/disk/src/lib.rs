//! The door to the file system: pinned roots, opening below them, ordered listing and walking, and the few places
//! that are ever written. It knows no tool, no ignore rule and no text encoding, and it never decides whether a
//! file is wanted, only whether it may be read.
//!
//! Nothing here trusts a path that was checked before: the kernel resolves every name below the handle of a root
//! ([`Root`]), and the handle that was checked is the handle that is read.

#![expect(clippy::disallowed_methods, reason = "disk is the door that the disallowed methods point to")]

mod beneath;
mod folder;
mod list;
mod open;
mod path;
mod root;
mod scratch;
#[cfg(test)]
mod trial;
mod walk;

pub use beneath::Mechanism;
pub use folder::Folder;
pub use list::{Entry, EntryOrder, ListFault};
pub use open::{FileBytes, Kind, Links, OpenFault, OpenFile, ReadFault, Stat};
pub use path::{COMPONENT_BYTES_MAX, PATH_BYTES_MAX, PathFault, RelPath};
pub use root::{Root, RootFault};
pub use scratch::{
    CacheFolder, CacheLock, CanonicalFolder, CanonicalLock, ConfinedFault, ConfinedFolder, DirsFault,
    FileCall, FileCalls, FileNow, HOME_VARIABLE, Item, ItemId, PlainCalls, Quota, Scavenged, SharedFault,
    Store, StoreFault, StoredItem, TEMPORARY_PREFIX, UserDirs, WorkFolder, WriteFault, read_shared,
    write_atomic, write_atomic_with, write_shared,
};
pub use walk::{Step, Visitor, WalkEnd, WalkLimits, walk};
