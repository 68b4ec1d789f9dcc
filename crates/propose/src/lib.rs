//! Changesets: what an agent proposes to change in a project of documents, kept in a folder of its own, checked and
//! compared against the project as it is now. It knows no protocol; it cannot write a document, because it holds only
//! the two folders that are set aside for proposals and previews.

mod content;
mod entry;
mod faults;
mod fold;
mod id;
mod oplog;
mod roots;
mod store;

pub use content::{Content, Item, Relation};
pub use entry::{BaseMark, Entry, Place, Placement};
pub use faults::{Problem, ProposeFault, Retry};
pub use fold::{Effective, ItemChange, Kind, effective};
pub use id::ChangesetId;
pub use oplog::{BaseState, Header, Log, Operation};
pub use roots::{ConfinedRoots, RootsFault};
pub use store::{ChangesetState, KeptBase, Outcome, Store, Stored};
