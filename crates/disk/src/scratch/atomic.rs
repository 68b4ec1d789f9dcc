//! Writing one whole file at a path that a person named: complete or not at all, and never through a link. It knows
//! no content, and it makes no directory.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use rustix::fs::{
    AtFlags, CWD, Mode, OFlags, RenameFlags, fchmod, linkat, openat, renameat, renameat_with, statat,
    unlinkat,
};
use rustix::io::Errno;

use super::random_hex;
use crate::open::Kind;

/// Bytes that are gathered before they are written.
const BUFFER_BYTES: usize = 64 * 1024;

/// Why a file was not written. What was there before is unchanged, and nothing else remains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteFault {
    /// Something of this name is there, and it may not be replaced.
    #[error("the file already exists")]
    AlreadyExists,
    /// The name is a link; it is never written through, and never replaced.
    #[error("the file is a link")]
    Link,
    /// The name is a directory, a pipe, a socket or a device.
    #[error("the path names no regular file")]
    NotAFile,
    /// The directory of the file is not there.
    #[error("no such directory")]
    NoDirectory,
    /// The path has no file name.
    #[error("the path has no file name")]
    NoName,
    /// The system denies access.
    #[error("access denied")]
    Denied,
    /// Any other answer of the system, or of the one who gives the bytes.
    #[error("the file cannot be written ({0})")]
    Unwritable(io::ErrorKind),
}

impl From<Errno> for WriteFault {
    fn from(error: Errno) -> Self {
        match error {
            Errno::EXIST => WriteFault::AlreadyExists,
            Errno::LOOP => WriteFault::Link,
            Errno::ISDIR => WriteFault::NotAFile,
            Errno::NOENT | Errno::NOTDIR => WriteFault::NoDirectory,
            Errno::ACCESS | Errno::PERM | Errno::ROFS => WriteFault::Denied,
            other => WriteFault::Unwritable(io::Error::from(other).kind()),
        }
    }
}

/// Writes `bytes` as the file `path`: a temporary file in the same directory, synced, then renamed.
///
/// A new file has `mode` as far as the umask allows; a replaced one keeps its own. Without `overwrite` nothing that
/// is there is replaced, not even a dangling link; with it, only a regular file.
///
/// # Errors
/// [`WriteFault`].
pub fn write_atomic(path: &Path, bytes: &[u8], mode: u32, overwrite: bool) -> Result<(), WriteFault> {
    write_atomic_with(path, mode, overwrite, |out| out.write_all(bytes))
}

/// As [`write_atomic`], for content that is produced piece by piece. `produce` is not called when the name is
/// already known not to be writable.
///
/// # Errors
/// [`WriteFault`]; an error of `produce` is [`WriteFault::Unwritable`].
pub fn write_atomic_with(
    path: &Path,
    mode: u32,
    overwrite: bool,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteFault> {
    let Some(Component::Normal(name)) = path.components().next_back() else { return Err(WriteFault::NoName) };
    if path.as_os_str().as_bytes().ends_with(b"/") {
        return Err(WriteFault::NotAFile);
    }
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let dir = openat(CWD, parent, flags, Mode::empty())?;
    let existing = if overwrite { Existing::ReplaceAndKeepMode } else { Existing::Refuse };
    replace(dir.as_fd(), name.as_bytes(), mode, existing, produce)
}

/// What becomes of a regular file that has the name already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Existing {
    /// It stays, and nothing is written.
    Refuse,
    /// It is replaced; the new file has the given mode.
    Replace,
    /// It is replaced; the new file has its mode.
    ReplaceAndKeepMode,
}

pub(super) fn replace(
    dir: BorrowedFd<'_>,
    name: &[u8],
    mode: u32,
    existing: Existing,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteFault> {
    let kept_mode = replaceable(dir, name, existing)?;
    let mut temporary = Temporary::create(dir, mode)?;
    if let (Some(mode), Existing::ReplaceAndKeepMode) = (kept_mode, existing) {
        fchmod(&temporary.file, mode)?;
    }
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, &temporary.file);
    let written = produce(&mut out).and_then(|()| out.flush());
    written.and_then(|()| temporary.file.sync_all()).map_err(|error| WriteFault::Unwritable(error.kind()))?;
    drop(out);
    temporary.appear()?;
    if existing == Existing::Refuse {
        match renameat_with(dir, &*temporary.name, dir, name, RenameFlags::NOREPLACE) {
            Ok(()) => temporary.there = false,
            // Not every file system knows the flag; a hard link never replaces either.
            Err(Errno::INVAL | Errno::NOSYS) => {
                linkat(dir, &*temporary.name, dir, name, AtFlags::empty())?;
            }
            Err(error) => return Err(error.into()),
        }
    } else {
        // Once more: what is there now is what is replaced.
        replaceable(dir, name, existing)?;
        renameat(dir, &*temporary.name, dir, name)?;
        temporary.there = false;
    }
    // The content is safe by now; some file systems cannot sync a directory.
    let _ = rustix::fs::fsync(dir);
    Ok(())
}

/// Refuses what must not be replaced; gives the mode of a regular file that may.
fn replaceable(dir: BorrowedFd<'_>, name: &[u8], existing: Existing) -> Result<Option<Mode>, WriteFault> {
    match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
        Ok(_) if existing == Existing::Refuse => Err(WriteFault::AlreadyExists),
        Ok(stat) => match Kind::from_mode(stat.st_mode) {
            Kind::File => Ok(Some(Mode::from_raw_mode(stat.st_mode & 0o777))),
            Kind::Link => Err(WriteFault::Link),
            Kind::Directory | Kind::Special => Err(WriteFault::NotAFile),
        },
    }
}

/// A file that goes unless it is renamed. It has no name until then where the file system can do that, so that a
/// process which is killed leaves nothing, and nobody sees a file in the making.
struct Temporary<'a> {
    dir: BorrowedFd<'a>,
    name: String,
    file: File,
    there: bool,
}

impl<'a> Temporary<'a> {
    fn create(dir: BorrowedFd<'a>, mode: u32) -> Result<Self, WriteFault> {
        let name = format!(".readroom-{}.tmp", random_hex(16)?);
        let mode = Mode::from_raw_mode(mode & 0o777);
        let nameless = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
        if let Ok(file) = openat(dir, ".", nameless, mode)
            && statat(CWD, handle_path(&file), AtFlags::SYMLINK_NOFOLLOW).is_ok()
        {
            return Ok(Temporary { dir, name, file: File::from(file), there: false });
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file: OwnedFd = openat(dir, name.as_str(), flags, mode)?;
        Ok(Temporary { dir, name, file: File::from(file), there: true })
    }

    /// Gives the finished file its temporary name, if it has none yet.
    fn appear(&mut self) -> Result<(), Errno> {
        if !self.there {
            let from = handle_path(&self.file);
            linkat(CWD, from, self.dir, self.name.as_str(), AtFlags::SYMLINK_FOLLOW)?;
            self.there = true;
        }
        Ok(())
    }
}

/// Where the system shows an open file that has no name.
fn handle_path(file: &impl AsFd) -> String {
    format!("/proc/self/fd/{}", file.as_fd().as_raw_fd())
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if self.there {
            let _ = unlinkat(self.dir, &*self.name, AtFlags::empty());
        }
    }
}

#[cfg(test)]
mod tests;
