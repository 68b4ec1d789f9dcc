//! `--json` of the commands that read: the whole answer of the tool that means the same, with everything around it. It knows
//! no single tool.

use std::path::Path;
use std::sync::Arc;

use docs::Checked;
use serde_json::{Map, Value};

use super::project::open;
use crate::cancel::CtrlC;
use crate::exit::{Ended, Exit};

/// Asks a tool about the project at `root`, prints its answer on one line, and gives it with its exit code.
pub(super) fn tell(root: &Path, tool: &str, arguments: &Value) -> Result<(Value, Exit), Ended> {
    let opened = open(root, Checked::Stat)?;
    let arguments: Map<String, Value> = arguments.as_object().cloned().unwrap_or_default();
    let answer = mcp::docs::answer(&Arc::new(opened.service), tool, arguments, &CtrlC);
    let answer = answer.ok_or(Ended::Cancelled)?;
    crate::human::print_json(&answer).map_err(|ended| match ended {
        Ended::Message(_, message) => Ended::Message(Exit::IO, message),
        other => other,
    })?;
    let exit = exit(&answer);
    Ok((answer, exit))
}

/// The exit code of an answer: its error is told in it, so nothing else is said.
fn exit(answer: &Value) -> Exit {
    let Some(code) = answer.pointer("/error/code").and_then(Value::as_str) else { return Exit::Ok };
    match code {
        "node_not_found" | "changeset_not_found" | "view_not_found" | "node_ambiguous" => Exit::FINDINGS,
        "io_error" | "internal_error" => Exit::IO,
        "project_unloadable" | "invalid_arguments" | "argument_too_large" => Exit::Usage,
        _ => Exit::REFUSED,
    }
}
