//! The token budget of a pack: greedy first fit in file order, and the report about it (spec `project.md` 5.6).
//! It knows estimates and addresses, not contents.

use std::fmt::Write as _;

use crate::escape::push_visible;
use crate::limits::SKIPPED_LISTED_MAX;

/// A budget in estimated tokens, and what was admitted and skipped so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    max_tokens: u64,
    included: Group,
    skipped: Group,
    largest: Vec<Skipped>,
}

/// Files and the sum of their estimates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Files.
    pub files: u64,
    /// Estimated tokens.
    pub tokens: u64,
}

/// One of the largest skipped files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The address below the root.
    pub path: String,
    /// Estimated tokens.
    pub tokens: u64,
}

impl Budget {
    /// A budget of `max_tokens` from which nothing is taken yet.
    pub fn new(max_tokens: u64) -> Budget {
        Budget { max_tokens, included: Group::default(), skipped: Group::default(), largest: Vec::new() }
    }

    /// Decides about the next file in selection order: it is included when its estimate fits what is left.
    /// A file without text costs nothing (pass 0) and is always included.
    pub fn admit(&mut self, path: &str, tokens: u64) -> bool {
        let is_included = tokens <= self.max_tokens - self.included.tokens;
        let group = if is_included { &mut self.included } else { &mut self.skipped };
        group.files += 1;
        group.tokens = group.tokens.saturating_add(tokens);
        if !is_included {
            self.remember(path, tokens);
        }
        is_included
    }

    /// The budget, in estimated tokens.
    pub fn max_tokens(&self) -> u64 {
        self.max_tokens
    }

    /// What was admitted.
    pub fn included(&self) -> Group {
        self.included
    }

    /// What was skipped.
    pub fn skipped(&self) -> Group {
        self.skipped
    }

    /// At most 25 skipped files, by tokens descending, ties by address.
    pub fn largest_skipped(&self) -> &[Skipped] {
        &self.largest
    }

    /// Skipped files that [`Budget::largest_skipped`] does not list.
    pub fn additional_skipped(&self) -> u64 {
        self.skipped.files - self.largest.len() as u64
    }

    /// The report, without a final line end. It names files, so it is untrusted text.
    pub fn report(&self) -> String {
        let mut report = String::new();
        let _ = write!(report, "Token budget: {}.", estimated(self.max_tokens));
        for (word, group) in [("Included", self.included), ("Skipped", self.skipped)] {
            let plural = if group.files == 1 { "" } else { "s" };
            let _ = write!(report, "\n{word}: {} file{plural}, {}.", group.files, estimated(group.tokens));
        }
        if self.skipped.files == 0 {
            return report;
        }
        report.push_str("\nLargest skipped files:");
        for skipped in &self.largest {
            report.push_str("\n- ");
            push_visible(&skipped.path, &mut report);
            let _ = write!(report, ": {}", estimated(skipped.tokens));
        }
        if self.additional_skipped() > 0 {
            let _ = write!(report, "\nand {} more", self.additional_skipped());
        }
        report.push('\n');
        report.push_str(TIP);
        report
    }

    fn remember(&mut self, path: &str, tokens: u64) {
        let is_before = |other: &Skipped| {
            other.tokens > tokens || (other.tokens == tokens && other.path.as_str() <= path)
        };
        let at = self.largest.partition_point(is_before);
        if at < SKIPPED_LISTED_MAX {
            self.largest.truncate(SKIPPED_LISTED_MAX - 1);
            self.largest.insert(at, Skipped { path: path.to_owned(), tokens });
        }
    }
}

const TIP: &str = "Tip: to include more files, use detail=compact or detail=signatures, narrow paths or \
                   patterns, or raise max_tokens.";

fn estimated(tokens: u64) -> String {
    format!("{tokens} estimated token{}", if tokens == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests;
