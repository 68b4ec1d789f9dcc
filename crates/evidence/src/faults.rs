//! What can go wrong with a call, in words: each code is mapped here once. No text repeats what a file holds.

use fault::{Code, Failure, Fault, Stop, Text};

use crate::limits::{CALL_SECONDS_MAX, FILE_BYTES_MAX, QUEUE_MAX, READ_LINES_MAX, TERM_CHARS_MAX, TERMS_MAX};
use crate::policy::Denied;

/// Whether the same call may succeed later without a change of its arguments.
pub const fn is_retryable(code: Code) -> bool {
    matches!(code, Code::EvdBusy | Code::EvdChanged)
}

pub(crate) fn denied(denied: Denied) -> Fault {
    Fault::new(
        Code::EvdPathDenied,
        Text::new(denied.says()).and("; take a path from file_inventory or from a hit"),
    )
}

pub(crate) fn not_found() -> Fault {
    Fault::new(
        Code::EvdPathNotFound,
        Text::new("nothing has this path; take one from file_inventory or from a hit"),
    )
}

pub(crate) fn binary() -> Fault {
    Fault::new(Code::EvdNotText, Text::new("the file holds a NUL byte, so it is no text"))
}

pub(crate) fn not_utf8() -> Fault {
    Fault::new(Code::EvdNotText, Text::new("the file is not valid UTF-8"))
}

pub(crate) fn too_large(size_bytes: u64) -> Fault {
    Fault::new(
        Code::EvdTooLarge,
        Text::new("the file has ")
            .number(size_bytes)
            .and(" bytes; at most ")
            .number(FILE_BYTES_MAX)
            .and(" are read"),
    )
}

pub(crate) fn line_too_long(line: u64, bytes: usize) -> Fault {
    Fault::new(
        Code::EvdLineTooLong,
        Text::new("line ")
            .number(line)
            .and(" has ")
            .count(bytes)
            .and(" bytes, which is more than one answer holds; skip it, or look at it locally"),
    )
}

pub(crate) fn changed() -> Fault {
    Fault::new(Code::EvdChanged, Text::new("the file was written or replaced while it was read; call again"))
}

pub(crate) fn uninspected() -> Fault {
    Fault::new(
        Code::EvdOperationFailed,
        Text::new("the search for secrets in this file did not come to an end, so it is withheld"),
    )
}

pub(crate) fn unreadable() -> Fault {
    Fault::new(
        Code::EvdOperationFailed,
        Text::new("the system did not let the file be read; check its permissions"),
    )
}

pub(crate) fn rules_too_costly() -> Fault {
    Fault::new(
        Code::EvdOperationFailed,
        Text::new("the ignore rules at the root cost too much to match; simplify them and restart"),
    )
}

/// Terms out of their bounds.
pub fn terms() -> Fault {
    let text = Text::new("'terms' must hold 1 to ").count(TERMS_MAX).and(" strings of 1 to ");
    Fault::new(
        Code::EvdInvalidArguments,
        text.count(TERM_CHARS_MAX).and(" characters each, without line breaks"),
    )
}

/// A range out of its bounds.
pub fn range() -> Fault {
    Fault::new(
        Code::EvdInvalidRange,
        Text::new("'start' must be at least 1, 'end' not before it, and at most ")
            .number(READ_LINES_MAX)
            .and(" lines may be asked for"),
    )
}

/// The answer to a call beyond the queue.
pub fn busy() -> Fault {
    Fault::new(
        Code::EvdBusy,
        Text::new("").count(QUEUE_MAX).and(" calls are running or waiting; call again when one was answered"),
    )
}

/// A call that must answer with a file as a whole has no part of an answer to give when its time is over.
pub(crate) fn stopped(stop: Stop) -> Failure {
    match stop {
        Stop::Cancelled => Failure::Cancelled,
        Stop::TooLate => Failure::Fault(Fault::new(
            Code::EvdOperationFailed,
            Text::new("the call reached its limit of ").number(CALL_SECONDS_MAX).and(" seconds; call again"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_passes_by_itself_is_worth_another_call() {
        for code in Code::ALL {
            assert_eq!(is_retryable(*code), ["EVD-BUSY", "EVD-CHANGED"].contains(&code.as_str()), "{code}");
        }
    }
}
