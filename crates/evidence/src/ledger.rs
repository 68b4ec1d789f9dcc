//! The account of what was not looked at: why an answer is incomplete, and how many files were passed over for which
//! reason. It knows neither files nor answers.

use std::collections::{BTreeMap, BTreeSet};

/// Why an answer is incomplete, in the order in which reasons are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// There are more directory entries than a traversal looks at.
    EntryLimit,
    /// There are more eligible files.
    FileLimit,
    /// A folder lies too deep.
    DepthLimit,
    /// The time of the call was over.
    TimeLimit,
    /// Files were left because enough bytes had been read.
    ContentLimit,
    /// Text was left because enough matching lines were found.
    CandidateLimit,
    /// More lines match than are returned.
    HitLimit,
    /// Rows were left out for their bytes.
    OutputLimit,
    /// Files that could hold something were passed over; the counts say why.
    FilesSkipped,
    /// A folder could not be listed.
    DirectoryUnreadable,
}

impl Reason {
    /// The code in an answer.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::EntryLimit => "entry_limit",
            Reason::FileLimit => "file_limit",
            Reason::DepthLimit => "depth_limit",
            Reason::TimeLimit => "time_limit",
            Reason::ContentLimit => "content_limit",
            Reason::CandidateLimit => "candidate_limit",
            Reason::HitLimit => "hit_limit",
            Reason::OutputLimit => "output_limit",
            Reason::FilesSkipped => "files_skipped",
            Reason::DirectoryUnreadable => "directory_unreadable",
        }
    }
}

/// Why a file was passed over, in the order in which counts are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    /// It has more than 256 KiB.
    TooLarge,
    /// It holds a NUL.
    Binary,
    /// It is not UTF-8.
    NotUtf8,
    /// It has several names.
    MultiLink,
    /// It is a pipe, a socket or a device.
    Special,
    /// The system did not let it be read.
    Unreadable,
    /// It was written, replaced or removed while it was looked at.
    Changed,
    /// The search for secrets in it did not come to an end.
    Uninspected,
    /// It is a symbolic link.
    Link,
    /// Its name is not UTF-8, or one that no path argument can have.
    Name,
}

impl Skip {
    /// The key in an answer.
    pub const fn as_str(self) -> &'static str {
        match self {
            Skip::TooLarge => "tooLarge",
            Skip::Binary => "binary",
            Skip::NotUtf8 => "notUtf8",
            Skip::MultiLink => "multiLink",
            Skip::Special => "special",
            Skip::Unreadable => "unreadable",
            Skip::Changed => "changed",
            Skip::Uninspected => "uninspected",
            Skip::Link => "link",
            Skip::Name => "name",
        }
    }

    /// Whether the file could have held something that an answer should show.
    const fn leaves_a_gap(self) -> bool {
        !matches!(self, Skip::Binary | Skip::Special | Skip::Link | Skip::Name)
    }
}

/// How many files were passed over, by reason; only reasons that occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped(BTreeMap<Skip, u64>);

impl Skipped {
    pub(crate) fn count(&mut self, skip: Skip) {
        *self.0.entry(skip).or_default() += 1;
    }

    /// The counts in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Skip, u64)> {
        self.0.iter().map(|(skip, count)| (*skip, *count))
    }
}

/// Reasons and counts of one call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    reasons: BTreeSet<Reason>,
    pub(crate) skipped: Skipped,
}

impl Ledger {
    pub(crate) fn note(&mut self, reason: Reason) {
        self.reasons.insert(reason);
    }

    /// The reasons in their order, each once.
    pub(crate) fn reasons(&self) -> Vec<Reason> {
        let mut reasons = self.reasons.clone();
        if self.skipped.iter().any(|(skip, _)| skip.leaves_a_gap()) {
            reasons.insert(Reason::FilesSkipped);
        }
        reasons.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_told_once_and_in_order() {
        let mut ledger = Ledger::default();
        for reason in [Reason::DirectoryUnreadable, Reason::HitLimit, Reason::EntryLimit, Reason::HitLimit] {
            ledger.note(reason);
        }
        ledger.skipped.count(Skip::Changed);
        let said: Vec<&str> = ledger.reasons().into_iter().map(Reason::as_str).collect();
        assert_eq!(said, ["entry_limit", "hit_limit", "files_skipped", "directory_unreadable"]);
    }

    #[test]
    fn files_without_text_and_names_that_nobody_can_ask_for_leave_no_gap() {
        for (skip, gap) in [
            (Skip::TooLarge, true),
            (Skip::Binary, false),
            (Skip::NotUtf8, true),
            (Skip::MultiLink, true),
            (Skip::Special, false),
            (Skip::Unreadable, true),
            (Skip::Changed, true),
            (Skip::Uninspected, true),
            (Skip::Link, false),
            (Skip::Name, false),
        ] {
            let mut ledger = Ledger::default();
            ledger.skipped.count(skip);
            assert_eq!(!ledger.reasons().is_empty(), gap, "{skip:?}");
        }
    }
}
