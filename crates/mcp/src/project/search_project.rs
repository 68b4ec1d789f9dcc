//! `search_project` on the wire. It does not know how lines are matched.

use ::project::limits::{
    CONTEXT_LINES_DEFAULT, CONTEXT_LINES_MAX, MAX_RESULTS_DEFAULT, MAX_RESULTS_MAX, PATTERN_CHARS_MAX,
};
use ::project::request::SearchRequest;
use fault::Failure;
use serde_json::{Map, Value, json};

use super::shared::{self, integer, names, read_narrowing, read_target, reading, small};
use super::{ProjectService, ProjectSurface};
use crate::args::{ArgTrouble, Arguments};
use crate::catalog::{CallContext, Tool, Turn, closed_object};
use crate::reply::{Reply, notice_line, with_trailers};
use crate::spotlight;

pub(super) const NAME: &str = "search_project";

pub(super) fn tool(open_world: bool) -> Tool {
    Tool {
        name: NAME,
        title: "Search project",
        description: "Finds lines that match a regular expression, after secrets are masked, and prints them as grep -C \
                      does: `path:line:text` for a match, `path-line-text` for context, `--` between groups. A pattern \
                      never spans lines; look-around and back-references are not available; matching may take 2 \
                      seconds. Long answers are cut with a notice.",
        input: closed_object(properties(), &["pattern"]),
        output: None,
        hints: reading(open_world),
        meta: None,
        turn: Turn::Gate,
        progress: false,
    }
}

fn properties() -> Vec<(&'static str, Value)> {
    let pattern = json!({
        "type": "string",
        "minLength": 1,
        "maxLength": PATTERN_CHARS_MAX,
        "description": "Regular expression, 1-4096 characters.",
    });
    let mut context = integer(0, CONTEXT_LINES_MAX as u64, "Lines around a match, 0-20. Default 2.");
    context["default"] = json!(CONTEXT_LINES_DEFAULT);
    let ignore_case = json!({"type": "boolean", "default": true, "description": "Default true."});
    let mut results = integer(1, MAX_RESULTS_MAX as u64, "Matching lines to show, 1-200. Default 50.");
    results["default"] = json!(MAX_RESULTS_DEFAULT);
    vec![
        shared::project(),
        shared::branch(),
        ("pattern", pattern),
        shared::include_patterns(),
        shared::exclude_patterns(),
        shared::tracked_only(),
        shared::git_scope(),
        shared::max_file_bytes(),
        ("context_lines", context),
        ("ignore_case", ignore_case),
        ("max_results", results),
    ]
}

fn read(arguments: Map<String, Value>) -> Result<SearchRequest, Failure> {
    let arguments = Arguments::new(arguments, &names(&properties()))?;
    let pattern = arguments.required_text("pattern")?;
    Arguments::at_most("pattern", &pattern, PATTERN_CHARS_MAX, ArgTrouble::Pattern)?;
    let context_lines = arguments.integer("context_lines", 0, CONTEXT_LINES_MAX as u64)?;
    let max_results = arguments.integer("max_results", 1, MAX_RESULTS_MAX as u64)?;
    Ok(SearchRequest {
        target: read_target(&arguments)?,
        narrowing: read_narrowing(&arguments)?,
        pattern,
        context_lines: context_lines.map_or(CONTEXT_LINES_DEFAULT, small),
        ignore_case: arguments.boolean("ignore_case")?.unwrap_or(true),
        max_results: max_results.map_or(MAX_RESULTS_DEFAULT, small),
    })
}

pub(super) fn run<S: ProjectService>(
    surface: &ProjectSurface<S>,
    arguments: Map<String, Value>,
    context: &CallContext<'_>,
) -> Result<Reply, Failure> {
    let outcome = surface.service().search(&read(arguments)?, context.watch)?;
    let mut trailers: Vec<String> = outcome.notices.iter().map(notice_line).collect();
    trailers.extend(outcome.value.trailers);
    Ok(Reply::text(with_trailers(spotlight::wrap(&outcome.value.text), &trailers)))
}
