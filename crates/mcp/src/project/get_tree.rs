//! `get_tree` on the wire. It does not know how a tree is made.

use ::project::limits::DEPTH_MAX;
use ::project::request::{TreeFormat, TreeRequest};
use fault::Failure;
use serde_json::{Map, Value, json};

use super::shared::{self, integer, names, read_narrowing, read_target, reading};
use super::{ProjectService, ProjectSurface};
use crate::args::Arguments;
use crate::catalog::{CallContext, Tool, Turn, closed_object};
use crate::reply::{Reply, notice_line, with_trailers};
use crate::spotlight;

pub(super) const NAME: &str = "get_tree";

pub(super) fn tool(open_world: bool) -> Tool {
    Tool {
        name: NAME,
        title: "Get project tree",
        description: "Shows the files and folders of a project that are in effect after ignore rules. At most 2,000 \
                      lines: `markdown` (default, fewest tokens) and `text` are cut there with a notice, `json` and \
                      `xml` give an error instead, so that they always parse. Narrow with globs or `max_depth`.",
        input: closed_object(properties(), &[]),
        output: None,
        hints: reading(open_world),
        meta: None,
        turn: Turn::Gate,
        progress: false,
    }
}

fn properties() -> Vec<(&'static str, Value)> {
    let depth = integer(0, u64::from(DEPTH_MAX), "Levels below the root, 0-1000. Default all.");
    let format = json!({
        "type": "string",
        "enum": ["markdown", "text", "json", "xml"],
        "default": "markdown",
        "description": "Default markdown.",
    });
    vec![
        shared::project(),
        shared::branch(),
        shared::include_patterns(),
        shared::exclude_patterns(),
        shared::tracked_only(),
        shared::git_scope(),
        shared::max_file_bytes(),
        ("max_depth", depth),
        ("format", format),
    ]
}

fn read(arguments: Map<String, Value>) -> Result<TreeRequest, Failure> {
    let arguments = Arguments::new(arguments, &names(&properties()))?;
    let formats = [
        ("markdown", TreeFormat::Markdown),
        ("text", TreeFormat::Text),
        ("json", TreeFormat::Json),
        ("xml", TreeFormat::Xml),
    ];
    let max_depth = arguments.integer("max_depth", 0, u64::from(DEPTH_MAX))?;
    Ok(TreeRequest {
        target: read_target(&arguments)?,
        narrowing: read_narrowing(&arguments)?,
        max_depth: max_depth.and_then(|depth| u32::try_from(depth).ok()),
        format: arguments.choice("format", &formats)?.unwrap_or_default(),
    })
}

pub(super) fn run<S: ProjectService>(
    surface: &ProjectSurface<S>,
    arguments: Map<String, Value>,
    context: &CallContext<'_>,
) -> Result<Reply, Failure> {
    let outcome = surface.service().tree(&read(arguments)?, context.watch)?;
    let mut trailers = outcome.value.trailers;
    trailers.extend(outcome.notices.iter().map(notice_line));
    Ok(Reply::text(with_trailers(spotlight::wrap(&outcome.value.text), &trailers)))
}
