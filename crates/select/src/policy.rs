//! What a selection is asked for: the baseline that a surface fixes and the narrowing of one request. Values
//! only; it decides nothing.

use std::fmt;
use std::sync::Arc;

use disk::{RelPath, Root};

use crate::globs::Globs;
use crate::paths::PathSet;
use crate::toggles::Toggles;

/// How Git takes part (spec `project.md` 7.1, 7.2).
#[derive(Clone, Debug, Default)]
pub enum GitRules {
    /// Not at all; `.git`, `.hg` and `.svn` stay hidden.
    None,
    /// `.gitignore` files and `info/exclude` hide what git would hide. The index is not asked, so a tracked file
    /// that a rule matches is hidden too.
    #[default]
    Ignore,
    /// Only these files are seen, whatever the ignore rules say.
    Tracked(Arc<PathSet>),
}

/// What a repository brings along besides the `.gitignore` files that lie below the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoRules {
    /// The bytes of `info/exclude`.
    pub exclude: Option<Vec<u8>>,
    /// `core.ignoreCase`.
    pub ignore_case: bool,
    /// From the top folder of the repository down to the folder that is asked about: the root of the selection,
    /// or a nested repository, for which it is empty.
    pub prefix: RelPath,
    /// The `.gitignore` files above that folder: where each one's folder lies below the top, and its bytes.
    pub ancestors: Vec<(RelPath, Vec<u8>)>,
    /// How many of these files exist but could not be read or are no regular files. Any of them hides everything.
    pub unreadable: usize,
}

impl Default for RepoRules {
    fn default() -> Self {
        RepoRules {
            exclude: None,
            ignore_case: false,
            prefix: RelPath::root(),
            ancestors: Vec::new(),
            unreadable: 0,
        }
    }
}

/// What a folder with a `.git` entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nested {
    /// An ordinary folder.
    NotARepository,
    /// A repository that the owning one does not declare. Below another repository it is not entered; elsewhere
    /// it follows these rules of its own.
    Undeclared(RepoRules),
    /// An initialised submodule of the owning repository; it follows these rules of its own.
    Declared(RepoRules),
}

/// What the Git door knows of nested repositories; asked only about folders below the root that hold an entry
/// named `.git`.
pub trait Repositories: Send + Sync {
    /// What `dir` is. `owner` is the top folder of the repository that owns it, as far as it lies below the root
    /// (the root itself when the top lies at or above it), and absent when no repository does.
    fn at(&self, root: &Root, owner: Option<&RelPath>, dir: &RelPath) -> Nested;
}

/// Knows no repository: every folder is an ordinary one.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRepositories;

impl Repositories for NoRepositories {
    fn at(&self, _root: &Root, _owner: Option<&RelPath>, _dir: &RelPath) -> Nested {
        Nested::NotARepository
    }
}

/// The baseline: everything that a request cannot widen.
#[derive(Clone)]
pub struct Policy {
    /// How Git takes part.
    pub git: GitRules,
    /// The exclusion toggles.
    pub toggles: Toggles,
    /// The names of the top-level folders that are seen; absent means all. Files at the root stay.
    pub roots: Option<Vec<String>>,
    /// The extensions that are seen, with or without their dot, in any case; absent means all. Files without an
    /// extension stay.
    pub extensions: Option<Vec<String>>,
    /// The files and folders that are seen; empty means all.
    pub selected_paths: Vec<RelPath>,
    /// The repository at or above the root.
    pub repository: Option<RepoRules>,
    /// What is known of nested repositories.
    pub nested: Arc<dyn Repositories>,
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policy")
            .field("git", &self.git)
            .field("toggles", &self.toggles.tokens())
            .field("roots", &self.roots)
            .field("extensions", &self.extensions)
            .field("selected_paths", &self.selected_paths)
            .field("repository", &self.repository)
            .finish_non_exhaustive()
    }
}

impl Default for Policy {
    /// What holds when no profile is named (decision 1): ignore rules, `smart-ignore`, `empty-folders`.
    fn default() -> Self {
        Policy {
            git: GitRules::default(),
            toggles: Toggles::baseline(),
            roots: None,
            extensions: None,
            selected_paths: Vec::new(),
            repository: None,
            nested: Arc::new(NoRepositories),
        }
    }
}

/// The narrowing of one request. The default narrows nothing.
#[derive(Clone, Debug, Default)]
pub struct Narrow {
    /// When there are any, one must match.
    pub include: Globs,
    /// None may match.
    pub exclude: Globs,
    /// Existing files and folders with every link resolved; a folder stands for its whole subtree. Empty means
    /// everything.
    pub paths: Vec<RelPath>,
    /// The files of a Git scope.
    pub members: Option<Arc<PathSet>>,
    /// Files strictly larger than this many bytes are left out.
    pub max_file_bytes: Option<u64>,
}

impl Narrow {
    /// Whether nothing is narrowed.
    pub fn is_none(&self) -> bool {
        self.include.is_empty()
            && self.exclude.is_empty()
            && self.paths.is_empty()
            && self.members.is_none()
            && self.max_file_bytes.is_none()
    }
}
