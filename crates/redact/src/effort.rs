//! How much work one text may cost. It knows no rule; it counts bytes and looks at the watch.

use std::time::{Duration, Instant};

use fault::Watch;

use crate::finding::Uninspectable;

/// How long one text may be inspected (`project.md` 9.2).
const MAX_TIME: Duration = Duration::from_secs(5);
/// How many bytes of windows and values may be looked at again, besides eight times the text itself. The
/// count, unlike the clock, gives the same answer on every machine; it stands for less than a second.
const SPARE_BYTES: u64 = 128 << 20;
/// The clock and the watch are asked again after this many counted bytes.
const STRIDE_BYTES: u64 = 1 << 20;

/// The work spent on one text.
pub(crate) struct Effort<'a> {
    spent_bytes: u64,
    most_bytes: u64,
    ask_at: u64,
    since: Instant,
    watch: &'a dyn Watch,
}

impl<'a> Effort<'a> {
    pub(crate) fn new(text_bytes: usize, watch: &'a dyn Watch) -> Self {
        Effort {
            spent_bytes: 0,
            most_bytes: text_bytes as u64 * 8 + SPARE_BYTES,
            ask_at: STRIDE_BYTES,
            since: Instant::now(),
            watch,
        }
    }

    /// Counts work that looks at `bytes` more bytes.
    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), Uninspectable> {
        self.spent_bytes += bytes as u64;
        if self.spent_bytes < self.ask_at { Ok(()) } else { self.ask() }
    }

    /// The work counted so far.
    #[cfg(test)]
    pub(crate) fn spent_bytes(&self) -> u64 {
        self.spent_bytes
    }

    /// Asks the watch now.
    pub(crate) fn ask(&mut self) -> Result<(), Uninspectable> {
        self.ask_at = self.spent_bytes + STRIDE_BYTES;
        self.watch.check()?;
        if self.spent_bytes > self.most_bytes || self.since.elapsed() > MAX_TIME {
            return Err(Uninspectable::TooSlow);
        }
        Ok(())
    }
}
