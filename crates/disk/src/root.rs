//! A directory that is pinned once and served from then on, whatever happens to its name. It hands out what lies
//! below; it does not know which of it is wanted, and it has no way to write.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use fault::Unwatched;
use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags, ResolveFlags, accessat, openat, openat2, readlinkat};
use rustix::io::Errno;

use crate::beneath::{DIRECTORY_HANDLE, Mechanism, Place, open_beneath, step};
use crate::folder::Folder;
use crate::list::{Entry, EntryOrder, ListFault};
use crate::open::{Kind, Links, OpenFault, OpenFile, Stat};
use crate::path::RelPath;

/// Links that one path may go through.
const HOPS_MAX: usize = 40;
/// Names that the resolution of one path may look at, so that a hostile chain of links ends soon.
const STEPS_MAX: usize = 16_384;
/// How often a path is resolved again because a name became a link in between.
const CHANGED_MAX: usize = 3;
/// Names that [`Root::list`] gives at once.
const LISTED_MAX: usize = 1_000_000;

/// Why a directory cannot be a root. The texts name no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RootFault {
    /// There is nothing of this name.
    #[error("no such directory")]
    NotFound,
    /// It is something else.
    #[error("not a directory")]
    NotADirectory,
    /// The system denies access.
    #[error("access denied")]
    Denied,
    /// Any other answer of the system.
    #[error("the directory cannot be opened")]
    Unreadable,
}

impl RootFault {
    fn from_errno(error: Errno) -> RootFault {
        match error {
            Errno::NOENT => RootFault::NotFound,
            Errno::NOTDIR => RootFault::NotADirectory,
            Errno::ACCESS | Errno::PERM => RootFault::Denied,
            _ => RootFault::Unreadable,
        }
    }
}

/// A pinned directory: a handle, and the physical path it had when it was pinned.
#[derive(Debug)]
pub struct Root {
    handle: OwnedFd,
    path: PathBuf,
    dev: u64,
    ino: u64,
    place: Place,
    mechanism: Mechanism,
}

impl Root {
    /// Pins the directory that `path` names now, with every link resolved once (project specification 2.2).
    ///
    /// # Errors
    /// [`RootFault`] when it is no directory or cannot be reached.
    pub fn pin(path: &Path) -> Result<Root, RootFault> {
        Root::pin_with(path, Mechanism::of_this_machine())
    }

