//! `docforge_validate_project` on the wire: every finding, after a look at the bytes of every file.

use std::collections::BTreeMap;

use ::docs::{Checked, Diagnostic, ProjectState, Severity, near};
use fault::DocsCode;
use serde_json::{Map, Value};

use super::call::{Call, List, names, node, optional_id};
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault};
use super::schema::{
    About, READING, choice, cursor, diagnostic, limit, list, map, text, text_argument, tool as make, words,
};
use super::shape;
use crate::args::{ArgTrouble, Arguments};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_validate_project";

const LIMIT_MAX: usize = 200;
const LIMIT: usize = 50;
const SEVERITIES: [&str; 3] = ["error", "warn", "info"];

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        choice("severity", &SEVERITIES, "Only findings of this severity. Default all."),
        words("codes", 100, "Only findings with these codes, e.g. dangling_relation or rule:ID."),
        text_argument("path", 4_096, "Only findings of this file, or of files below this folder."),
        text_argument("node", 200, "Only findings about this node."),
        limit(LIMIT_MAX, LIMIT),
        cursor(),
    ]
}

pub(super) fn tool() -> Tool {
    make(
        About {
            name: NAME,
            title: "Validate the project",
            description: "Reads every source again and lists what is wrong: code, severity, file, line, column, node, and what \
                          to write instead. `verdict` and the counts are of the whole project; `page.total` is of the \
                          findings that the arguments leave. Answers on a project that cannot be loaded, too.",
            hints: READING,
        },
        properties(),
        &[],
        closed_object(
            vec![
                ("verdict", text()),
                ("counts", map()),
                ("by_code", map()),
                ("diagnostics", list(diagnostic())),
                ("verified", text()),
            ],
            &["verdict", "counts", "by_code", "diagnostics", "verified"],
        ),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let severity =
        arguments.choice("severity", &SEVERITIES.map(|word| (word, Severity::parse(word))))?.flatten();
    let codes = names(&arguments, "codes")?;
    let path = arguments.filled_text("path")?;
    if let Some(path) = &path {
        Arguments::at_most("path", path, 4_096, ArgTrouble::Pattern)?;
    }
    let about = optional_id(&arguments, "node")?;
    let most = call.limit(&arguments, LIMIT_MAX, LIMIT)?;
    let cursor = arguments.filled_text("cursor")?;
    let refresh = call.look(Checked::Hash)?;
    // What stands in the way of loading what is there now comes before what was found in what is served.
    let mut all: Vec<&Diagnostic> = refresh.problems.iter().collect();
    let snapshot = refresh.snapshot.as_deref();
    all.extend(snapshot.iter().flat_map(|one| one.diagnostics()));
    if let Some(code) = codes.iter().find(|code| !is_code(code, snapshot)) {
        return Err(unknown_code(code).into());
    }
    let about = match (about, snapshot) {
        (Some(id), Some(snapshot)) => Some(resolved(snapshot, &id, &all)?),
        (about, _) => about,
    };
    let is_wanted = |one: &&&Diagnostic| {
        severity.is_none_or(|severity| severity == one.severity)
            && (codes.is_empty() || codes.iter().any(|code| *code == one.check.code()))
            && path.as_ref().is_none_or(|path| one.place.path.as_deref().is_some_and(|at| lies_at(at, path)))
            && about.as_ref().is_none_or(|id| one.node.as_ref() == Some(id))
    };
    let wanted: Vec<&Diagnostic> = all.iter().filter(is_wanted).copied().collect();
    let mut by_code: BTreeMap<String, usize> = BTreeMap::new();
    for one in &all {
        *by_code.entry(one.check.code().into_owned()).or_default() += 1;
    }
    let is_valid = refresh.problems.is_empty()
        && snapshot.is_some_and(|snapshot| snapshot.state() == ProjectState::Valid);
    let state = snapshot.map_or("unloadable", |snapshot| snapshot.snapshot_id());
    let list = List { total: wanted.len(), limit: most, cursor, state };
    let (shown, page) = call.page(list, wanted.iter(), |one| shape::diagnostic(one))?;
    let by_code: Map<String, Value> =
        by_code.into_iter().map(|(code, count)| (code, Value::from(count))).collect();
    let mut out = Map::new();
    out.insert("verdict".to_owned(), if is_valid { "pass" } else { "fail" }.into());
    out.insert("counts".to_owned(), shape::severities(all.iter().copied()));
    out.insert("by_code".to_owned(), Value::Object(by_code));
    out.insert("diagnostics".to_owned(), shown.into());
    out.insert("verified".to_owned(), Checked::Hash.as_str().into());
    Ok(Answer { result: out, page: Some(page), ..Answer::default() })
}

/// Whether a path is the wanted one or lies below it.
fn lies_at(path: &str, wanted: &str) -> bool {
    let wanted = wanted.trim_end_matches('/');
    path.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The id that findings name: that of the node, or one that several nodes claim.
fn resolved(snapshot: &::docs::Snapshot, id: &str, all: &[&Diagnostic]) -> Result<String, DocFault> {
    match node(snapshot, id) {
        Ok((ix, _)) => Ok(snapshot.node(ix).id.clone()),
        // A node that is not served can have findings all the same.
        Err(_) if all.iter().any(|one| one.node.as_deref() == Some(id)) => Ok(id.to_owned()),
        Err(fault) if fault.code == DocsCode::NodeAmbiguous => Ok(id.to_owned()),
        Err(fault) => Err(fault),
    }
}

fn is_code(code: &str, snapshot: Option<&::docs::Snapshot>) -> bool {
    let rule = code.strip_prefix("rule:");
    ::docs::Check::BUILT_IN.iter().any(|check| check.code() == code)
        || rule.is_some_and(|rule| {
            snapshot.is_none_or(|one| one.contract().rules.iter().any(|known| known.id == rule))
        })
}

fn unknown_code(code: &str) -> DocFault {
    let known: Vec<_> = ::docs::Check::BUILT_IN.iter().map(::docs::Check::code).collect();
    let near = near(code, known.iter().map(AsRef::as_ref), 3);
    DocFault::new(DocsCode::InvalidArguments, "'codes' names a code that no check has.").with("near", near)
}
