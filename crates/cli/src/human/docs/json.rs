//! `--json` of the commands that read: the whole answer of the tool that means the same, with everything around it. It knows
//! no single tool.

use std::path::Path;
use std::sync::Arc;

use docs::{Checked, ProjectService};
use serde_json::{Map, Value, json};

use super::project::{Opened, open, shown};
use crate::cancel::CtrlC;
use crate::exit::{Ended, Exit};

/// Asks a tool about the project at `root`, prints its answer on one line, and gives it with its exit code.
pub(super) fn tell(root: &Path, tool: &str, arguments: &Value) -> Result<(Value, Exit), Ended> {
    let answer = ask(&Arc::new(open(root, Checked::Stat)?.service), tool, arguments)?;
    say(&answer)?;
    let exit = exit_of(&answer);
    Ok((answer, exit))
}

/// The whole answer of a tool.
pub(super) fn ask(service: &Arc<ProjectService>, tool: &str, arguments: &Value) -> Result<Value, Ended> {
    let arguments: Map<String, Value> = arguments.as_object().cloned().unwrap_or_default();
    mcp::docs::answer(service, tool, arguments, &CtrlC).ok_or(Ended::Cancelled)
}

/// What a tool found out, for a page; its error as the end of the command.
pub(super) fn result(root: &Path, tool: &str, arguments: &Value) -> Result<Value, Ended> {
    let mut answer = ask(&Arc::new(open(root, Checked::Stat)?.service), tool, arguments)?;
    if answer["ok"] == true {
        return Ok(answer["result"].take());
    }
    let error = &answer["error"];
    let text = |key: &str| error[key].as_str().unwrap_or_default();
    let mut message = format!("{}: {}", text("code"), shown(text("message")));
    for key in ["suggestions", "near", "paths"] {
        let words: Vec<String> = error["details"][key]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(shown)
            .collect();
        if !words.is_empty() {
            let label = if key == "paths" { "see" } else { "did you mean" };
            message.push_str(&format!("\n  {label}: {}", words.join(", ")));
        }
    }
    Err(Ended::Message(exit_of(&answer), message))
}

/// Prints what a command found out that no tool tells, with everything that an answer of a tool has around it.
pub(super) fn told(opened: Opened, result: Value) -> Result<Exit, Ended> {
    let mut answer = ask(&Arc::new(opened.service), "docforge_project_info", &json!({}))?;
    if answer["ok"] == true {
        answer["result"] = result;
    }
    say(&answer)?;
    Ok(exit_of(&answer))
}

/// Prints an answer on one line.
pub(super) fn say(answer: &Value) -> Result<(), Ended> {
    crate::human::print_json(answer).map_err(|ended| match ended {
        Ended::Message(_, message) => Ended::Message(Exit::IO, message),
        other => other,
    })
}

/// The exit code of an answer: its error is told in it, so nothing else is said.
pub(super) fn exit_of(answer: &Value) -> Exit {
    let Some(code) = answer.pointer("/error/code").and_then(Value::as_str) else { return Exit::Ok };
    match code {
        "node_not_found"
        | "changeset_not_found"
        | "view_not_found"
        | "node_ambiguous"
        | "filter_too_complex"
        | "budget_too_small" => Exit::FINDINGS,
        "io_error" | "internal_error" => Exit::IO,
        "project_unloadable" | "invalid_arguments" | "argument_too_large" | "query_empty"
        | "query_syntax" | "filter_syntax" | "filter_type_error" | "field_unknown" | "type_unknown"
        | "relation_unknown" => Exit::Usage,
        _ => Exit::REFUSED,
    }
}
