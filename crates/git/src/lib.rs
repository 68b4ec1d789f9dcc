//! What a repository says, without running anything in it: where it begins, which rules it declares, and how
//! remote addresses are told from local ones. It knows no tool and chooses no file.

#![expect(
    clippy::disallowed_methods,
    reason = "git is one of the doors that the disallowed methods point to"
)]

mod address;
mod cache_index;
mod cage;
mod checkout;
mod config;
mod index;
mod refs;
mod remote_url;
mod repository;
mod run;
mod scope;
mod shadow;
mod tracked;

pub use address::{looks_remote, names_a_host, safe_display};
pub use cache_index::{CacheEntry, Cleaned, cached, clean, prepare, tidy};
pub use checkout::{Checkout, CheckoutFault, CheckoutLimits, Lease, Wanted, acquire, fetch_revisions};
pub use index::IndexFault;
pub use remote_url::{RemoteUrl, Transport, UrlFault, is_branch_name};
pub use repository::{AncestorRules, Repository, Rules, RulesAt, SubmoduleRules, has_boundary, rules_at};
pub use run::GitProgram;
pub use scope::{Scope, ScopeFault, Scoped, is_revision, scoped};
pub use tracked::{Tracked, TrackedFault, tracked};
