//! What a repository says, without running anything in it: where it begins, which rules it declares, and how
//! remote addresses are told from local ones. It knows no tool and chooses no file.

#![expect(
    clippy::disallowed_methods,
    reason = "git is one of the doors that the disallowed methods point to"
)]

mod address;
mod config;
mod repository;

pub use address::{looks_remote, names_a_host, safe_display};
pub use repository::{AncestorRules, Repository, Rules, RulesAt, SubmoduleRules, rules_at};
