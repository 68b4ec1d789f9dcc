//! `get_file` on the wire. It does not know how a file is opened or masked.

use ::project::request::FileRequest;
use fault::Failure;
use serde_json::{Map, Value, json};

use super::shared::{self, INTEGER_MAX, integer, names, read_target, reading};
use super::{ProjectService, ProjectSurface};
use crate::args::Arguments;
use crate::catalog::{CallContext, Tool, Turn, closed_object};
use crate::reply::{Reply, with_trailers};
use crate::spotlight;

pub(super) const NAME: &str = "get_file";

pub(super) fn tool(open_world: bool) -> Tool {
    Tool {
        name: NAME,
        title: "Read a file",
        description: "Reads one file of the effective selection with secrets masked, at most 1,000 lines or 50,000 \
                      characters a call. A notice at the end says where to continue. Take paths from get_tree or \
                      search_project; case matters.",
        input: closed_object(properties(), &["path"]),
        output: None,
        hints: reading(open_world),
        meta: None,
        turn: Turn::Gate,
        progress: false,
    }
}

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        shared::project(),
        shared::branch(),
        ("path", json!({"type": "string", "minLength": 1, "description": "File below the root, with `/`."})),
        ("start_line", integer(1, INTEGER_MAX, "First line, from 1. Default 1.")),
        ("end_line", integer(1, INTEGER_MAX, "Last line, inclusive, from 1. Default: one page.")),
    ]
}

fn read(arguments: Map<String, Value>) -> Result<FileRequest, Failure> {
    let arguments = Arguments::new(arguments, &names(&properties()))?;
    Ok(FileRequest {
        target: read_target(&arguments)?,
        path: arguments.required_text("path")?,
        start_line: arguments.integer("start_line", 1, INTEGER_MAX)?,
        end_line: arguments.integer("end_line", 1, INTEGER_MAX)?,
    })
}

pub(super) fn run<S: ProjectService>(
    surface: &ProjectSurface<S>,
    arguments: Map<String, Value>,
    context: &CallContext<'_>,
) -> Result<Reply, Failure> {
    let page = surface.service().file(&read(arguments)?, context.watch)?;
    Ok(Reply::text(with_trailers(spotlight::wrap(&page.text), &page.trailers)))
}
