//! Why a docs tool gives no answer, and what is said beside one. Words are the engine's; free text of documents and of
//! callers stands apart, for under `doc`.

use fault::{DocsCode, Stop};
use propose::ProposeFault;
use serde_json::{Map, Value};

use crate::args::{ArgFault, ArgTrouble};

/// An error of a docs tool.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DocFault {
    /// The stable code.
    pub(super) code: DocsCode,
    /// What is wrong and what to do next; no text of a document.
    pub(super) message: String,
    /// What a program may act on.
    pub(super) details: Box<Map<String, Value>>,
    /// Free text that belongs to it.
    pub(super) doc: Box<Map<String, Value>>,
}

impl DocFault {
    /// A fault with the general words of its code.
    pub(super) fn of(code: DocsCode) -> DocFault {
        DocFault::new(code, format!("{} {}", code.meaning(), code.remedy()))
    }

    /// A fault with words of its own.
    pub(super) fn new(code: DocsCode, message: impl Into<String>) -> DocFault {
        DocFault { code, message: message.into(), details: Box::default(), doc: Box::default() }
    }

    /// The same with a detail.
    pub(super) fn with(mut self, key: &str, value: impl Into<Value>) -> DocFault {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// The same with free text.
    pub(super) fn with_doc(mut self, key: &str, value: impl Into<Value>) -> DocFault {
        self.doc.insert(key.to_owned(), value.into());
        self
    }
}

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DocEnd {
    /// The caller gets this fault.
    Fault(DocFault),
    /// Nobody waits for an answer.
    Cancelled,
}

impl From<DocFault> for DocEnd {
    fn from(fault: DocFault) -> DocEnd {
        DocEnd::Fault(fault)
    }
}

impl From<Stop> for DocEnd {
    fn from(stop: Stop) -> DocEnd {
        match stop {
            Stop::Cancelled => DocEnd::Cancelled,
            Stop::TooLate => DocFault::of(DocsCode::Timeout).into(),
        }
    }
}

impl From<ArgFault> for DocEnd {
    fn from(fault: ArgFault) -> DocEnd {
        let code = match fault.kind {
            ArgTrouble::Pattern => DocsCode::ArgumentTooLarge,
            ArgTrouble::Invalid | ArgTrouble::Range | ArgTrouble::Inexact => DocsCode::InvalidArguments,
        };
        DocFault::new(code, fault.text.as_str()).into()
    }
}

impl From<ProposeFault> for DocEnd {
    fn from(fault: ProposeFault) -> DocEnd {
        DocFault {
            code: fault.problem.code(),
            message: fault.message,
            details: fault.details,
            doc: fault.doc,
        }
        .into()
    }
}

/// Something that must be said beside a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Warning {
    /// A word that a program can act on.
    pub(super) code: &'static str,
    /// The words of the engine.
    pub(super) message: &'static str,
}
