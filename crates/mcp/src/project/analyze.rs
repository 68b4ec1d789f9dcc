//! `analyze` on the wire. It does not know how a file is measured.

use ::project::answer::Analysis;
use ::project::limits::{TOP_FILES_DEFAULT, TOP_FILES_MAX};
use ::project::request::AnalyzeRequest;
use fault::{Failure, Notice};
use serde_json::{Map, Value, json};

use super::shared::{self, detail_word, names, read_detail, read_narrowing, read_target, reading, small};
use super::{ProjectService, ProjectSurface};
use crate::args::Arguments;
use crate::catalog::{CallContext, Tool, Turn, closed_object};
use crate::reply::Reply;

pub(super) const NAME: &str = "analyze";

pub(super) fn tool(open_world: bool) -> Tool {
    Tool {
        name: NAME,
        title: "Analyze project size",
        description: "Measures the selected files: how many, their characters and estimated tokens at the chosen \
                      detail, and the largest files by tokens. Use it to plan a pack_context call. One token is \
                      estimated as four characters, rounded up per file.",
        input: closed_object(properties(), &[]),
        output: Some(output()),
        hints: reading(open_world),
        meta: None,
        turn: Turn::Gate,
        progress: true,
    }
}

fn properties() -> Vec<(&'static str, Value)> {
    let mut top = shared::integer(
        1,
        TOP_FILES_MAX as u64,
        "How many of the largest files to list, 1-1000. Default 10.",
    );
    top["default"] = json!(TOP_FILES_DEFAULT);
    vec![
        shared::project(),
        shared::branch(),
        shared::paths(),
        shared::include_patterns(),
        shared::exclude_patterns(),
        shared::profile(),
        shared::detail(false),
        shared::tracked_only(),
        shared::git_scope(),
        ("top_files", top),
        shared::max_file_bytes(),
    ]
}

fn output() -> Map<String, Value> {
    let text = || json!({"type": "string"});
    let count = || json!({"type": "integer", "minimum": 0});
    let file = closed_object(
        vec![("path", text()), ("tokens", count()), ("uninspected", json!({"type": "boolean"}))],
        &["path", "tokens"],
    );
    let warning = closed_object(vec![("code", text()), ("message", text())], &["code", "message"]);
    let detail = json!({"type": "string", "enum": ["full", "compact", "signatures"]});
    let list = |item: Map<String, Value>| json!({"type": "array", "items": item});
    closed_object(
        vec![
            ("files", count()),
            ("characters", count()),
            ("tokens", count()),
            ("detail", detail),
            ("topFiles", list(file)),
            ("warnings", list(warning)),
        ],
        &["files", "characters", "tokens", "detail", "topFiles", "warnings"],
    )
}

fn read(arguments: Map<String, Value>) -> Result<AnalyzeRequest, Failure> {
    let arguments = Arguments::new(arguments, &names(&properties()))?;
    Ok(AnalyzeRequest {
        target: read_target(&arguments)?,
        narrowing: read_narrowing(&arguments)?,
        profile: arguments.text_or_empty("profile")?,
        detail: read_detail(&arguments)?,
        top_files: arguments.integer("top_files", 1, TOP_FILES_MAX as u64)?.map_or(TOP_FILES_DEFAULT, small),
    })
}

pub(super) fn run<S: ProjectService>(
    surface: &ProjectSurface<S>,
    arguments: Map<String, Value>,
    context: &CallContext<'_>,
) -> Result<Reply, Failure> {
    let outcome = surface.service().analyze(&read(arguments)?, context.watch)?;
    Ok(Reply::structured(structured(&outcome.value, &outcome.notices), &outcome.notices))
}

fn structured(analysis: &Analysis, notices: &[Notice]) -> Value {
    let top_files: Vec<Value> = analysis
        .top_files
        .iter()
        .map(|file| {
            let mut entry = json!({"path": file.path, "tokens": file.tokens});
            if file.uninspected {
                entry["uninspected"] = json!(true);
            }
            entry
        })
        .collect();
    let warnings: Vec<Value> = notices
        .iter()
        .map(|notice| json!({"code": notice.code.as_str(), "message": notice.text.as_str()}))
        .collect();
    json!({
        "files": analysis.files,
        "characters": analysis.characters,
        "tokens": analysis.tokens,
        "detail": detail_word(analysis.detail),
        "topFiles": top_files,
        "warnings": warnings,
    })
}
