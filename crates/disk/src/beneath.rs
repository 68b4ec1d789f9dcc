//! Opening a name below a directory handle so that the kernel, not a comparison of strings, keeps it there: by one
//! `openat2` call, or name by name where that call is not to be had. It knows no root and no policy.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, StatxFlags, fstat, openat, openat2, statx,
};
use rustix::io::Errno;

use crate::open::OpenFault;

/// How often `openat2` is asked again when a rename elsewhere made it give up.
const AGAIN_MAX: usize = 8;

/// How a path is held below its root. Both refuse the same paths; only their cost differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mechanism {
    /// One `openat2` call with `BENEATH`, `NO_SYMLINKS`, `NO_MAGICLINKS` and `NO_XDEV`.
    Kernel,
    /// One `openat` with `O_NOFOLLOW` for each name, each held against the mount of the root.
    Components,
}

impl Mechanism {
    /// What this machine can do, found out once: the call must open what it may and refuse what it may not. A
    /// container may answer the call with an error of its own, so a version number would prove nothing.
    pub fn of_this_machine() -> Mechanism {
        static CHOSEN: OnceLock<Mechanism> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            if kernel_holds() == Some(true) { Mechanism::Kernel } else { Mechanism::Components }
        })
    }
}

/// Whether `openat2` opens the inside and refuses the outside; none when there is no directory to try it on.
fn kernel_holds() -> Option<bool> {
    let top = openat(CWD, "/", DIRECTORY_HANDLE, Mode::empty()).ok()?;
    let inside = kernel(top.as_fd(), b".", DIRECTORY_HANDLE).is_ok();
    let above = kernel(top.as_fd(), b"..", DIRECTORY_HANDLE).err() == Some(Errno::XDEV);
    let absolute = kernel(top.as_fd(), b"/", DIRECTORY_HANDLE).err() == Some(Errno::XDEV);
    // `/proc/self` is a link on every Linux; where it is not mounted the other answers have to do.
    let link = match openat(CWD, "/proc", DIRECTORY_HANDLE, Mode::empty()) {
        Ok(proc) => {
            matches!(kernel(proc.as_fd(), b"self/stat", OFlags::PATH), Err(Errno::LOOP | Errno::NOENT))
        }
        Err(_) => true,
    };
    Some(inside && above && absolute && link)
}

/// A directory that is only a starting point.
pub(crate) const DIRECTORY_HANDLE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Where a handle lies: its mount when the kernel tells, else its device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    mount: Option<u64>,
    device: u64,
}

impl Place {
    pub(crate) fn of(handle: BorrowedFd<'_>) -> Result<Place, Errno> {
        // A copy-on-write file system may give files another device than their directory, so the mount counts first.
        if let Ok(found) = statx(handle, c"", AtFlags::EMPTY_PATH, StatxFlags::MNT_ID)
            && found.stx_mask & StatxFlags::MNT_ID.bits() != 0
        {
            return Ok(Place { mount: Some(found.stx_mnt_id), device: 0 });
        }
        Ok(Place { mount: None, device: fstat(handle)?.st_dev })
    }

    /// Whether a mount of this number is known to be the same.
    pub(crate) fn is_mount(&self, number: u64) -> bool {
        self.mount == Some(number)
    }

    fn holds(&self, other: &Place) -> bool {
        match (self.mount, other.mount) {
            (Some(ours), Some(theirs)) => ours == theirs,
            _ => self.device == other.device,
        }
    }
}

/// Opens `path` (relative, clean, empty for the directory itself) below `top` without following any link. With
/// `O_PATH` in `flags` a link in the last place is opened itself.
pub(crate) fn open_beneath(
    mechanism: Mechanism,
    top: BorrowedFd<'_>,
    place: &Place,
    path: &[u8],
    flags: OFlags,
) -> Result<OwnedFd, OpenFault> {
    let path = if path.is_empty() { b"." } else { path };
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match mechanism {
        Mechanism::Kernel => kernel(top, path, flags).map_err(OpenFault::from_errno),
        Mechanism::Components => by_components(top, place, path, flags),
    }
}

fn kernel(top: BorrowedFd<'_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    const HOLD: ResolveFlags = ResolveFlags::BENEATH
        .union(ResolveFlags::NO_SYMLINKS)
        .union(ResolveFlags::NO_MAGICLINKS)
        .union(ResolveFlags::NO_XDEV);
    let mut tries = 0;
    loop {
        match openat2(top, path, flags, Mode::empty(), HOLD) {
            Err(Errno::AGAIN) if tries < AGAIN_MAX => tries += 1,
            Err(Errno::INTR) => {}
            answer => return answer,
        }
    }
}

fn by_components(
    top: BorrowedFd<'_>,
    place: &Place,
    path: &[u8],
    flags: OFlags,
) -> Result<OwnedFd, OpenFault> {
    let mut held: Option<OwnedFd> = None;
    let mut names = path.split(|byte| *byte == b'/').peekable();
    while let Some(name) = names.next() {
        // A root that can be given to this function is clean; a second look costs nothing and guards the loop.
        if name == b".." || name.is_empty() {
            return Err(OpenFault::Outside);
        }
        let from = held.as_ref().map_or(top, AsFd::as_fd);
        let last = names.peek().is_none();
        let how = if last { flags } else { OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC };
        let next = step(from, name, how).map_err(OpenFault::from_errno)?;
        if !place.holds(&Place::of(next.as_fd()).map_err(OpenFault::from_errno)?) {
            return Err(OpenFault::Outside);
        }
        if !last {
            match FileType::from_raw_mode(fstat(&next).map_err(OpenFault::from_errno)?.st_mode) {
                FileType::Directory => {}
                FileType::Symlink => return Err(OpenFault::Link),
                _ => return Err(OpenFault::NotFound),
            }
        }
        held = Some(next);
    }
    held.ok_or(OpenFault::NotFound)
}

/// Opens one name of a directory, never following a link.
pub(crate) fn step(from: BorrowedFd<'_>, name: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    loop {
        match openat(from, name, flags | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()) {
            Err(Errno::INTR) => {}
            answer => return answer,
        }
    }
}
