//! The one mapping from what went wrong to a line on stderr and an exit code. It prints nothing itself.

use std::io;
use std::process::ExitCode;

use disk::WriteFault;
use fault::{Code, Failure, Fault};
use project::pack::PackFailure;
use project::session::StartFault;

/// How a run ends (spec `project.md` 2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Ok = 0,
    /// It could not be done, or a search found nothing.
    Runtime = 1,
    /// The command line or an argument is wrong.
    Usage = 2,
    /// A rule of confinement forbids it.
    Policy = 3,
    /// The destination exists.
    Conflict = 4,
    /// An interrupted change of documents has to be settled first.
    Recovery = 5,
    /// The person interrupted it.
    Cancelled = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Ended {
    /// A fault of a tool.
    Fault(Fault),
    /// The person interrupted it.
    Cancelled,
    /// The reader of stdout went away, which is no error.
    PipeClosed,
    /// A message and the code that goes with it.
    Message(Exit, String),
}

impl Ended {
    /// What stderr says, on one line.
    pub(crate) fn line(&self) -> Option<String> {
        match self {
            Ended::Fault(fault) => Some(fault.to_string()),
            Ended::Message(_, text) => Some(text.clone()),
            Ended::Cancelled | Ended::PipeClosed => None,
        }
    }

    /// The exit code.
    pub(crate) fn code(&self) -> Exit {
        match self {
            Ended::Fault(fault) => match fault.code {
                Code::InvalidArguments | Code::InvalidRange | Code::InvalidPattern => Exit::Usage,
                Code::RootViolation | Code::RemoteDisabled => Exit::Policy,
                _ => Exit::Runtime,
            },
            Ended::Message(exit, _) => *exit,
            Ended::Cancelled => Exit::Cancelled,
            Ended::PipeClosed => Exit::Ok,
        }
    }
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Fault(fault) => Ended::Fault(fault),
            Failure::Cancelled => Ended::Cancelled,
        }
    }
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Ended::PipeClosed
        } else {
            Ended::Message(Exit::Runtime, format!("standard output cannot be written ({})", error.kind()))
        }
    }
}

impl From<PackFailure> for Ended {
    fn from(failure: PackFailure) -> Self {
        match failure {
            PackFailure::Failure(failure) => failure.into(),
            PackFailure::Write(error) => error.into(),
        }
    }
}

impl From<StartFault> for Ended {
    fn from(fault: StartFault) -> Self {
        Ended::Message(Exit::Runtime, fault.to_string())
    }
}

impl From<evidence::StartFault> for Ended {
    fn from(fault: evidence::StartFault) -> Self {
        Ended::Message(Exit::Runtime, fault.to_string())
    }
}

impl From<WriteFault> for Ended {
    fn from(fault: WriteFault) -> Self {
        let exit = if fault == WriteFault::AlreadyExists { Exit::Conflict } else { Exit::Runtime };
        let advice = if exit == Exit::Conflict { "; pass --force to replace it" } else { "" };
        Ended::Message(exit, format!("the output file cannot be written: {fault}{advice}"))
    }
}
