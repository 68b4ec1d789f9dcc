//! Changesets: what an agent proposes to change in a project of documents, kept in a folder of its own, checked and
//! compared against the project as it is now. It knows no protocol; it cannot write a document, because it holds only
//! the two folders that are set aside for proposals and previews.

mod case;
mod check;
mod clock;
mod content;
mod diff;
mod draft;
mod entry;
mod faults;
mod finding;
mod fold;
mod id;
mod list;
mod oplog;
mod overlap;
mod overlay;
mod place;
mod policy;
mod preview;
mod proposal;
mod rights;
mod roots;
mod standing;
mod store;
mod validate;

pub use case::{Case, Desk, Render, RenderProblem};
pub use clock::utc;
pub use content::{Content, Item, Relation};
pub use diff::{NodeDiff, semantic, unified};
pub use draft::{BodyEdit, Edit, LinkDraft, NodeDraft};
pub use entry::{BaseMark, Entry, Place, Placement};
pub use faults::{Problem, ProposeFault};
pub use finding::{CheckCode, CheckState, Finding};
pub use fold::{Effective, ItemChange, Kind, effective};
pub use id::ChangesetId;
pub use list::{BaseSummary, ListRequest, Summary, list};
pub use oplog::{BaseState, Header, Log, Operation};
pub use overlap::{Entries, Meeting, Overlap, others, overlaps};
pub use overlay::{FileChange, Overlay, OverlayFault};
pub use policy::{
    ChangesetView, Narrow, OpView, ProposalPolicy, ProposalValidator, ReasonCode, StartupWriter, WriterRules,
};
pub use preview::{Mark, Preview, PreviewNotes, RenderPreview, preview};
pub use proposal::{
    Accepted, ChangesetRequest, Ticket, UpdateRequest, create_changeset, propose_create, propose_delete,
    propose_move, propose_update,
};
pub use roots::{ConfinedRoots, RootsFault};
pub use standing::{EntryState, ItemConflict, Standing, standing};
pub use store::{ChangesetState, KeptBase, Outcome, Store, Stored};
pub use validate::{EntryReport, Validation, Verdict, judge, validate};
