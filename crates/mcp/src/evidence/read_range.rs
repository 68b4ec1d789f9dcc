//! `read_range` on the wire. It does not know how a file is opened or masked.

use ::evidence::{RangeRequest, document, range_fault};
use fault::{Failure, Text};
use serde_json::{Map, Value, json};

use super::EvidenceService;
use super::shared::{reading, refused};
use crate::args::{ArgFault, ArgTrouble, Arguments};
use crate::catalog::{CallContext, Tool, closed_object};
use crate::reply::Reply;

pub(super) const NAME: &str = "read_range";

/// The largest integer that every client and schema reader takes: a signed 64-bit one.
const LINE_MAX: u64 = i64::MAX as u64;

pub(super) fn tool() -> Tool {
    let integer = |text: &str| json!({"type": "integer", "minimum": 1, "description": text});
    reading(
        NAME,
        "Read exact lines",
        "Returns whole lines of one file without their line ends, for exact evidence before editing or concluding. \
         Lines are never clipped: when an answer is full, `truncated` is true and `nextLine` is where to go on. Past \
         the end of the file: the lines there are, or none. JSON.",
        closed_object(
            vec![
                ("path", json!({"type": "string", "description": "File below the root, with `/`."})),
                ("start", integer("First line, from 1.")),
                (
                    "end",
                    integer("Last line, inclusive, from 1; not before start, and at most 500 lines in all."),
                ),
            ],
            &["path", "start", "end"],
        ),
    )
}

fn read(arguments: Map<String, Value>) -> Result<RangeRequest, ArgFault> {
    let arguments = Arguments::new(arguments, &["path", "start", "end"])?;
    let missing = |name: &'static str| ArgFault {
        kind: ArgTrouble::Invalid,
        text: Text::new("'").and(name).and("' is required"),
    };
    let integer = |name: &'static str| arguments.integer(name, 1, LINE_MAX)?.ok_or_else(|| missing(name));
    Ok(RangeRequest {
        path: arguments.text("path")?.ok_or_else(|| missing("path"))?,
        start: integer("start")?,
        end: integer("end")?,
    })
}

pub(super) fn run(
    service: &impl EvidenceService,
    arguments: Map<String, Value>,
    context: &CallContext<'_>,
) -> Result<Reply, Failure> {
    // Where a number lies outside is said in the words of the tool, whoever finds it.
    let request = read(arguments).map_err(|fault| match fault.kind {
        ArgTrouble::Range => range_fault().into(),
        _ => refused(fault),
    })?;
    Ok(Reply::text(document::page(&service.read_range(&request, context.watch)?)))
}
