//! The one thing that long work looks at: was it cancelled, is it too late, how far is it.

use std::time::Instant;

/// Why work stops before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The caller took the call back; nobody waits for the answer.
    #[error("cancelled")]
    Cancelled,
    /// The deadline of the call has passed.
    #[error("deadline passed")]
    TooLate,
}

/// A phase of a long call, in the order in which they happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Fetching a remote project.
    Fetching,
    /// Reading folders and ignore rules.
    Selecting,
    /// The selection is known.
    Scanned,
    /// Reading, reducing and redacting files.
    Transforming,
    /// Measuring (`analyze`).
    Analyzing,
    /// Writing the document.
    Writing,
}

impl Phase {
    /// The word that progress messages begin with.
    pub const fn as_str(self) -> &'static str {
        match self {
            Phase::Fetching => "fetching",
            Phase::Selecting => "selecting",
            Phase::Scanned => "scanned",
            Phase::Transforming => "transforming",
            Phase::Analyzing => "analyzing",
            Phase::Writing => "writing",
        }
    }
}

/// Looked at between files and between chunks. Implementations are cheap to ask.
pub trait Watch: Sync {
    /// Whether the caller took the call back.
    fn cancelled(&self) -> bool;

    /// When the call must have ended, if it has a deadline.
    fn deadline(&self) -> Option<Instant>;

    /// Says that step `done` of `total` of `phase` is reached; free to ignore it.
    fn step(&self, phase: Phase, done: u64, total: u64);

    /// Stops the work with `?` when nobody waits any more.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] before [`Stop::TooLate`].
    fn check(&self) -> Result<(), Stop> {
        if self.cancelled() {
            return Err(Stop::Cancelled);
        }
        match self.deadline() {
            Some(at) if Instant::now() >= at => Err(Stop::TooLate),
            _ => Ok(()),
        }
    }
}

/// Work that nobody cancels, measures or limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn cancelled(&self) -> bool {
        false
    }
    fn deadline(&self) -> Option<Instant> {
        None
    }
    fn step(&self, _phase: Phase, _done: u64, _total: u64) {}
}
