//! Opening and reading one project file: the only place that decides whether a path may be read. A name is first
//! opened without touching what it names, then looked at, then opened for reading and compared. It knows no
//! encoding and no secret, and it never maps a file into memory.

use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::time::{Duration, SystemTime};

use fault::{Stop, Watch};
use rustix::fs::{FileType, OFlags, fstat};
use rustix::io::Errno;

use crate::path::RelPath;
use crate::root::Root;

/// How often an open is begun again because the name changed its file in between.
const CHANGED_MAX: usize = 3;
/// Bytes read between two looks at the watch.
const CHUNK_BYTES: u64 = 256 * 1024;
/// The most that a claimed size reserves before anything was read.
const FIRST_RESERVE_BYTES: u64 = 1024 * 1024;
/// Bytes asked for when a file has more than it claims.
const SMALL_BYTES: u64 = 4 * 1024;

/// Whether links may be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// No link, in no place of the path.
    Refuse,
    /// Links that stay inside the root, at most 40 of them.
    FollowInside,
}

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, whatever it points to.
    Link,
    /// A pipe, a socket or a device: never opened.
    Special,
}

impl Kind {
    pub(crate) fn from_file_type(file_type: FileType) -> Kind {
        match file_type {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Directory,
            FileType::Symlink => Kind::Link,
            _ => Kind::Special,
        }
    }

    pub(crate) fn from_mode(mode: u32) -> Kind {
        Kind::from_file_type(FileType::from_raw_mode(mode))
    }
}

/// What the system says about one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// What it is.
    pub kind: Kind,
    /// Its size in bytes, as claimed.
    pub size_bytes: u64,
    /// How many names it has (hard links).
    pub nlink: u64,
    /// The device it lies on.
    pub dev: u64,
    /// Its number on that device.
    pub ino: u64,
    /// When its content was last written.
    pub mtime: SystemTime,
    /// When anything about it last changed; only the system sets it.
    pub ctime: SystemTime,
}

impl Stat {
    pub(crate) fn of(handle: impl AsFd) -> Result<Stat, OpenFault> {
        Ok(Stat::from_raw(&fstat(handle).map_err(OpenFault::from_errno)?))
    }

    pub(crate) fn from_raw(stat: &rustix::fs::Stat) -> Stat {
        Stat {
            kind: Kind::from_mode(stat.st_mode),
            size_bytes: u64::try_from(stat.st_size).unwrap_or(0),
            nlink: stat.st_nlink,
            dev: stat.st_dev,
            ino: stat.st_ino,
            mtime: time(stat.st_mtime, stat.st_mtime_nsec),
            ctime: time(stat.st_ctime, stat.st_ctime_nsec),
        }
    }

    fn is_same_file(&self, other: &Stat) -> bool {
        (self.dev, self.ino) == (other.dev, other.ino)
    }
}

/// Seconds and nanoseconds since 1970 as a time; times out of range are 1970.
pub(crate) fn time(seconds: i64, nanoseconds: u64) -> SystemTime {
    let whole = Duration::from_secs(seconds.unsigned_abs());
    let part = Duration::from_nanos(nanoseconds);
    let start = SystemTime::UNIX_EPOCH;
    let at = if seconds < 0 { start.checked_sub(whole) } else { start.checked_add(whole) };
    at.and_then(|at| at.checked_add(part)).unwrap_or(start)
}

/// Why a path below a root was not opened. The texts name no path.
///
/// A path that leaves the root lexically is no [`RelPath`]; what lies outside is never looked at, so nothing here
/// tells whether something exists there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenFault {
    /// No such file, or no such directory where one is asked for.
    #[error("no such file or directory")]
    NotFound,
    /// A link leads out of the root, or another file system begins.
    #[error("the path leaves the root")]
    Outside,
    /// A link where none is allowed, or a chain of links that does not end.
    #[error("the path holds a link")]
    Link,
    /// A directory where a file is asked for.
    #[error("the path is a directory")]
    NotAFile,
    /// A pipe, a socket or a device.
    #[error("the path is no regular file")]
    Special,
    /// The file claims more bytes than allowed.
    #[error("the file has {size_bytes} bytes, which is too many")]
    TooLarge {
        /// The claimed size.
        size_bytes: u64,
    },
    /// The system denies access.
    #[error("access denied")]
    Denied,
    /// The name kept changing what it names.
    #[error("the file kept changing")]
    Changed,
    /// Any other answer of the system, and a file that another process holds a lease on.
    #[error("the file cannot be read")]
    Unreadable,
}

