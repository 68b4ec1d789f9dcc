//! A directory that is open while a walk stands in it, so that what its names are costs one question each. It does
//! not open what they name.

use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use fault::Watch;
use rustix::fs::{AtFlags, OFlags, StatxFlags, makedev, statx};

use crate::list::{Entry, EntryOrder, Excess, ListFault, by_bytes, entries};
use crate::open::{Kind, Links, OpenFault, Stat, time};
use crate::path::RelPath;
use crate::root::Root;

/// One open directory below a root.
#[derive(Debug)]
pub struct Folder<'a> {
    root: &'a Root,
    dir: &'a RelPath,
    handle: OwnedFd,
}

impl<'a> Folder<'a> {
    pub(crate) fn open(root: &'a Root, dir: &'a RelPath) -> Result<Folder<'a>, OpenFault> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK | OFlags::NOCTTY;
        match root.open_raw(dir, flags) {
            Ok(handle) => Ok(Folder { root, dir, handle }),
            // The system says of a link in the last place only that it is no directory.
            Err(OpenFault::NotFound) => {
                let link = root.stat(dir, Links::Refuse).is_ok_and(|stat| stat.kind == Kind::Link);
                Err(if link { OpenFault::Link } else { OpenFault::NotFound })
            }
            Err(fault) => Err(fault),
        }
    }

    /// The names in byte order, and whether there are more than `max_entries`.
    pub(crate) fn entries(
        &self,
        max_entries: usize,
        watch: &dyn Watch,
    ) -> Result<(Vec<Entry>, bool), ListFault> {
        self.first(max_entries, &by_bytes, watch)
    }

    /// As [`Folder::entries`], in an order of the caller's.
    pub(crate) fn first(
        &self,
        max_entries: usize,
        order: EntryOrder<'_>,
        watch: &dyn Watch,
    ) -> Result<(Vec<Entry>, bool), ListFault> {
        entries(self.handle.as_fd(), max_entries, Excess::GiveFirst(order), watch)
    }

    /// What one of the names is; as [`Root::stat`] with links refused, in one call of the system where that is
    /// as safe.
    ///
    /// # Errors
    /// As [`Root::stat`]; [`OpenFault::NotFound`] for what is no single name.
    pub fn stat(&self, name: &[u8]) -> Result<Stat, OpenFault> {
        if name.is_empty() || name == b"." || name == b".." || name.contains(&b'/') || name.contains(&0) {
            return Err(OpenFault::NotFound);
        }
        let wanted = StatxFlags::BASIC_STATS | StatxFlags::MNT_ID;
        let how = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
        match statx(&self.handle, std::ffi::OsStr::from_bytes(name), how, wanted) {
            // Another mount may begin at the name; without its number the careful way decides.
            Ok(found)
                if StatxFlags::from_bits_retain(found.stx_mask).contains(wanted)
                    && self.root.is_on_mount(found.stx_mnt_id) =>
            {
                Ok(Stat {
                    kind: Kind::from_mode(u32::from(found.stx_mode)),
                    size_bytes: found.stx_size,
                    nlink: u64::from(found.stx_nlink),
                    dev: makedev(found.stx_dev_major, found.stx_dev_minor),
                    ino: found.stx_ino,
                    mtime: time(found.stx_mtime.tv_sec, u64::from(found.stx_mtime.tv_nsec)),
                    ctime: time(found.stx_ctime.tv_sec, u64::from(found.stx_ctime.tv_nsec)),
                })
            }
            _ => self.root.stat(&self.dir.join(name), Links::Refuse),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{MECHANISMS, Trial, rel};

    #[test]
    fn what_a_name_is_does_not_depend_on_who_is_asked() {
        let trial = Trial::new();
        trial.directory("root/d/inner");
        trial.file("root/d/f", "four");
        trial.file(b"root/d/\xFF".as_slice(), "");
        trial.link("root/d/link", "f");
        trial.pipe("root/d/pipe");
        for mechanism in MECHANISMS {
            let root = trial.root(mechanism);
            let dir = rel("d");
            let folder = Folder::open(&root, &dir).unwrap();
            for name in [b"f".as_slice(), b"\xFF", b"inner", b"link", b"pipe", b"absent", b""] {
                let asked = folder.stat(name);
                if name.is_empty() {
                    assert_eq!(asked, Err(OpenFault::NotFound));
                } else {
                    assert_eq!(asked, root.stat(&dir.join(name), Links::Refuse), "{name:?}");
                }
            }
            assert_eq!(folder.stat(b"link").map(|stat| stat.kind), Ok(Kind::Link));
        }
    }

    #[test]
    fn only_single_names_are_asked_for() {
        let trial = Trial::new();
        trial.file("root/d/f", "");
        trial.file("root/g", "");
        for mechanism in MECHANISMS {
            let root = trial.root(mechanism);
            let dir = rel("d");
            let folder = Folder::open(&root, &dir).unwrap();
            for name in [b"..".as_slice(), b".", b"../g", b"/", b"f/", b"f\0"] {
                assert_eq!(folder.stat(name), Err(OpenFault::NotFound), "{name:?}");
            }
        }
    }
}
