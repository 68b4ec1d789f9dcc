//! `analyze` on the wire. It does not know how a file is measured.

use ::project::answer::Analysis;
use ::project::limits::{INSPECT_BYTES_MAX, TOP_FILES_DEFAULT, TOP_FILES_MAX};
use ::project::request::AnalyzeRequest;
use fault::{Code, Failure, Notice, Text};
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
        shared::detail(),
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
    let consequence = "their metrics may be estimated";
    let notices = uninspected_first(outcome.value.uninspected, consequence, outcome.notices);
    Ok(Reply::structured(structured(&outcome.value, &notices), &notices))
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

/// Puts the notice about uninspected files before the others, unless it is among them already.
pub(super) fn uninspected_first(
    uninspected: u64,
    consequence: &'static str,
    notices: Vec<Notice>,
) -> Vec<Notice> {
    let said = notices.iter().any(|notice| notice.code == Code::PayloadTruncated);
    if uninspected == 0 || said {
        return notices;
    }
    let files = if uninspected == 1 { " selected file" } else { " selected files" };
    let text = Text::default()
        .number(uninspected)
        .and(files)
        .and(" could not be inspected for secrets; ")
        .and(consequence)
        .and(". Set max_file_bytes to ")
        .number(INSPECT_BYTES_MAX)
        .and(" or lower, or exclude them");
    let mut all = vec![Notice::new(Code::PayloadTruncated, text)];
    all.extend(notices);
    all
}
