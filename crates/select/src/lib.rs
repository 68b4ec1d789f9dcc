//! Which files are wanted: ignore rules, built-in rules, toggles, globs and Git state put together into one ordered
//! selection. It reads names, sizes and ignore files through `disk`; it starts no Git, reads no content, and knows
//! neither a tool nor a wire.

mod builtin;
mod descent;
mod globs;
mod ignore;
mod paths;
mod policy;
mod repository;
mod root_rules;
mod selection;
mod toggles;
mod wild;

pub use globs::{
    ALTERNATIVES_MAX, ARRAY_ALTERNATIVES_MAX, GLOB_CHARS_MAX, GLOBS_MAX, GlobFault, GlobReason, Globs,
};
pub use ignore::{
    IGNORE_CALL_BYTES_MAX, IGNORE_CALL_PATTERNS_MAX, IGNORE_FILE_BYTES_MAX, IGNORE_FILE_PATTERNS_MAX,
    IGNORE_PATTERN_BYTES_MAX,
};
pub use paths::PathSet;
pub use policy::{GitRules, Narrow, Nested, NoRepositories, Policy, RepoRules, Repositories};
pub use root_rules::{RootEffort, RootRules, RulesOverCap, RulesTooCostly};
pub use selection::{
    DEPTH_MAX, ENTRIES_MAX, Partial, SelectFault, SelectedFile, Selection, Sizes, is_selected, select,
    select_one,
};
pub use toggles::{Toggle, Toggles, UnknownToggle};
