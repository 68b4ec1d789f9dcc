//! `context_search`: lines that hold literal terms, scored, in one order, within bounds. Reading and matching run on a
//! few threads; counting happens in the order of the inventory, so no answer hangs on threads.

use std::sync::Arc;

use fault::{Failure, Stop, Watch};

use crate::clock::CallTime;
use crate::inventory::{InventoryFile, Scan};
use crate::ledger::{Ledger, Reason, Skip, Skipped};
use crate::limits::{
    CANDIDATES_MAX, FILE_BYTES_MAX, HITS_MAX, ROWS_BYTES_MAX, SEARCH_BYTES_MAX, TERM_CHARS_MAX, TERMS_MAX,
};
use crate::policy::Denied;
use crate::session::Evidence;
use crate::shown::{NoText, Shown};
use crate::terms::{Found, Terms};
use crate::{document, faults, snippet};

/// One matching line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The path below the root.
    pub path: String,
    /// From 1.
    pub line: u64,
    /// Distinct terms in the line.
    pub score: usize,
    /// The line, or the part of it around the first match.
    pub snippet: String,
    /// Whether the line is longer than the snippet.
    pub clipped: bool,
    /// Placeholders in the snippet.
    pub redacted: usize,
}

/// The answer of `context_search`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The hits, the best first.
    pub hits: Vec<Hit>,
    /// Why there may be more; empty proves that there is no more in the eligible files.
    pub reasons: Vec<Reason>,
    /// Files that were matched against.
    pub searched_files: u64,
    /// Their bytes.
    pub searched_bytes: u64,
    /// What was passed over.
    pub skipped: Skipped,
    /// Matching lines that were collected.
    pub candidates: usize,
}

/// What one file gave.
struct Look {
    read_bytes: u64,
    outcome: Result<(Arc<Shown>, Vec<Found>), NoText>,
}

/// A matching line of the file with this number.
struct Candidate {
    file: usize,
    shown: Arc<Shown>,
    found: Found,
}

/// Why no further file is looked at.
enum Halt {
    /// A bound was reached; the ledger says which.
    Bound,
    Cancelled,
}

impl Evidence {
    /// Searches the eligible files, redacted unless this server is exact, for lines that hold one of the terms.
    ///
    /// # Errors
    /// `EVD-INVALID-ARGUMENTS` for terms out of their bounds; [`Failure::Cancelled`].
    pub fn search(&self, terms: &[String], watch: &dyn Watch) -> Result<Search, Failure> {
        let is_term = |term: &String| {
            !term.is_empty() && !term.contains(['\n', '\r']) && term.chars().nth(TERM_CHARS_MAX).is_none()
        };
        if terms.is_empty() || terms.len() > TERMS_MAX || !terms.iter().all(is_term) {
            return Err(faults::terms().into());
        }
        let terms = Terms::new(terms).ok_or_else(faults::terms)?;
        let time = CallTime::begin(watch, self.clock());
        let Scan { files, ledger } = self.scan(&time).map_err(faults::stopped)?;
        let mut count =
            Count { files: &files, ledger, read_bytes: 0, searched: (0, 0), candidates: Vec::new() };
        match self.look_through(&files, &terms, &time, &mut count) {
            Ok(()) | Err(Halt::Bound) => Ok(count.answer()),
            Err(Halt::Cancelled) => Err(Failure::Cancelled),
        }
    }

    fn look_through(
        &self,
        files: &[InventoryFile],
        terms: &Terms,
        time: &CallTime<'_>,
        count: &mut Count<'_>,
    ) -> Result<(), Halt> {
        let mut next = 0;
        while next < files.len() {
            // Nothing is read ahead of what the sizes say will be counted.
            let end = next + within(&files[next..], SEARCH_BYTES_MAX.saturating_sub(count.read_bytes));
            let work = |at: usize| self.look(&files[next + at], terms, time);
            content::in_order(end - next, work, Look::weigh, |at, look| count.take(next + at, look, time))?;
            next = end;
        }
        Ok(())
    }

    fn look(&self, file: &InventoryFile, terms: &Terms, watch: &dyn Watch) -> Look {
        if let Err(stop) = watch.check() {
            return Look { read_bytes: 0, outcome: Err(NoText::Stopped(stop)) };
        }
        let read = self.reader().read(self.root(), &file.path, watch);
        let outcome = read.outcome.map(|shown| {
            let found = terms.lines(shown.text(), shown.inserted(), CANDIDATES_MAX);
            (shown, found)
        });
        Look { read_bytes: read.bytes, outcome }
    }
}

