//! Why nothing was applied: a word of spec C16, and what a person can do about it.

use disk::ConfinedFault;
use propose::{Problem, ProposeFault};

/// What kind of problem it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ApplyProblem {
    /// Neither a terminal nor the whole hash of the difference.
    NeedsPerson,
    /// What was confirmed is not what would be applied now.
    FingerprintMismatch,
    /// The project has moved on, or a check stands against it.
    Conflict,
    /// Another process is applying.
    Locked,
    /// An earlier run ended in the middle.
    RecoveryRequired,
    /// The project cannot be loaded as it is now.
    Unloadable,
    /// The system gave an error; the documents are as they were.
    Io,
    /// Of the changeset itself.
    Changeset(Problem),
}

impl ApplyProblem {
    /// The code.
    pub const fn as_str(self) -> &'static str {
        match self {
            ApplyProblem::NeedsPerson => "apply_needs_person",
            ApplyProblem::FingerprintMismatch => "apply_fingerprint_mismatch",
            ApplyProblem::Conflict => "apply_conflict",
            ApplyProblem::Locked => "apply_locked",
            ApplyProblem::RecoveryRequired => "recovery_required",
            ApplyProblem::Unloadable => "project_unloadable",
            ApplyProblem::Io => "io_error",
            ApplyProblem::Changeset(problem) => problem.as_str(),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ApplyFault {
    /// What kind of problem it is.
    pub problem: ApplyProblem,
    /// What is wrong and what to do, in words of the engine.
    pub message: String,
    /// What it is about, one line each: nodes, files, findings. It may hold free text.
    pub about: Vec<String>,
}

impl ApplyFault {
    /// A fault.
    pub fn new(problem: ApplyProblem, message: impl Into<String>) -> ApplyFault {
        ApplyFault { problem, message: message.into(), about: Vec::new() }
    }

    /// The same with what it is about.
    #[must_use]
    pub fn about(mut self, lines: impl IntoIterator<Item = String>) -> ApplyFault {
        self.about.extend(lines);
        self
    }

    /// Something went wrong between the files; what became of them is for `recover` to settle.
    pub(crate) fn unfinished(cause: &ApplyFault) -> ApplyFault {
        let message = format!(
            "{} The run could not be finished and could not be undone; run `readroom docs changeset recover`.",
            cause.message
        );
        ApplyFault::new(ApplyProblem::RecoveryRequired, message).about(cause.about.clone())
    }
}

impl From<ProposeFault> for ApplyFault {
    fn from(fault: ProposeFault) -> Self {
        let problem = match fault.problem {
            Problem::Io => ApplyProblem::Io,
            other => ApplyProblem::Changeset(other),
        };
        ApplyFault::new(problem, fault.message)
    }
}

impl From<ConfinedFault> for ApplyFault {
    fn from(fault: ConfinedFault) -> Self {
        ApplyFault::new(ApplyProblem::Io, format!("The system gave an error: {fault}."))
    }
}
