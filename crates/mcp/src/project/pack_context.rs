//! `pack_context` on the wire: its arguments, and the layout of an inline and of a stored answer. It does not know how a
//! document is made or where it is kept.

use ::project::answer::PackAnswer;
use ::project::cut;
use ::project::limits::NOTICES_CHARS_MAX;
use ::project::request::{PackFormat, PackRequest, View};
use fault::{Failure, Notice};
use serde_json::{Map, Value, json};

use super::shared::{
    self, INTEGER_MAX, integer, long_results, names, read_detail, read_narrowing, read_target,
};
use super::{ProjectService, ProjectSurface};
use crate::args::Arguments;
use crate::catalog::{CallContext, Hints, Tool, Turn, closed_object};
use crate::reply::{Reply, notice_line, with_trailers};
use crate::spotlight;

pub(super) const NAME: &str = "pack_context";

/// Said when a preview was cut to keep the whole answer within its bound.
const PREVIEW_CUT: &str = "[Tree preview truncated; the stored pack is complete, read it with read_pack]";
const REPORT_CUT: &str = "[Budget report truncated]";
const NOTICES_CUT: &str = "[Further notices truncated]";

pub(super) fn tool(open_world: bool) -> Tool {
    Tool {
        name: NAME,
        title: "Pack project context",
        description: "Puts the tree and the content of the selected files into one document, secrets masked. Up to \
                      50,000 characters it is returned whole; a longer one is stored, and the answer gives a pack_id \
                      for read_pack and a preview of the tree. `max_tokens` admits files in path order while they fit, \
                      four characters a token, and reports what was skipped; `detail` compact or signatures fits more.",
        input: closed_object(properties(), &[]),
        output: None,
        hints: Hints { read_only: true, destructive: false, idempotent: false, open_world },
        meta: long_results(),
        turn: Turn::Gate,
        progress: true,
    }
}

fn properties() -> Vec<(&'static str, Value)> {
    let view = json!({
        "type": "string",
        "enum": ["tree", "content", "tree-content"],
        "default": "tree-content",
        "description": "Default tree-content.",
    });
    let format = json!({
        "type": "string",
        "enum": ["text", "markdown", "json", "xml"],
        "default": "markdown",
        "description": "Default markdown.",
    });
    vec![
        shared::project(),
        shared::branch(),
        shared::paths(),
        shared::include_patterns(),
        shared::exclude_patterns(),
        shared::profile(),
        shared::detail(true),
        shared::tracked_only(),
        shared::git_scope(),
        (
            "max_tokens",
            integer(1, INTEGER_MAX, "Budget of estimated content tokens, 1 or more. Default unlimited."),
        ),
        shared::max_file_bytes(),
        ("view", view),
        ("format", format),
    ]
}

fn read(arguments: Map<String, Value>) -> Result<PackRequest, Failure> {
    let arguments = Arguments::new(arguments, &names(&properties()))?;
    let views = [("tree", View::Tree), ("content", View::Content), ("tree-content", View::TreeContent)];
    let formats = [
        ("text", PackFormat::Text),
        ("markdown", PackFormat::Markdown),
        ("json", PackFormat::Json),
        ("xml", PackFormat::Xml),
    ];
    Ok(PackRequest {
        target: read_target(&arguments)?,
        narrowing: read_narrowing(&arguments)?,
        profile: arguments.text_or_empty("profile")?,
        detail: read_detail(&arguments)?,
        max_tokens: arguments.integer("max_tokens", 1, INTEGER_MAX)?,
        view: arguments.choice("view", &views)?.unwrap_or_default(),
        format: arguments.choice("format", &formats)?.unwrap_or_default(),
    })
}

pub(super) fn run<S: ProjectService>(
    surface: &ProjectSurface<S>,
    arguments: Map<String, Value>,
    context: &CallContext<'_>,
) -> Result<Reply, Failure> {
    let outcome = surface.service().pack(&read(arguments)?, context.watch)?;
    let text = match outcome.value {
        PackAnswer::Inline { document, report, .. } => inline(&document, report.as_deref(), &outcome.notices),
        PackAnswer::Stored {
            id, characters, lines, preview, is_preview_cut, report, is_report_cut, ..
        } => {
            let header = format!(
                "Pack stored as '{id}' ({characters} characters). Call read_pack with this pack_id and start_line \
                 1 to read its {lines} lines; the id is valid until this server ends."
            );
            let mut trailers = within(outcome.notices.iter().map(notice_line).collect());
            if is_report_cut {
                trailers.insert(0, REPORT_CUT.to_owned());
            }
            stored(&header, (&preview, is_preview_cut), report.as_deref(), trailers, surface.page_chars())
        }
    };
    Ok(Reply::text(text).with_meta(long_results()))
}

/// The document, the report in a block of its own, and the notices.
fn inline(document: &str, report: Option<&str>, notices: &[Notice]) -> String {
    let mut text = spotlight::wrap(document);
    if let Some(report) = report {
        text.push_str("\n\n");
        text.push_str(&spotlight::wrap(report));
    }
    with_trailers(text, &notices.iter().map(notice_line).collect::<Vec<_>>())
}

/// The header, the tree (and whether it was cut before), the report and the trailers, together at most `chars_max`
/// characters. The tree gives way.
fn stored(
    header: &str,
    (preview, is_preview_cut): (&str, bool),
    report: Option<&str>,
    mut trailers: Vec<String>,
    chars_max: usize,
) -> String {
    let report_block = report.map(|report| format!("\n\n{}", spotlight::wrap(report))).unwrap_or_default();
    let layout = |preview: &str, trailers: &[String]| {
        with_trailers(format!("{header}\n\n{}{report_block}", spotlight::wrap(preview)), trailers)
    };
    if is_preview_cut {
        trailers.insert(0, PREVIEW_CUT.to_owned());
    }
    let whole = layout(preview, &trailers);
    if whole.chars().count() <= chars_max {
        return whole;
    }
    if !is_preview_cut {
        trailers.insert(0, PREVIEW_CUT.to_owned());
    }
    let over = layout("", &trailers).chars().count();
    layout(cut::share(preview, usize::MAX, chars_max.saturating_sub(over)).0, &trailers)
}

/// As many notices as fit their share, and a marker when that is not all.
fn within(lines: Vec<String>) -> Vec<String> {
    let chars = |line: &String| line.chars().count() + 1;
    // The last line has no line end after it.
    if lines.iter().map(chars).sum::<usize>() <= NOTICES_CHARS_MAX + 1 {
        return lines;
    }
    let mut left = NOTICES_CHARS_MAX - NOTICES_CUT.len();
    let mut kept = Vec::new();
    for line in lines {
        let Some(rest) = left.checked_sub(chars(&line)) else { break };
        left = rest;
        kept.push(line);
    }
    kept.push(NOTICES_CUT.to_owned());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_chars_max_is_2_000_characters() {
        let lines = |last: usize| vec!["é".repeat(999), "é".repeat(last)];
        for last in [999, 1_000] {
            assert_eq!(within(lines(last)), lines(last));
        }
        let cut = within(lines(1_001));
        assert_eq!(cut, ["é".repeat(999), NOTICES_CUT.to_owned()]);
        let many = within(vec!["x".repeat(10); 1_000]);
        assert_eq!(many.join("\n").chars().count(), 2_000 - (2_000 - NOTICES_CUT.len()) % 11);
        assert_eq!(within(vec!["x".repeat(2_001)]), [NOTICES_CUT]);
    }
}
