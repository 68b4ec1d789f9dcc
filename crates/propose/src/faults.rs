//! Why a proposal tool gives no answer: a code of spec C16 and what a caller may know. Free text of documents and of
//! agents stands apart, so that it can be kept under `doc`.

use disk::ConfinedFault;
use fault::Retry;
use serde_json::{Map, Value};

/// Declares the problems with their codes.
macro_rules! problems {
    ($($name:ident = $wire:literal, $retry:ident, $meaning:literal;)*) => {
        /// What kind of problem it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Problem {
            $(#[doc = $meaning] $name,)*
        }

        impl Problem {
            /// Every problem.
            pub const ALL: &[Problem] = &[$(Problem::$name,)*];

            /// The code on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Problem::$name => $wire,)* }
            }

            /// What it says, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Problem::$name => $meaning,)* }
            }

            /// What a caller can do next.
            pub const fn retry(self) -> Retry {
                match self { $(Problem::$name => Retry::$retry,)* }
            }
        }
    };
}

problems! {
    AccessDisabled = "proposal_access_disabled", No, "The server was started without a writer.";
    OperationDenied = "writer_operation_denied", OtherArguments, "The writer may not do this kind of operation.";
    ScopeDenied = "writer_scope_denied", OtherArguments, "The writer may not touch this node, type, source or path.";
    FieldDenied = "writer_field_denied", OtherArguments, "The writer may not touch this field or relation.";
    PolicyChanged = "writer_policy_changed", No, "The permissions of the writer are not those that the changeset was made under.";
    PolicyDenied = "policy_denied", OtherArguments, "The policy of the integration denies the operation.";
    ValidatorDenied = "validator_denied", OtherArguments, "A validator of the integration denies the operation.";
    ForeignWriter = "changeset_foreign_writer", OtherArguments, "Another writer made the changeset.";
    ChangesetNotFound = "changeset_not_found", OtherArguments, "There is no changeset of this id.";
    ChangesetClosed = "changeset_closed", OtherArguments, "The changeset is applied, rejected or withdrawn.";
    VersionConflict = "changeset_version_conflict", AfterRefresh, "The changeset has another version than the one that was expected.";
    LimitExceeded = "changeset_limit_exceeded", AfterChange, "There are too many changesets, operations or bytes.";
    Damaged = "changeset_damaged", No, "The log of the changeset has a gap or does not hold together.";
    RootUnavailable = "changeset_root_unavailable", AfterChange, "The folder of the changesets is gone, was replaced or cannot be used.";
    IdempotencyMismatch = "idempotency_mismatch", OtherArguments, "The key was used with other arguments.";
    BaseConflict = "base_conflict", AfterRefresh, "The node is not as the proposal believes it to be.";
    NoChange = "no_change", OtherArguments, "The operation changes nothing.";
    NodeNotFound = "node_not_found", OtherArguments, "There is no node of this id.";
    NodeAmbiguous = "node_ambiguous", AfterChange, "Several nodes claim the id.";
    IdInvalid = "id_invalid", OtherArguments, "The id has a form that is not allowed.";
    IdTaken = "id_taken", OtherArguments, "A node has or had the id.";
    SchemaViolation = "schema_violation", OtherArguments, "The node does not fit its type.";
    RelationViolation = "relation_violation", OtherArguments, "A relation is not declared or does not fit.";
    PlacementInvalid = "placement_invalid", OtherArguments, "The place is outside of what the source includes, or its name is not allowed.";
    PlacementConflict = "placement_conflict", OtherArguments, "Something else is at the place.";
    AdapterReadOnly = "adapter_read_only", OtherArguments, "The source cannot be written.";
    RoundtripFailed = "adapter_roundtrip_failed", OtherArguments, "The text would not read back as it was proposed.";
    CollateralChange = "collateral_change", OtherArguments, "Another node of the file would change.";
    EditNotFound = "edit_not_found", AfterRefresh, "The text to be replaced is not in the body.";
    EditAmbiguous = "edit_ambiguous", OtherArguments, "The text to be replaced is in the body more than once.";
    ArgumentTooLarge = "argument_too_large", OtherArguments, "An argument is longer than allowed.";
    InvalidArguments = "invalid_arguments", OtherArguments, "An argument has a value that is not allowed.";
    PreviewRootUnavailable = "preview_root_unavailable", AfterChange, "The folder of the previews is gone, was replaced or cannot be used.";
    ViewNotFound = "view_not_found", OtherArguments, "The contract declares no view of this name.";
    OverlayUnloadable = "overlay_unloadable", AfterChange, "The project with the proposals cannot be put together.";
    RenderLimitExceeded = "render_limit_exceeded", AfterChange, "The page would be larger than allowed.";
    RenderFailed = "render_failed", AfterChange, "The view could not be rendered.";
    Io = "io_error", AfterChange, "The system gave an error while the proposal was kept.";
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ProposeFault {
    /// What kind of problem it is.
    pub problem: Problem,
    /// What is wrong, in words of the engine; ids, paths and names only when their form is checked.
    pub message: String,
    /// What a program may act on.
    pub details: Box<Map<String, Value>>,
    /// Free text that belongs to it, for under `doc`.
    pub doc: Box<Map<String, Value>>,
}

impl ProposeFault {
    /// A fault with the general words of its problem.
    pub fn of(problem: Problem) -> ProposeFault {
        ProposeFault::new(problem, problem.meaning())
    }

    /// A fault with words of its own.
    pub fn new(problem: Problem, message: impl Into<String>) -> ProposeFault {
        ProposeFault { problem, message: message.into(), details: Box::default(), doc: Box::default() }
    }

    /// The same with a detail.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> ProposeFault {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// The same with free text.
    #[must_use]
    pub fn with_doc(mut self, key: &str, value: impl Into<Value>) -> ProposeFault {
        self.doc.insert(key.to_owned(), value.into());
        self
    }
}

/// What the folder of the changesets answered.
pub(crate) fn changeset_fault(fault: ConfinedFault) -> ProposeFault {
    match fault {
        ConfinedFault::Gone | ConfinedFault::NotFound => ProposeFault::of(Problem::RootUnavailable),
        ConfinedFault::Taken | ConfinedFault::TooLarge | ConfinedFault::Unavailable(_) => {
            ProposeFault::new(Problem::Io, format!("The changeset could not be kept: {fault}."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_words() {
        let mut codes: Vec<_> = Problem::ALL.iter().map(|one| one.as_str()).collect();
        assert!(codes.iter().all(|code| code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')));
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Problem::ALL.len());
    }
}