impl OpenFault {
    pub(crate) fn from_errno(error: Errno) -> OpenFault {
        match error {
            Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG => OpenFault::NotFound,
            Errno::LOOP => OpenFault::Link,
            Errno::XDEV => OpenFault::Outside,
            Errno::ACCESS | Errno::PERM => OpenFault::Denied,
            Errno::NXIO | Errno::NODEV => OpenFault::Special,
            Errno::ISDIR => OpenFault::NotAFile,
            _ => OpenFault::Unreadable,
        }
    }
}

/// Why an open file was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadFault {
    /// There are more bytes than allowed, whatever the file claimed before.
    #[error("the file is too large")]
    TooLarge,
    /// The system gave an error.
    #[error("the file cannot be read")]
    Unreadable,
    /// Nobody waits any more.
    #[error(transparent)]
    Stopped(Stop),
}

/// The bytes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileBytes {
    /// Everything that was read.
    pub bytes: Vec<u8>,
    /// Whether the file was written while it was read, or has another size than it claims.
    pub changed: bool,
}

/// A regular file below a root, open for reading. Nothing can exchange it any more.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
    stat: Stat,
}

impl OpenFile {
    /// Security model 2.1: `O_PATH` first, so that a device or a pipe is known before it is opened; then the same
    /// name for reading, without waiting for a lease; then both compared.
    pub(crate) fn open(root: &Root, rel: &RelPath, max_bytes: u64) -> Result<OpenFile, OpenFault> {
        for _ in 0..=CHANGED_MAX {
            let seen = Stat::of(root.open_raw(rel, OFlags::PATH)?)?;
            match seen.kind {
                Kind::File => {}
                Kind::Directory => return Err(OpenFault::NotAFile),
                Kind::Link => return Err(OpenFault::Link),
                Kind::Special => return Err(OpenFault::Special),
            }
            if seen.size_bytes > max_bytes {
                return Err(OpenFault::TooLarge { size_bytes: seen.size_bytes });
            }
            let handle = root.open_raw(rel, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?;
            let stat = Stat::of(&handle)?;
            if stat.kind == Kind::File && stat.is_same_file(&seen) {
                return Ok(OpenFile { file: File::from(handle), stat });
            }
        }
        Err(OpenFault::Changed)
    }

    /// What the system said when the file was opened.
    pub fn stat(&self) -> &Stat {
        &self.stat
    }

    /// Reads the whole file, at most `max_bytes`, whatever size it claims.
    ///
    /// # Errors
    /// [`ReadFault::TooLarge`] as soon as one byte more is there; [`ReadFault::Stopped`] between two chunks.
    pub fn read(mut self, max_bytes: u64, watch: &dyn Watch) -> Result<FileBytes, ReadFault> {
        let reserve = self.stat.size_bytes.min(max_bytes).saturating_add(1).min(FIRST_RESERVE_BYTES);
        let mut bytes = Vec::with_capacity(usize::try_from(reserve).unwrap_or(0));
        loop {
            watch.check().map_err(ReadFault::Stopped)?;
            let (start, so_far) = (bytes.len(), bytes.len() as u64);
            let spare = (bytes.capacity() - start) as u64;
            let room = if spare > 0 { spare } else { so_far.max(SMALL_BYTES) };
            let room = room.min(CHUNK_BYTES).min(max_bytes.saturating_add(1) - so_far);
            bytes.resize(start + usize::try_from(room).unwrap_or(0), 0);
            let read = loop {
                match self.file.read(&mut bytes[start..]) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    answer => break answer.map_err(|_| ReadFault::Unreadable)?,
                }
            };
            bytes.truncate(start + read);
            if bytes.len() as u64 > max_bytes {
                return Err(ReadFault::TooLarge);
            }
            if read == 0 {
                break;
            }
        }
        let after = Stat::of(&self.file).map_err(|_| ReadFault::Unreadable)?;
        let changed = after.mtime != self.stat.mtime
            || after.size_bytes != self.stat.size_bytes
            || after.size_bytes != bytes.len() as u64;
        Ok(FileBytes { bytes, changed })
    }

    /// The first `max_bytes` bytes, or all when there are fewer; a later [`OpenFile::read`] still begins at the
    /// first byte.
    ///
    /// # Errors
    /// [`ReadFault::Unreadable`].
    pub fn read_head(&self, max_bytes: usize) -> Result<Vec<u8>, ReadFault> {
        let mut head = vec![0; max_bytes];
        let mut filled = 0;
        while filled < head.len() {
            match self.file.read_at(&mut head[filled..], filled as u64) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return Err(ReadFault::Unreadable),
            }
        }
        head.truncate(filled);
        Ok(head)
    }
}

#[cfg(test)]
mod tests;
