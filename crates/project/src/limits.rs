//! Every number of the project server's contract, once.

/// Entries of `paths`.
pub const PATHS_MAX: usize = 256;
/// Scalars of one entry of `paths`.
pub const PATH_CHARS_MAX: usize = 4_096;
/// Globs in one array.
pub const GLOBS_MAX: usize = 256;
/// Scalars of one glob.
pub const GLOB_CHARS_MAX: usize = 512;
/// Scalars of a `git_scope`.
pub const GIT_SCOPE_CHARS_MAX: usize = 4_096;
/// Scalars of a search pattern.
pub const PATTERN_CHARS_MAX: usize = 4_096;
/// `max_depth`.
pub const DEPTH_MAX: u32 = 1_000;
/// Lines of a tree, the root line included.
pub const TREE_LINES_MAX: usize = 2_000;
/// Largest files listed by `analyze` when nothing is asked.
pub const TOP_FILES_DEFAULT: usize = 10;
/// Largest value of `top_files`.
pub const TOP_FILES_MAX: usize = 1_000;
/// Lines of context when nothing is asked.
pub const CONTEXT_LINES_DEFAULT: usize = 2;
/// Largest value of `context_lines`.
pub const CONTEXT_LINES_MAX: usize = 20;
/// Matching lines shown when nothing is asked.
pub const MAX_RESULTS_DEFAULT: usize = 50;
/// Largest value of `max_results`.
pub const MAX_RESULTS_MAX: usize = 200;
/// Characters of a search answer.
pub const SEARCH_CHARS_MAX: usize = 49_000;
/// Lines of one page of `get_file` and `read_pack`.
pub const PAGE_LINES_MAX: usize = 1_000;
/// Characters of one page, of an inline pack, and of a whole stored response.
pub const PAGE_CHARS_MAX: usize = 50_000;
/// Smallest value of `--page-chars`.
pub const PAGE_CHARS_MIN: usize = 4_000;
/// Characters of the tree preview of a stored pack.
pub const PREVIEW_CHARS_MAX: usize = 38_000;
/// Characters of the budget report of a stored pack.
pub const REPORT_CHARS_MAX: usize = 8_000;
/// Characters of the trusted notices of a stored pack.
pub const NOTICES_CHARS_MAX: usize = 2_000;
/// Skipped files that a budget report names.
pub const SKIPPED_LISTED_MAX: usize = 25;
/// Bytes that redaction inspects of one file; strictly larger files are withheld.
pub const INSPECT_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Bytes of one stored pack.
pub const PACK_BYTES_MAX: u64 = 200 * 1024 * 1024;
/// Bytes of all stored packs of one session.
pub const SESSION_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// Distinct remote sources of one session.
pub const REMOTES_MAX: usize = 16;
/// Seconds a whole call may take.
pub const CALL_SECONDS_MAX: u64 = 30;
/// Bytes of the per-user profile store.
pub const PROFILE_STORE_BYTES_MAX: u64 = 4 * 1024 * 1024;
