//! What a call answers besides its value: a fault instead of it, or notices beside it.

use crate::{Code, Stop, Text};

/// An error that a caller can act on: a stable code and a message of ours that says what to do next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {text}")]
pub struct Fault {
    /// The stable code.
    pub code: Code,
    /// The explanation and the next step.
    pub text: Text,
}

impl Fault {
    /// Puts a fault together.
    pub fn new(code: Code, text: Text) -> Self {
        Fault { code, text }
    }
}

/// Why a call has no value: a fault for the caller, or nobody is waiting for an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The caller gets this fault.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The caller took the call back: no answer is sent.
    #[error("cancelled")]
    Cancelled,
}

impl From<Stop> for Failure {
    /// A deadline that has passed is an [`Code::OperationFailed`] for the caller.
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Cancelled => Failure::Cancelled,
            Stop::TooLate => Failure::Fault(Fault::new(
                Code::OperationFailed,
                Text::new(
                    "the call reached its time limit before it was done; narrow it with paths, patterns or max_file_bytes and call again",
                ),
            )),
        }
    }
}

/// A trusted warning beside a part success. It carries a code and counts, never a path or project text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The stable code.
    pub code: Code,
    /// The explanation.
    pub text: Text,
}

impl Notice {
    /// Puts a notice together.
    pub fn new(code: Code, text: Text) -> Self {
        Notice { code, text }
    }
}

/// A value together with what must be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<T> {
    /// The value.
    pub value: T,
    /// The warnings, in order of first appearance.
    pub notices: Vec<Notice>,
}

impl<T> Outcome<T> {
    /// A value with nothing to say about it.
    pub fn clean(value: T) -> Self {
        Outcome { value, notices: Vec::new() }
    }

    /// The same notices beside another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome { value: change(self.value), notices: self.notices }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_an_operation_that_failed_and_a_cancelled_call_has_no_fault() {
        let Failure::Fault(fault) = Failure::from(Stop::TooLate) else { panic!("nobody cancelled") };
        assert_eq!(fault.code, Code::OperationFailed);
        assert!(fault.to_string().starts_with("DPX-MCP-OPERATION-FAILED: the call reached its time limit"));
        assert_eq!(Failure::from(Stop::Cancelled), Failure::Cancelled);
    }
}