/// How many of `files` are read before `room` bytes are reached, as their sizes say; at least one.
fn within(files: &[InventoryFile], room: u64) -> usize {
    let mut bytes = 0;
    let mut count = 0;
    for file in files {
        if count > 0 && bytes >= room {
            break;
        }
        count += 1;
        if file.bytes <= FILE_BYTES_MAX {
            bytes += file.bytes;
        }
    }
    count
}

impl Look {
    /// What keeping it costs, in bytes.
    fn weigh(&self) -> usize {
        let found = self.outcome.as_ref().map_or(0, |(_, found)| found.len() * size_of::<Found>());
        usize::try_from(self.read_bytes).unwrap_or(usize::MAX).saturating_add(found)
    }
}

/// What is counted, file by file.
struct Count<'a> {
    files: &'a [InventoryFile],
    ledger: Ledger,
    read_bytes: u64,
    searched: (u64, u64),
    candidates: Vec<Candidate>,
}

impl Count<'_> {
    fn halt(&mut self, reason: Reason) -> Result<(), Halt> {
        self.ledger.note(reason);
        Err(Halt::Bound)
    }

    fn take(&mut self, file: usize, look: Look, watch: &dyn Watch) -> Result<(), Halt> {
        if watch.cancelled() {
            return Err(Halt::Cancelled);
        }
        if self.candidates.len() == CANDIDATES_MAX {
            return self.halt(Reason::CandidateLimit);
        }
        if self.read_bytes >= SEARCH_BYTES_MAX {
            return self.halt(Reason::ContentLimit);
        }
        self.read_bytes += look.read_bytes;
        let (shown, found) = match look.outcome {
            Ok(outcome) => outcome,
            Err(NoText::Stopped(Stop::Cancelled)) => return Err(Halt::Cancelled),
            Err(NoText::Stopped(Stop::TooLate)) => return self.halt(Reason::TimeLimit),
            Err(no_text) => {
                self.ledger.skipped.count(skip_of(no_text));
                return Ok(());
            }
        };
        self.searched.0 += 1;
        self.searched.1 += look.read_bytes;
        for found in found {
            let is_last = found.is_last;
            self.candidates.push(Candidate { file, shown: Arc::clone(&shown), found });
            if self.candidates.len() == CANDIDATES_MAX && !is_last {
                return self.halt(Reason::CandidateLimit);
            }
        }
        Ok(())
    }

    fn answer(mut self) -> Search {
        let candidates = self.candidates.len();
        // Files stand in the order of their paths.
        self.candidates.sort_by_key(|candidate| {
            (std::cmp::Reverse(candidate.found.score), candidate.file, candidate.found.line)
        });
        if candidates > HITS_MAX {
            self.ledger.note(Reason::HitLimit);
        }
        let mut hits = Vec::new();
        let mut bytes = 0;
        for candidate in self.candidates.iter().take(HITS_MAX) {
            let hit = candidate.hit(&self.files[candidate.file].path);
            bytes += document::hit(&hit).len() + 1;
            if bytes > ROWS_BYTES_MAX {
                self.ledger.note(Reason::OutputLimit);
                break;
            }
            hits.push(hit);
        }
        Search {
            hits,
            reasons: self.ledger.reasons(),
            searched_files: self.searched.0,
            searched_bytes: self.searched.1,
            skipped: self.ledger.skipped,
            candidates,
        }
    }
}

impl Candidate {
    fn hit(&self, path: &str) -> Hit {
        let line = &self.found.range;
        let text = &self.shown.text()[line.clone()];
        let first = self.found.first.start - line.start..self.found.first.end - line.start;
        let cut = snippet::around(text, &first);
        let in_text = line.start + cut.start..line.start + cut.end;
        Hit {
            path: path.to_owned(),
            line: self.found.line,
            score: self.found.score,
            snippet: text[cut.clone()].to_owned(),
            clipped: cut.len() < text.len(),
            redacted: self.shown.inserted_in(&in_text).len(),
        }
    }
}

fn skip_of(no_text: NoText) -> Skip {
    match no_text {
        NoText::TooLarge(_) => Skip::TooLarge,
        NoText::Binary => Skip::Binary,
        NoText::NotUtf8 => Skip::NotUtf8,
        NoText::Denied(Denied::MultiLink) => Skip::MultiLink,
        NoText::Denied(Denied::Link) => Skip::Link,
        NoText::Denied(Denied::Special) => Skip::Special,
        // It was there, and a file, when the folder was listed.
        NoText::Changed | NoText::NotFound | NoText::Denied(_) => Skip::Changed,
        NoText::Unreadable | NoText::Stopped(_) => Skip::Unreadable,
        NoText::Uninspected => Skip::Uninspected,
    }
}

#[cfg(test)]
mod tests;
