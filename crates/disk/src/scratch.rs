//! The only writer: the session's packs and work folders, the cache of remote projects, the
//! per-user profile store, folders that a project sets aside for proposals, the documents that a
//! person applies a proposal to, and the one file that a person names on the command line. It writes
//! nowhere else below a root, and it knows no content.

mod atomic;
mod cache;
mod canonical;
mod confined;
mod dirs;
mod private;
mod remove;
mod scavenge;
mod shared;
mod store;
mod work;

pub use atomic::{WriteFault, write_atomic, write_atomic_with};
pub use cache::{CacheFolder, CacheLock};
pub use canonical::{CanonicalFolder, CanonicalLock, FileNow};
pub use confined::{ConfinedFault, ConfinedFolder, FileCall, FileCalls, PlainCalls, TEMPORARY_PREFIX};
pub use dirs::{DirsFault, HOME_VARIABLE, UserDirs};
pub use scavenge::Scavenged;
pub use shared::{SharedFault, read_shared, write_shared};
pub use store::{Item, ItemId, Quota, Store, StoreFault, StoredItem};
pub use work::WorkFolder;

use rustix::io::Errno;

/// `bytes` random bytes of the operating system as lower-case hexadecimal digits.
fn random_hex(bytes: usize) -> Result<String, Errno> {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).map_err(|_| Errno::IO)?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether `name` is exactly `digits` lower-case hexadecimal digits.
fn is_hex(name: &[u8], digits: usize) -> bool {
    name.len() == digits && name.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Removes a tree of any depth that a test made.
#[cfg(test)]
pub(crate) fn remove_tree(path: &std::path::Path) {
    use std::os::fd::AsFd;
    let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::DIRECTORY;
    if let Ok(dir) = rustix::fs::openat(rustix::fs::CWD, path, flags, rustix::fs::Mode::empty()) {
        remove::empty(dir.as_fd(), b"", &mut usize::MAX.clone());
        let _ = std::fs::remove_dir(path);
    }
}
