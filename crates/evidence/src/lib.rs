//! Bounded source evidence: literal search, exact lines and eligible names below one root, each answer with the
//! account of what was not looked at. It knows no protocol and no terminal; its answers are values, and
//! [`document`] is the one place that says how they are written.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make the files that they look at"))]

mod clock;
mod context;
pub mod document;
mod faults;
mod inventory;
mod ledger;
pub mod limits;
mod order;
mod policy;
mod range;
mod session;
mod shown;
mod snippet;
mod terms;
#[cfg(test)]
mod trial;

pub use context::{Hit, Search};
pub use faults::{busy, is_retryable, range as range_fault, terms as terms_fault};
pub use inventory::{Inventory, InventoryFile};
pub use ledger::{Reason, Skip, Skipped};
pub use range::{Line, Page, RangeRequest};
pub use session::{Evidence, Options, StartFault};
