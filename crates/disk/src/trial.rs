//! What the tests of this crate need: a folder that goes when the test ends, and watches that act at a known moment.

use std::ffi::OsStr;
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use fault::{Phase, Watch};
use rustix::fs::{CWD, FileType, Mode, OFlags, mkdirat, mknodat, openat};

use crate::{Mechanism, RelPath, Root, UserDirs};

/// Every test of the jail runs with both.
pub(crate) const MECHANISMS: [Mechanism; 2] = [Mechanism::Kernel, Mechanism::Components];

/// A folder of its own for one test.
pub(crate) struct Trial {
    path: PathBuf,
}

impl Trial {
    pub(crate) fn new() -> Trial {
        Trial::below(&std::env::temp_dir())
    }

    /// For thousands of files: in memory where that is possible, because some disks take milliseconds for each.
    pub(crate) fn of_many() -> Trial {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() { Trial::below(memory) } else { Trial::new() }
    }

    fn below(base: &Path) -> Trial {
        let mut random = [0; 8];
        getrandom::fill(&mut random).unwrap();
        let path = base.join(format!("disk-trial-{}", u64::from_ne_bytes(random)));
        fs::create_dir(&path).unwrap();
        Trial { path: fs::canonicalize(path).unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn at(&self, name: impl AsRef<[u8]>) -> PathBuf {
        self.path.join(OsStr::from_bytes(name.as_ref()))
    }

    pub(crate) fn directory(&self, name: &str) -> PathBuf {
        fs::create_dir_all(self.at(name)).unwrap();
        self.at(name)
    }

    pub(crate) fn file(&self, name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn link(&self, name: &str, target: impl AsRef<Path>) {
        fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        symlink(target, self.at(name)).unwrap();
    }

    pub(crate) fn pipe(&self, name: &str) {
        mknodat(CWD, self.at(name), FileType::Fifo, Mode::RWXU, 0).unwrap();
    }

    /// The root `root` below this folder, so that there is room for an outside beside it.
    pub(crate) fn root(&self, mechanism: Mechanism) -> Root {
        Root::pin_with(&self.directory("root"), mechanism).unwrap()
    }

    /// A chain of `depth` directories, each named `a`, below the folder `name`.
    pub(crate) fn chain(&self, name: &str, depth: usize) {
        self.chain_of(name, "a", depth);
    }

    pub(crate) fn chain_of(&self, name: &str, link: &str, depth: usize) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut here: OwnedFd = openat(CWD, self.directory(name), flags, Mode::empty()).unwrap();
        for _ in 0..depth {
            mkdirat(&here, link, Mode::RWXU).unwrap();
            here = openat(here.as_fd(), link, flags, Mode::empty()).unwrap();
        }
    }
}

/// The session folders of the user whose folders lie below `home`.
pub(crate) fn sessions(dirs: &UserDirs) -> Vec<PathBuf> {
    let mut sessions: Vec<PathBuf> = match fs::read_dir(dirs.runtime.join("packs")) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => Vec::new(),
    };
    sessions.sort();
    sessions
}

/// The permission bits of what a path names.
pub(crate) fn mode_of(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

impl Drop for Trial {
    fn drop(&mut self) {
        crate::scratch::remove_tree(&self.path);
    }
}

pub(crate) fn rel(text: &str) -> RelPath {
    RelPath::parse(text).unwrap()
}

/// Does something when it is asked for the n-th time, and cancels when the something says so.
pub(crate) struct AtCheck<F: Fn(usize) -> bool + Sync> {
    asked: AtomicUsize,
    act: F,
}

impl<F: Fn(usize) -> bool + Sync> AtCheck<F> {
    pub(crate) fn new(act: F) -> Self {
        AtCheck { asked: AtomicUsize::new(0), act }
    }
}

impl<F: Fn(usize) -> bool + Sync> Watch for AtCheck<F> {
    fn cancelled(&self) -> bool {
        (self.act)(self.asked.fetch_add(1, Ordering::Relaxed))
    }
    fn deadline(&self) -> Option<Instant> {
        None
    }
    fn step(&self, _phase: Phase, _done: u64, _total: u64) {}
}
