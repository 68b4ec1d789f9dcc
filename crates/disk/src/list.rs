//! The names of one open directory, in the order of bytes or another one. It knows neither where the directory lies nor what is wanted.

use std::cmp::Ordering;
use std::os::fd::{AsFd, BorrowedFd};

use fault::{Stop, Watch};
use rustix::fs::{AtFlags, FileType, RawDir, statat};
use rustix::io::Errno;

use crate::open::{Kind, OpenFault};

/// Bytes of names that the kernel hands over at once.
const BUFFER_BYTES: usize = 32 * 1024;

/// One name of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name: bytes, never `.` or `..`.
    pub name: Box<[u8]>,
    /// What it names; a link is a link whatever it points to.
    pub kind: Kind,
}

/// In which order names are given and cut.
pub type EntryOrder<'o> = &'o dyn Fn(&Entry, &Entry) -> Ordering;

/// Why the names of a directory are not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListFault {
    /// The directory cannot be opened or read.
    #[error(transparent)]
    Open(OpenFault),
    /// Nobody waits any more.
    #[error(transparent)]
    Stopped(Stop),
}

/// The order of bytes.
pub(crate) fn by_bytes(a: &Entry, b: &Entry) -> Ordering {
    a.name.cmp(&b.name)
}

/// Which names are given when there are too many.
#[derive(Clone, Copy)]
pub(crate) enum Excess<'o> {
    /// The first ones in this order; the whole directory is read, with room for no more than twice as many names.
    GiveFirst(EntryOrder<'o>),
    /// Those that the system gives first; nothing more is read.
    GiveAny,
}

/// The names of `dir`, sorted, and whether there are more than `max_entries`.
pub(crate) fn entries(
    dir: BorrowedFd<'_>,
    max_entries: usize,
    excess: Excess<'_>,
    watch: &dyn Watch,
) -> Result<(Vec<Entry>, bool), ListFault> {
    let mut buffer = Vec::with_capacity(BUFFER_BYTES);
    let mut names = RawDir::new(dir, buffer.spare_capacity_mut());
    let mut entries = Vec::new();
    let mut more = false;
    loop {
        if names.is_buffer_empty() {
            watch.check().map_err(ListFault::Stopped)?;
        }
        let entry = match names.next() {
            None => break,
            Some(Err(Errno::INTR)) => continue,
            // The directory was removed while it was read: it has no names any more.
            Some(Err(Errno::NOENT)) => break,
            Some(Err(error)) => return Err(ListFault::Open(OpenFault::from_errno(error))),
            Some(Ok(entry)) => entry,
        };
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        if entries.len() >= max_entries {
            more = true;
            match excess {
                Excess::GiveAny => break,
                Excess::GiveFirst(order) if entries.len() >= max_entries.saturating_mul(2) => {
                    cut(&mut entries, max_entries, order);
                }
                Excess::GiveFirst(_) => {}
            }
        }
        let kind = match entry.file_type() {
            FileType::Unknown => match statat(dir.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => Kind::from_mode(stat.st_mode),
                Err(Errno::NOENT) => continue,
                Err(_) => Kind::Special,
            },
            known => Kind::from_file_type(known),
        };
        entries.push(Entry { name: name.to_bytes().into(), kind });
    }
    match excess {
        Excess::GiveFirst(order) => cut(&mut entries, max_entries, order),
        Excess::GiveAny => cut(&mut entries, max_entries, &by_bytes),
    }
    Ok((entries, more))
}

fn cut(entries: &mut Vec<Entry>, max_entries: usize, order: EntryOrder<'_>) {
    entries.sort_unstable_by(order);
    entries.truncate(max_entries);
}
