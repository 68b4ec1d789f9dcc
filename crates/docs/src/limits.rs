//! Every ceiling of the docs server, once (spec C17). A manifest may lower those of [`Limits`] and raise none.

/// Bytes of the manifest.
pub const MANIFEST_BYTES_MAX: u64 = 256 * 1024;
/// Seconds of one tool call.
pub const CALL_SECONDS_MAX: u64 = 30;
/// Calls that run at the same time.
pub const CALLS_RUNNING_MAX: usize = 1;
/// Calls that wait behind them; a further one is answered `busy`.
pub const CALLS_WAITING_MAX: usize = 16;
/// Bytes of one request line.
pub const LINE_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Bytes of JSON that an answer aims to stay below; lists end early with a cursor.
pub const ANSWER_BYTES_AIM: usize = 48 * 1024;
/// Characters of JSON that no answer exceeds.
pub const ANSWER_CHARS_MAX: usize = 80_000;
/// Bytes of one rendered page or preview.
pub const PAGE_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Characters of a filter.
pub const FILTER_CHARS_MAX: usize = 4_096;
/// Tests of a filter.
pub const FILTER_TESTS_MAX: usize = 64;
/// Levels of parentheses and conditions in a filter.
pub const FILTER_NESTING_MAX: usize = 16;
/// Quantifiers inside each other.
pub const FILTER_QUANTIFIERS_MAX: usize = 3;
/// Edges that one evaluation of a filter visits.
pub const FILTER_EDGES_MAX: u64 = 5_000_000;
/// Characters of a search query.
pub const QUERY_CHARS_MAX: usize = 512;
/// Words, phrases and prefixes of a search query.
pub const QUERY_TERMS_MAX: usize = 24;
/// Bytes of the compiled form of one pattern of the manifest.
pub const PATTERN_PROGRAM_BYTES_MAX: usize = 1024 * 1024;
/// Characters of one pattern of the manifest.
pub const PATTERN_CHARS_MAX: usize = 256;

/// Bytes of an index file that is looked at.
pub const INDEX_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;

/// The ceilings that a project may lower in `[limits]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nodes of the project.
    pub max_nodes: usize,
    /// Source files of the project.
    pub max_files: usize,
    /// Bytes of one source file.
    pub max_file_bytes: u64,
    /// Bytes of all source files.
    pub max_total_bytes: u64,
    /// Levels of folders below the root.
    pub max_depth: usize,
    /// Bytes of one canonical body.
    pub max_body_bytes: usize,
    /// Fields of one node.
    pub max_fields_per_node: usize,
    /// Bytes of one field value.
    pub max_field_bytes: usize,
    /// Relations that one node states.
    pub max_relations_per_node: usize,
    /// Characters of a title.
    pub max_title_chars: usize,
    /// Operations of one changeset.
    pub max_changeset_ops: usize,
    /// Bytes of one changeset.
    pub max_changeset_bytes: u64,
    /// Open changesets of the project.
    pub max_open_changesets: usize,
}

impl Limits {
    /// The built-in ceilings.
    pub const CEILING: Limits = Limits {
        max_nodes: 200_000,
        max_files: 200_000,
        max_file_bytes: 4 * 1024 * 1024,
        max_total_bytes: 1024 * 1024 * 1024,
        max_depth: 32,
        max_body_bytes: 256 * 1024,
        max_fields_per_node: 64,
        max_field_bytes: 16 * 1024,
        max_relations_per_node: 2_000,
        max_title_chars: 300,
        max_changeset_ops: 200,
        max_changeset_bytes: 8 * 1024 * 1024,
        max_open_changesets: 100,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Limits::CEILING
    }
}
