//! The canonical writer: it puts a changeset into the documents of a project, closes it, or sets pins, on
//! the word of a person. It
//! knows no protocol and no terminal, and no server reaches it: `cli` alone depends on it, and a test over the dependency
//! graph holds that.

mod act;
mod close;
mod documents;
mod faults;
mod finish;
mod journal;
mod pins;
mod plan;
mod recover;
mod review;
mod swap;
mod workshop;

pub use act::{Applied, ApplyRequest, apply};
pub use close::{CloseRequest, Collected, close, collect};
pub use documents::{Documents, Due};
pub use faults::{ApplyFault, ApplyProblem};
pub use pins::{PinRequest, PinSet, Pinned, accept_pins};
pub use plan::{Plan, PlannedFile};
pub use recover::{Direction, Recovered, recover};
pub use review::{Review, fingerprint, review};
pub use workshop::Workshop;
