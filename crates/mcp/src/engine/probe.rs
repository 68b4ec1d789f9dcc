//! The line reader and the judge of lines as one function of bytes, for fuzzing and property tests. It serves nobody.

use rmcp::model::RequestId;
use serde_json::Value;

use super::frame::{self, Frame};
use super::line::{Line, Lines};

/// What became of one line.
#[derive(Debug, PartialEq)]
pub enum Heard {
    /// It is never answered.
    Nothing,
    /// It is a notification.
    Notification,
    /// It is a request with this id.
    Request(Value),
    /// It is answered with this error code, and with the id when one was readable.
    Refused(i32, Option<Value>),
}

/// What becomes of each line of `bytes`, and how many bytes of it were kept.
///
/// # Panics
/// When the operating system gives no event queue.
pub fn probe(bytes: &[u8], line_bytes_max: usize) -> Vec<(usize, Heard)> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().build().expect("because reading a slice needs nothing");
    runtime.block_on(async {
        let mut lines = Lines::new(bytes, line_bytes_max);
        let mut out = Vec::new();
        while let Some(line) = lines.next().await {
            out.push(match line {
                Line::Whole(bytes) => (bytes.len(), heard(frame::read(&bytes))),
                Line::TooLong(head) => (head.len(), heard(frame::too_long(&head, line_bytes_max))),
            });
        }
        out
    })
}

fn heard(frame: Frame) -> Heard {
    match frame {
        Frame::Nothing => Heard::Nothing,
        Frame::Notification { .. } => Heard::Notification,
        Frame::Request { id, .. } => Heard::Request(RequestId::into_json_value(id)),
        Frame::Broken { id, error } => Heard::Refused(error.code.0, id.map(RequestId::into_json_value)),
    }
}