    /// As [`Root::pin`], with a chosen mechanism.
    ///
    /// # Errors
    /// As [`Root::pin`].
    pub fn pin_with(path: &Path, mechanism: Mechanism) -> Result<Root, RootFault> {
        for _ in 0..=CHANGED_MAX {
            let physical = match std::fs::canonicalize(path) {
                Ok(physical) => physical,
                Err(error) => {
                    let error = error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error);
                    return Err(RootFault::from_errno(error));
                }
            };
            let handle = match open_physical(&physical) {
                Ok(handle) => handle,
                // A name on the way became a link after it was resolved.
                Err(Errno::LOOP) => continue,
                Err(error) => return Err(RootFault::from_errno(error)),
            };
            let stat = Stat::of(&handle).map_err(|_| RootFault::Unreadable)?;
            let place = Place::of(handle.as_fd()).map_err(RootFault::from_errno)?;
            return Ok(Root { handle, path: physical, dev: stat.dev, ino: stat.ino, place, mechanism });
        }
        Err(RootFault::Unreadable)
    }

    /// The physical path: absolute, without links when it was pinned.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How paths are held below this root.
    pub fn mechanism(&self) -> Mechanism {
        self.mechanism
    }

    /// Whether the physical path still names the pinned directory, without a link on the way (specification 2.2:
    /// each call asks).
    pub fn still_there(&self) -> bool {
        open_physical(&self.path)
            .ok()
            .and_then(|handle| Stat::of(handle).ok())
            .is_some_and(|stat| (stat.dev, stat.ino) == (self.dev, self.ino))
    }

    /// The last name of the path, written as an address; `/` for the root of the file system.
    pub fn name(&self) -> String {
        match self.path.file_name() {
            Some(name) => RelPath::root().join(name.as_bytes()).to_address().into_owned(),
            None => String::from("/"),
        }
    }

    /// Whether `path`, with every link resolved, is the path of this root.
    pub fn is_same_place(&self, path: &Path) -> bool {
        std::fs::canonicalize(path).is_ok_and(|physical| physical == self.path)
    }

    /// The path below this root of an absolute path, by its text alone; none when it is not below.
    pub fn relative(&self, absolute: &Path) -> Option<RelPath> {
        let rest = absolute.strip_prefix(&self.path).ok()?;
        if rest.as_os_str().is_empty() {
            return Some(RelPath::root());
        }
        RelPath::from_bytes(rest.as_os_str().as_bytes()).ok()
    }

    /// What `rel` names. With [`Links::Refuse`] a link in the last place is told as [`Kind::Link`].
    ///
    /// # Errors
    /// [`OpenFault`], never [`OpenFault::TooLarge`].
    pub fn stat(&self, rel: &RelPath, links: Links) -> Result<Stat, OpenFault> {
        self.with_links(rel, links, |rel| {
            let stat = Stat::of(self.open_raw(rel, OFlags::PATH)?)?;
            match (stat.kind, links) {
                (Kind::Link, Links::FollowInside) => Err(OpenFault::Link),
                _ => Ok(stat),
            }
        })
    }

    /// Opens a regular file of at most `max_bytes` claimed bytes. Nothing else is ever opened, and nothing is
    /// waited for.
    ///
    /// # Errors
    /// [`OpenFault`].
    pub fn open_file(&self, rel: &RelPath, links: Links, max_bytes: u64) -> Result<OpenFile, OpenFault> {
        self.with_links(rel, links, |rel| OpenFile::open(self, rel, max_bytes))
    }

    /// The names in a directory in byte order; links are not followed.
    ///
    /// # Errors
    /// [`OpenFault::NotFound`] also for what is no directory, [`OpenFault::Unreadable`] also for more than a
    /// million names.
    pub fn list(&self, dir: &RelPath) -> Result<Vec<Entry>, OpenFault> {
        match Folder::open(self, dir)?.entries(LISTED_MAX, &Unwatched) {
            Ok((entries, false)) => Ok(entries),
            Ok((_, true)) | Err(ListFault::Stopped(_)) => Err(OpenFault::Unreadable),
            Err(ListFault::Open(fault)) => Err(fault),
        }
    }

    /// Whether this user may put something into a folder; no link is followed.
    ///
    /// # Errors
    /// [`OpenFault`].
    pub fn may_write(&self, dir: &RelPath) -> Result<bool, OpenFault> {
        let handle = self.open_raw(dir, DIRECTORY_HANDLE)?;
        let wanted = Access::WRITE_OK | Access::EXEC_OK;
        Ok(accessat(&handle, ".", wanted, AtFlags::empty()).is_ok())
    }

    /// Whether a mount of this number is known to be the one that this root lies on.
    pub(crate) fn is_on_mount(&self, number: u64) -> bool {
        self.place.is_mount(number)
    }

    /// The first `max_entries` names of a directory in `order`, sorted by it, and whether there are more. The whole
    /// directory is read, however many names it has; no more than twice as many are held at once. Links are not
    /// followed.
    ///
    /// # Errors
    /// [`ListFault`]; as [`Root::list`] for what is no directory.
    pub fn list_first(
        &self,
        dir: &RelPath,
        max_entries: usize,
        order: EntryOrder<'_>,
        watch: &dyn fault::Watch,
    ) -> Result<(Vec<Entry>, bool), ListFault> {
        Folder::open(self, dir).map_err(ListFault::Open)?.first(max_entries, order, watch)
    }

    /// Opens below this root without following any link.
    pub(crate) fn open_raw(&self, rel: &RelPath, flags: OFlags) -> Result<OwnedFd, OpenFault> {
        open_beneath(self.mechanism, self.handle.as_fd(), &self.place, rel.as_bytes(), flags)
    }

    /// Does `act` on the path, or, when links may be followed and there is one, on its physical target. The act
    /// itself never follows a link, so a link that appears in between only costs another try.
    fn with_links<T>(
        &self,
        rel: &RelPath,
        links: Links,
        act: impl Fn(&RelPath) -> Result<T, OpenFault>,
    ) -> Result<T, OpenFault> {
        match act(rel) {
            Err(OpenFault::Link) if links == Links::FollowInside => {}
            answer => return answer,
        }
        for _ in 0..=CHANGED_MAX {
            match act(&self.resolve(rel)?) {
                Err(OpenFault::Link) => {}
                answer => return answer,
            }
        }
        Err(OpenFault::Changed)
    }

    /// The physical target of `rel`: every link replaced by what it points to, as long as that is inside the root.
    /// An absolute target counts as inside when it begins with the physical path of the root. What lies outside is
    /// never looked at.
    ///
    /// # Errors
    /// [`OpenFault::Outside`] when a link leads out, [`OpenFault::Link`] for more than 40 links or a needlessly
    /// long way, [`OpenFault::NotFound`] for a link to nothing.
    pub fn resolve(&self, rel: &RelPath) -> Result<RelPath, OpenFault> {
        Resolution::new(self, rel).run()
    }
}

