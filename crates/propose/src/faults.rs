//! Why a proposal tool gives no answer: a code of spec C16 and what a caller may know. Free text of documents and of
//! agents stands apart, so that it can be kept under `doc`.

use disk::ConfinedFault;
use fault::DocsCode;
use serde_json::{Map, Value};

/// Declares the problems: each is a code of the docs server.
macro_rules! problems {
    ($($name:ident = $code:ident;)*) => {
        /// What kind of problem it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Problem {
            $(#[doc = concat!("As [`DocsCode::", stringify!($code), "`].")] $name,)*
        }

        impl Problem {
            /// Every problem.
            pub const ALL: &[Problem] = &[$(Problem::$name,)*];

            /// Its code, which says what it means, what to do about it and whether calling again helps.
            pub const fn code(self) -> DocsCode {
                match self { $(Problem::$name => DocsCode::$code,)* }
            }

            /// The code on the wire.
            pub const fn as_str(self) -> &'static str {
                self.code().as_str()
            }
        }
    };
}

problems! {
    AccessDisabled = AccessDisabled;
    OperationDenied = OperationDenied;
    ScopeDenied = ScopeDenied;
    FieldDenied = FieldDenied;
    PolicyChanged = PolicyChanged;
    PolicyDenied = PolicyDenied;
    ValidatorDenied = ValidatorDenied;
    ForeignWriter = ForeignWriter;
    ChangesetNotFound = ChangesetNotFound;
    ChangesetClosed = ChangesetClosed;
    VersionConflict = VersionConflict;
    LimitExceeded = ChangesetLimit;
    Damaged = Damaged;
    RootUnavailable = ChangesetRoot;
    IdempotencyMismatch = IdempotencyMismatch;
    BaseConflict = BaseConflict;
    NoChange = NoChange;
    NodeNotFound = NodeNotFound;
    NodeAmbiguous = NodeAmbiguous;
    IdInvalid = IdInvalid;
    IdTaken = IdTaken;
    SchemaViolation = SchemaViolation;
    RelationViolation = RelationViolation;
    PlacementInvalid = PlacementInvalid;
    PlacementConflict = PlacementConflict;
    AdapterReadOnly = AdapterReadOnly;
    RoundtripFailed = RoundtripFailed;
    CollateralChange = CollateralChange;
    EditNotFound = EditNotFound;
    EditAmbiguous = EditAmbiguous;
    ArgumentTooLarge = ArgumentTooLarge;
    InvalidArguments = InvalidArguments;
    PreviewRootUnavailable = PreviewRoot;
    ViewNotFound = ViewNotFound;
    OverlayUnloadable = OverlayUnloadable;
    RenderLimitExceeded = RenderLimit;
    RenderFailed = RenderFailed;
    Io = Io;
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
        ProposeFault::new(problem, problem.code().meaning())
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
