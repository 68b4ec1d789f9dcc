//! What a caller may ask of each tool, already read and typed. It does not know how a request arrived
//! (protocol or command line) and checks nothing: the tools do.

use crate::limits;

/// Which project a request concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// A root's path or a repository URL; may be absent with exactly one root.
    pub project: Option<String>,
    /// A branch of a remote project; only valid with a URL.
    pub branch: Option<String>,
}

/// How a request narrows the effective selection. Nothing here can widen it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// Globs of which one must match, when there are any.
    pub include_patterns: Vec<String>,
    /// Globs of which none may match.
    pub exclude_patterns: Vec<String>,
    /// Existing files or folders; empty means everything.
    pub paths: Vec<String>,
    /// Only files in the Git index.
    pub tracked_only: bool,
    /// `staged`, `changes` or `diff:A..B`.
    pub git_scope: Option<String>,
    /// Files strictly larger than this are left out, in bytes.
    pub max_file_bytes: Option<u64>,
}

/// The Git baseline of a server or a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GitMode {
    /// No Git rule hides anything.
    None,
    /// Ignore files hide what they name; the default.
    #[default]
    Ignore,
    /// Only what is in the index is seen.
    Tracked,
}

impl GitMode {
    /// The canonical token.
    pub const fn as_str(self) -> &'static str {
        match self {
            GitMode::None => "none",
            GitMode::Ignore => "gitignore",
            GitMode::Tracked => "tracked",
        }
    }

    /// Reads a canonical token. `off`, an alias for `none` on the command line, is not one.
    pub fn parse(token: &str) -> Option<GitMode> {
        [GitMode::None, GitMode::Ignore, GitMode::Tracked].into_iter().find(|mode| mode.as_str() == token)
    }
}

/// The requested reduction of content (contract, "Detail Levels").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Nothing is reduced.
    #[default]
    Full,
    /// Comments and blank lines go.
    Compact,
    /// Bodies go as well.
    Signatures,
}

impl Detail {
    /// The token on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Detail::Full => "full",
            Detail::Compact => "compact",
            Detail::Signatures => "signatures",
        }
    }

    /// What this level takes out of content.
    pub const fn wanted(self) -> reduce::Wanted {
        match self {
            Detail::Full => reduce::Tier::Full.wanted(),
            Detail::Compact => reduce::Tier::Compact.wanted(),
            Detail::Signatures => reduce::Tier::Signatures.wanted(),
        }
    }
}

impl Detail {
    /// Names of the languages whose files are reduced; every other file stays whole.
    pub fn languages() -> impl Iterator<Item = &'static str> {
        reduce::languages().iter().map(|language| language.name)
    }
}

impl From<reduce::Tier> for Detail {
    fn from(tier: reduce::Tier) -> Self {
        match tier {
            reduce::Tier::Full => Detail::Full,
            reduce::Tier::Compact => Detail::Compact,
            reduce::Tier::Signatures => Detail::Signatures,
        }
    }
}

/// A rendering of the tree alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreeFormat {
    /// Nested list; the compact default.
    #[default]
    Markdown,
    /// Box-drawing connectors.
    Text,
    /// Nested objects and arrays.
    Json,
    /// Elements `t`, `d`, `f`.
    Xml,
}

/// A rendering of a pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PackFormat {
    /// Headings and fenced blocks; the default.
    #[default]
    Markdown,
    /// Plain headings.
    Text,
    /// One JSON document.
    Json,
    /// One XML document.
    Xml,
}

/// What a pack holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The tree and the content.
    #[default]
    TreeContent,
    /// The tree alone; no file is read.
    Tree,
    /// The content alone.
    Content,
}

/// `get_tree`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeRequest {
    /// The project.
    pub target: Target,
    /// The narrowing; `paths` stays empty.
    pub narrowing: Narrowing,
    /// Levels below the root; absent means all. 0 to 1,000.
    pub max_depth: Option<u32>,
    /// The rendering.
    pub format: TreeFormat,
}

/// `analyze`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalyzeRequest {
    /// The project.
    pub target: Target,
    /// The narrowing.
    pub narrowing: Narrowing,
    /// A profile: `standard`, `local` or a path.
    pub profile: Option<String>,
    /// The requested reduction.
    pub detail: Detail,
    /// How many of the largest files are listed, 1 to 1,000.
    pub top_files: usize,
}

impl Default for AnalyzeRequest {
    fn default() -> Self {
        AnalyzeRequest {
            target: Target::default(),
            narrowing: Narrowing::default(),
            profile: None,
            detail: Detail::Full,
            top_files: limits::TOP_FILES_DEFAULT,
        }
    }
}

/// `pack_context`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackRequest {
    /// The project.
    pub target: Target,
    /// The narrowing.
    pub narrowing: Narrowing,
    /// A profile: `standard`, `local` or a path.
    pub profile: Option<String>,
    /// The requested reduction.
    pub detail: Detail,
    /// The budget in estimated tokens; absent means unlimited.
    pub max_tokens: Option<u64>,
    /// What the pack holds.
    pub view: View,
    /// The rendering.
    pub format: PackFormat,
}

/// `read_pack`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadPackRequest {
    /// The id that `pack_context` gave.
    pub pack_id: String,
    /// The first line, from 1.
    pub start_line: Option<u64>,
    /// The last line, inclusive.
    pub end_line: Option<u64>,
}

/// `search_project`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest {
    /// The project.
    pub target: Target,
    /// The narrowing; `paths` stays empty.
    pub narrowing: Narrowing,
    /// The regular expression, at most 4,096 scalars.
    pub pattern: String,
    /// Lines of context on each side, 0 to 20.
    pub context_lines: usize,
    /// Whether letters match without regard to case.
    pub ignore_case: bool,
    /// How many matching lines are shown, 1 to 200.
    pub max_results: usize,
}

impl Default for SearchRequest {
    fn default() -> Self {
        SearchRequest {
            target: Target::default(),
            narrowing: Narrowing::default(),
            pattern: String::new(),
            context_lines: limits::CONTEXT_LINES_DEFAULT,
            ignore_case: true,
            max_results: limits::MAX_RESULTS_DEFAULT,
        }
    }
}

/// `get_file`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRequest {
    /// The project.
    pub target: Target,
    /// The file, relative to the root or absolute inside it.
    pub path: String,
    /// The first line, from 1.
    pub start_line: Option<u64>,
    /// The last line, inclusive.
    pub end_line: Option<u64>,
}
