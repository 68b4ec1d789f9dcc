//! The standard output of a server: it carries frames and nothing else, so it is taken out of everyone's reach before
//! the first thread starts. It does not know what a frame is.

#![expect(clippy::disallowed_methods, reason = "the null device is no file of a project")]

use std::fs::{File, OpenOptions};
use std::io;

use rustix::stdio::{dup2_stdout, stdout};

/// Moves the standard output to a handle of its own and leaves the null device in its place: what prints by mistake
/// prints nowhere.
///
/// # Errors
/// When the process can hold no further handle, or has no null device.
pub(crate) fn take() -> io::Result<File> {
    let frames = rustix::io::fcntl_dupfd_cloexec(stdout(), 3)?;
    let null = OpenOptions::new().write(true).open("/dev/null")?;
    dup2_stdout(&null)?;
    Ok(File::from(frames))
}
