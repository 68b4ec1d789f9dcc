//! What the evidence tools share on the wire: the shape of a tool, and how troubles with arguments get a code. It knows
//! no single tool.

use fault::{Code, Failure, Fault};
use serde_json::{Map, Value};

use crate::args::{ArgFault, ArgTrouble};
use crate::catalog::{Hints, Tool, Turn};

/// A tool that only reads, waits in the one queue, and answers with one text block.
pub(super) fn reading(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    input: Map<String, Value>,
) -> Tool {
    Tool {
        name,
        title,
        description,
        input,
        output: None,
        hints: Hints { read_only: true, destructive: false, idempotent: true, open_world: false },
        meta: None,
        turn: Turn::Gate,
        progress: false,
    }
}

/// Integers out of their bounds are ranges; every other trouble is one with the arguments.
pub(super) fn refused(fault: ArgFault) -> Failure {
    let code = match fault.kind {
        ArgTrouble::Range => Code::EvdInvalidRange,
        ArgTrouble::Invalid | ArgTrouble::Inexact | ArgTrouble::Pattern => Code::EvdInvalidArguments,
    };
    Failure::Fault(Fault::new(code, fault.text))
}