/// Opens an absolute physical path; a link anywhere is an error.
fn open_physical(path: &Path) -> Result<OwnedFd, Errno> {
    let kernel = Mechanism::of_this_machine() == Mechanism::Kernel;
    if kernel && path.as_os_str().len() < crate::PATH_BYTES_MAX {
        return openat2(
            CWD,
            path,
            DIRECTORY_HANDLE,
            Mode::empty(),
            ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS,
        );
    }
    let mut held = openat(CWD, "/", DIRECTORY_HANDLE, Mode::empty())?;
    for component in path.components() {
        if let Component::Normal(name) = component {
            let next = step(held.as_fd(), name.as_bytes(), OFlags::PATH)?;
            held = match Stat::of(&next).map(|stat| stat.kind) {
                Ok(Kind::Directory) => next,
                Ok(Kind::Link) => return Err(Errno::LOOP),
                _ => return Err(Errno::NOTDIR),
            };
        }
    }
    Ok(held)
}

/// One path on its way to its physical target, name by name with at most two handles.
struct Resolution<'a> {
    root: &'a Root,
    /// Names still to be looked at, the next one last.
    ahead: Vec<Box<[u8]>>,
    /// The physical names so far.
    behind: Vec<Box<[u8]>>,
    /// The directory that `behind` names; none when it has to be opened again.
    here: Option<OwnedFd>,
    /// Levels above the root: a target such as `../<root>/a` goes out by its text and comes back.
    above: usize,
    hops: usize,
    steps: usize,
}

impl<'a> Resolution<'a> {
    fn new(root: &'a Root, rel: &RelPath) -> Self {
        let mut ahead: Vec<Box<[u8]>> = rel.components().map(Into::into).collect();
        ahead.reverse();
        Resolution { root, ahead, behind: Vec::new(), here: None, above: 0, hops: 0, steps: 0 }
    }

    fn run(mut self) -> Result<RelPath, OpenFault> {
        while let Some(name) = self.ahead.pop() {
            self.count(1)?;
            match &*name {
                b"" | b"." => {}
                b".." => self.up()?,
                _ if self.above > 0 => self.back(&name)?,
                _ => self.down(name)?,
            }
        }
        if self.above > 0 {
            return Err(OpenFault::Outside);
        }
        let path = self.behind.join(&b'/');
        if path.is_empty() {
            return Ok(RelPath::root());
        }
        RelPath::from_bytes(&path).map_err(|_| OpenFault::NotFound)
    }

    fn count(&mut self, steps: usize) -> Result<(), OpenFault> {
        self.steps += steps;
        if self.steps > STEPS_MAX { Err(OpenFault::Link) } else { Ok(()) }
    }

    fn up(&mut self) -> Result<(), OpenFault> {
        self.here = None;
        if self.behind.pop().is_none() {
            self.above += 1;
        }
        Ok(())
    }

    /// One level back towards the root: the name must be the one that the physical path has there.
    fn back(&mut self, name: &[u8]) -> Result<(), OpenFault> {
        let ours = self.root.path.iter().rev().nth(self.above - 1);
        if ours != Some(OsStr::from_bytes(name)) || ours == Some(OsStr::new("/")) {
            return Err(OpenFault::Outside);
        }
        self.above -= 1;
        Ok(())
    }

    fn down(&mut self, name: Box<[u8]>) -> Result<(), OpenFault> {
        let from = match self.here.take() {
            Some(here) => here,
            None => {
                self.count(self.behind.len())?;
                let behind = self.behind.join(&b'/');
                let root = self.root;
                open_beneath(root.mechanism, root.handle.as_fd(), &root.place, &behind, DIRECTORY_HANDLE)?
            }
        };
        let root = self.root;
        let next = open_beneath(root.mechanism, from.as_fd(), &root.place, &name, OFlags::PATH)?;
        match Stat::of(&next)?.kind {
            Kind::Link => {
                self.here = Some(from);
                self.hops += 1;
                if self.hops > HOPS_MAX {
                    return Err(OpenFault::Link);
                }
                let target = readlinkat(&next, c"", Vec::new()).map_err(OpenFault::from_errno)?;
                self.turn(target.as_bytes())
            }
            Kind::Directory => {
                self.behind.push(name);
                self.here = Some(next);
                Ok(())
            }
            Kind::File | Kind::Special if self.ahead.is_empty() => {
                self.behind.push(name);
                Ok(())
            }
            Kind::File | Kind::Special => Err(OpenFault::NotFound),
        }
    }

    /// Goes on where a link points to.
    fn turn(&mut self, target: &[u8]) -> Result<(), OpenFault> {
        let mut names: Vec<Box<[u8]>> = Vec::new();
        if target.starts_with(b"/") {
            let rest = Path::new(OsStr::from_bytes(target))
                .strip_prefix(&self.root.path)
                .map_err(|_| OpenFault::Outside)?;
            self.behind.clear();
            self.here = None;
            names.extend(rest.as_os_str().as_bytes().split(|byte| *byte == b'/').map(Into::into));
        } else {
            names.extend(target.split(|byte| *byte == b'/').map(Into::into));
        }
        self.ahead.extend(names.into_iter().rev());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
