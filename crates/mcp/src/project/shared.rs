//! What several tools share on the wire: the schemas and the reading of common arguments. It knows no single tool.

use ::project::limits;
use ::project::request::{Detail, Narrowing, Target};
use fault::{Code, Failure, Fault};
use serde_json::{Map, Value, json};

use crate::args::{ArgFault, ArgTrouble, Arguments, ListBounds};
use crate::catalog::Hints;

/// The largest integer that every client and schema reader takes: a signed 64-bit one.
pub(super) const INTEGER_MAX: u64 = i64::MAX as u64;

/// How many characters a Claude client may keep of one result.
pub(super) const RESULT_CHARS: u32 = 200_000;

impl From<ArgFault> for Failure {
    fn from(fault: ArgFault) -> Failure {
        let code = match fault.kind {
            ArgTrouble::Invalid => Code::InvalidArguments,
            ArgTrouble::Range | ArgTrouble::Inexact => Code::InvalidRange,
            ArgTrouble::Pattern => Code::InvalidPattern,
        };
        Failure::Fault(Fault::new(code, fault.text))
    }
}

/// The hints of a tool that only reads.
pub(super) fn reading(open_world: bool) -> Hints {
    Hints { read_only: true, destructive: false, idempotent: true, open_world }
}

/// The metadata of tools whose results are meant to be long.
pub(super) fn long_results() -> Option<Map<String, Value>> {
    Some(Map::from_iter([("anthropic/maxResultSizeChars".to_owned(), json!(RESULT_CHARS))]))
}

pub(super) fn project() -> (&'static str, Value) {
    let text =
        "Root path from list_projects, or a Git URL if the server allows remote. Optional with one root.";
    ("project", json!({"type": "string", "description": text}))
}

pub(super) fn branch() -> (&'static str, Value) {
    ("branch", json!({"type": "string", "minLength": 1, "description": "Branch; only with a Git URL."}))
}

fn globs(name: &'static str, text: &str) -> (&'static str, Value) {
    let item = json!({"type": "string", "minLength": 1, "maxLength": limits::GLOB_CHARS_MAX});
    (name, json!({"type": "array", "items": item, "maxItems": limits::GLOBS_MAX, "description": text}))
}

pub(super) fn include_patterns() -> (&'static str, Value) {
    globs(
        "include_patterns",
        "Globs of which a file must match one, e.g. `src/**/*.rs`. Up to 256, 1-512 characters each.",
    )
}

pub(super) fn exclude_patterns() -> (&'static str, Value) {
    globs("exclude_patterns", "Globs of files to leave out; beats include. Up to 256, 1-512 characters each.")
}

pub(super) fn paths() -> (&'static str, Value) {
    let item = json!({"type": "string", "minLength": 1, "maxLength": limits::PATH_CHARS_MAX});
    let text = "Existing files or folders below the root. Up to 256, 1-4096 characters each. Default all.";
    ("paths", json!({"type": "array", "items": item, "maxItems": limits::PATHS_MAX, "description": text}))
}

pub(super) fn profile() -> (&'static str, Value) {
    let text = "`standard`, `local`, or the path of a profile JSON in the project. Default: server baseline.";
    ("profile", json!({"type": "string", "minLength": 1, "description": text}))
}

/// With the languages that are reduced where `languages` asks for them: the list is paid for in every connection.
pub(super) fn detail(languages: bool) -> (&'static str, Value) {
    let mut text = String::from(
        "`full` (default), `compact` without comments and blank lines, `signatures` also without bodies.",
    );
    if languages {
        let names: Vec<&str> = Detail::languages().collect();
        text = format!("{text} Reduces {}; other files stay whole.", names.join(", "));
    }
    (
        "detail",
        json!({"type": "string", "enum": ["full", "compact", "signatures"], "default": "full", "description": text}),
    )
}

pub(super) fn tracked_only() -> (&'static str, Value) {
    (
        "tracked_only",
        json!({"type": "boolean", "default": false, "description": "Only files in the Git index. Default false."}),
    )
}

pub(super) fn git_scope() -> (&'static str, Value) {
    let text = "`staged`, `changes` or `diff:A..B`: only files in that Git state. Up to 4096 characters.";
    (
        "git_scope",
        json!({"type": "string", "minLength": 1, "maxLength": limits::GIT_SCOPE_CHARS_MAX, "description": text}),
    )
}

pub(super) fn max_file_bytes() -> (&'static str, Value) {
    let text = "Leave out files larger than this many bytes, 1 or more.";
    ("max_file_bytes", integer(1, INTEGER_MAX, text))
}

/// An integer in a schema; `text` says the bounds again.
pub(super) fn integer(min: u64, max: u64, text: &str) -> Value {
    let mut schema = json!({"type": "integer", "minimum": min});
    if max < INTEGER_MAX {
        schema["maximum"] = json!(max);
    }
    schema["description"] = json!(text);
    schema
}

/// The names of a schema's properties.
pub(super) fn names(properties: &[(&'static str, Value)]) -> Vec<&'static str> {
    properties.iter().map(|(name, _)| *name).collect()
}

const GLOB_RULES: &str =
    "; globs are relative to the root, use `/`, `*` stays within one folder and `**` crosses folders";

fn read_globs(arguments: &Arguments, name: &'static str) -> Result<Vec<String>, ArgFault> {
    let bounds = ListBounds {
        items_max: limits::GLOBS_MAX,
        item_chars_max: limits::GLOB_CHARS_MAX,
        trouble: ArgTrouble::Pattern,
        rules: GLOB_RULES,
        may_be_blank: false,
    };
    arguments.list(name, bounds)
}

pub(super) fn read_target(arguments: &Arguments) -> Result<Target, ArgFault> {
    Ok(Target { project: arguments.text_or_empty("project")?, branch: arguments.filled_text("branch")? })
}

/// Reads every narrowing argument; a tool without one of them has refused its name before.
pub(super) fn read_narrowing(arguments: &Arguments) -> Result<Narrowing, ArgFault> {
    let bounds = ListBounds {
        items_max: limits::PATHS_MAX,
        item_chars_max: limits::PATH_CHARS_MAX,
        trouble: ArgTrouble::Invalid,
        rules: "",
        may_be_blank: false,
    };
    let git_scope = arguments.filled_text("git_scope")?;
    if let Some(scope) = &git_scope {
        Arguments::at_most("git_scope", scope, limits::GIT_SCOPE_CHARS_MAX, ArgTrouble::Invalid)?;
    }
    Ok(Narrowing {
        include_patterns: read_globs(arguments, "include_patterns")?,
        exclude_patterns: read_globs(arguments, "exclude_patterns")?,
        paths: arguments.list("paths", bounds)?,
        tracked_only: arguments.boolean("tracked_only")?.unwrap_or(false),
        git_scope,
        max_file_bytes: arguments.integer("max_file_bytes", 1, INTEGER_MAX)?,
    })
}

pub(super) fn read_detail(arguments: &Arguments) -> Result<Detail, ArgFault> {
    let words = [("full", Detail::Full), ("compact", Detail::Compact), ("signatures", Detail::Signatures)];
    Ok(arguments.choice("detail", &words)?.unwrap_or_default())
}

pub(super) fn detail_word(detail: Detail) -> &'static str {
    match detail {
        Detail::Full => "full",
        Detail::Compact => "compact",
        Detail::Signatures => "signatures",
    }
}

/// A count that fits a smaller type because its bounds were checked.
pub(super) fn small(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
