//! Every number of the evidence server's contract, once.

/// Bytes of one file; strictly larger files are listed and never read.
pub const FILE_BYTES_MAX: u64 = 256 * 1024;
/// Directory entries that one traversal looks at.
pub const ENTRIES_MAX: usize = 4_000;
/// Eligible files of one traversal.
pub const FILES_MAX: usize = 1_000;
/// Levels of a path; the names in the root itself have level 1.
pub const DEPTH_MAX: usize = 32;
/// Bytes after which a search begins no further file.
pub const SEARCH_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Seconds of one call, looked at between files and between chunks.
pub const CALL_SECONDS_MAX: u64 = 3;
/// Terms of one search, duplicates counted.
pub const TERMS_MAX: usize = 12;
/// Scalars of one term.
pub const TERM_CHARS_MAX: usize = 128;
/// Matching lines that one search collects.
pub const CANDIDATES_MAX: usize = 1_000;
/// Hits that one search returns.
pub const HITS_MAX: usize = 40;
/// UTF-16 code units of one snippet.
pub const SNIPPET_UTF16_MAX: usize = 500;
/// Lines of one `read_range`.
pub const READ_LINES_MAX: u64 = 500;
/// Bytes of all rows of one answer, as JSON with a separator each.
pub const ROWS_BYTES_MAX: usize = 14_000;
/// Bytes of the JSON of one answer; it stays below.
pub const ANSWER_BYTES_END: usize = 16_000;
/// Calls that run or wait; a further one is answered `EVD-BUSY`.
pub const QUEUE_MAX: usize = 16;
/// Bytes of one root ignore file; a larger one stops the start.
pub const IGNORE_FILE_BYTES_MAX: u64 = 256 * 1024;
/// Bytes that a path may have as JSON; longer ones, made of escapes, would fill an answer alone and are not listed.
pub const PATH_JSON_BYTES_MAX: usize = 8_192;
