//! What each tool answers, before any face wraps it: documents, pages, metrics and trailers.
//! It knows neither JSON-RPC nor a terminal.

use std::path::PathBuf;

use crate::request::Detail;

/// One pinned root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectEntry {
    /// The physical path.
    pub path: PathBuf,
    /// The last segment.
    pub name: String,
    /// Whether a Git boundary exists at or above the root.
    pub is_git: bool,
    /// Whether a local profile is saved for it.
    pub has_local_profile: bool,
}

/// A payload of project text with what must be said after it. Trailers are trusted, one per line, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Payload {
    /// The document, page or tree: untrusted project content, already redacted.
    pub text: String,
    /// Trusted trailers such as `[Showing lines ...]`, warnings excluded.
    pub trailers: Vec<String>,
}

/// What `analyze` measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Selected files, binaries included.
    pub files: u64,
    /// Characters (Unicode scalars) of the transformed text files.
    pub characters: u64,
    /// Estimated tokens, rounded up per file.
    pub tokens: u64,
    /// The effective tier.
    pub detail: Detail,
    /// The largest files by tokens, ties by path.
    pub top_files: Vec<TopFile>,
    /// How many selected files could not be inspected.
    pub uninspected: u64,
}

/// One of the largest files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopFile {
    /// The address below the root.
    pub path: String,
    /// Estimated tokens.
    pub tokens: u64,
    /// Whether the figure is estimated from the size because the file could not be inspected.
    pub uninspected: bool,
}

/// What `pack_context` made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackAnswer {
    /// The whole document, with the budget report when a budget was given.
    Inline {
        /// The document: untrusted.
        document: String,
        /// The report: untrusted, because it names files.
        report: Option<String>,
        /// Selected files whose content was withheld.
        uninspected: u64,
    },
    /// The document is in the session's store.
    Stored {
        /// The id for `read_pack`.
        id: String,
        /// Characters of the stored document.
        characters: u64,
        /// Lines of the stored document, as `read_pack` counts them.
        lines: u64,
        /// The text tree, perhaps cut: untrusted.
        preview: String,
        /// Whether it was cut; the stored document never is.
        is_preview_cut: bool,
        /// The report, perhaps cut to its share: untrusted.
        report: Option<String>,
        /// Whether it was cut.
        is_report_cut: bool,
        /// Selected files whose content was withheld.
        uninspected: u64,
    },
}

/// What a pack written by the command line holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackSummary {
    /// Files in the document.
    pub files: u64,
    /// Characters of their transformed bodies.
    pub characters: u64,
    /// Estimated tokens, rounded up per file.
    pub tokens: u64,
    /// Selected files whose content was withheld.
    pub uninspected: u64,
    /// Distinct redacted values by rule.
    pub redactions: Vec<(&'static str, usize)>,
    /// The budget report, when there was a budget: it names files.
    pub report: Option<String>,
}
