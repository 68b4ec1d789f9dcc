//! `docforge_get_changeset_diff` on the wire: what would change, by node or as a patch.

use ::propose::{Case, NodeDiff, judge, semantic, unified};
use fault::DocsCode;
use serde_json::{Map, Value, json};

use super::call::{Call, List, optional_id};
use super::changesets::{at_desk, changeset_id, head, id_schema, page_state, version_result};
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault, Warning};
use super::page::{Ceiling, Page};
use super::schema::{
    About, READING, choice, count, cursor, flag, limit, list, map, text, text_argument, texts, tool as make,
};
use super::shape::{mark_hidden, one, put_doc};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_get_changeset_diff";

const LIMIT_MAX: usize = 200;
const LIMIT: usize = 50;
/// Bytes of JSON that the change of one node may take.
const NODE_BYTES: usize = 40 * 1024;

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        id_schema(),
        choice(
            "format",
            &["semantic", "unified"],
            "semantic (default) by node, unified as a patch for git apply.",
        ),
        text_argument("node", 200, "Only this node; semantic only."),
        limit(LIMIT_MAX, LIMIT),
        cursor(),
    ]
}

pub(super) fn tool() -> Tool {
    let node = closed_object(
        vec![
            ("id", text()),
            ("kind", text()),
            ("base_state", text()),
            ("location", map()),
            ("relations", map()),
            ("is_cut", flag()),
            ("doc", map()),
            ("hidden", texts()),
        ],
        &["id", "kind", "base_state", "relations", "doc"],
    );
    make(
        About {
            name: NAME,
            title: "Get a diff",
            description: "What a changeset would change. `semantic`: per node fields before and after, relations, place, body \
                          hunks. `unified`: a patch of the files, in pieces with `page.next_cursor`; put the pieces together \
                          and `git apply` takes it. `diff_hash` is the same in both; its first digits are what a person types \
                          to apply. Needs no writer.",
            hints: READING,
        },
        properties(),
        &["changeset_id"],
        closed_object(
            vec![
                ("changeset_id", text()),
                version_result(),
                ("format", text()),
                ("diff_hash", text()),
                ("nodes", list(node)),
                ("bytes_total", count()),
                ("doc", map()),
                ("hidden", texts()),
            ],
            &["changeset_id", "version", "format", "diff_hash"],
        ),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let is_unified = arguments.choice("format", &[("semantic", false), ("unified", true)])?.unwrap_or(false);
    let about = optional_id(&arguments, "node")?;
    if is_unified && about.is_some() {
        return Err(DocFault::new(DocsCode::InvalidArguments, "'node' goes with format 'semantic'.").into());
    }
    let most = call.limit(&arguments, LIMIT_MAX, LIMIT)?;
    let cursor = arguments.filled_text("cursor")?;
    let id = changeset_id(&arguments)?;
    let snapshot = call.snapshot()?;
    let (case, nodes, diff_hash) = at_desk(call, &snapshot, |desk| {
        let case = Case::open(desk, desk.store().read(&id)?)?;
        let validation = judge(desk, &case)?;
        let (nodes, diff_hash) = semantic(desk, &case, &validation.entries);
        Ok((case, nodes, diff_hash))
    })?;
    let state = page_state(&snapshot, &case.stored);
    let mut out = head(&case.stored);
    out.insert("format".to_owned(), if is_unified { "unified" } else { "semantic" }.into());
    out.insert("diff_hash".to_owned(), diff_hash.to_string().into());
    if is_unified {
        return patch(call, out, &unified(&case), cursor.as_deref(), &state, most);
    }
    let wanted: Vec<&NodeDiff> =
        nodes.iter().filter(|one| about.as_ref().is_none_or(|id| one.id == *id)).collect();
    if wanted.is_empty() && about.is_some() {
        let text = "The changeset has no entry for this node.";
        return Err(DocFault::new(DocsCode::NodeNotFound, text).into());
    }
    let mut answer = Answer::default();
    let list = List { total: wanted.len(), limit: most, cursor, state: &state };
    let is_whole = call.ceiling == Ceiling::None;
    let mut is_cut = false;
    let (shown, page) = call.page(list, wanted.iter(), |one| {
        let mut value = one.to_json();
        if !is_whole && value.to_string().len() > NODE_BYTES {
            value = cut(one, &value);
            is_cut = true;
        }
        mark_hidden(&mut value);
        value
    })?;
    if is_cut {
        answer.warnings.push(CUT);
    }
    out.insert("nodes".to_owned(), shown.into());
    answer.result = out;
    answer.page = Some(page);
    Ok(answer)
}

const CUT: Warning = Warning {
    code: "diff_cut",
    message: "The change of a node is too long to be shown; its sizes are given, and format unified shows it in pieces.",
};

/// A change that is too long: which fields and how many lines.
fn cut(node: &NodeDiff, whole: &Value) -> Value {
    let fields: Vec<&str> = node.fields.iter().map(|(name, _, _)| name.as_str()).collect();
    let sizes = |lines: fn(&::docs::lines::Hunk) -> usize| node.body.iter().map(lines).sum::<usize>();
    let mut out = whole.clone();
    out["is_cut"] = true.into();
    out["relations"] = json!({ "added_total": node.added.len(), "removed_total": node.removed.len() });
    out["doc"] = json!({
        "fields_changed": fields,
        "body": { "hunks_total": node.body.len(), "lines_removed": sizes(|one| one.old_lines), "lines_added": sizes(|one| one.new_lines) },
    });
    out
}

/// A piece of the patch; pieces end at line ends unless one line is longer than a piece.
fn patch(
    call: &Call<'_>,
    mut out: Map<String, Value>,
    patch: &str,
    cursor: Option<&str>,
    state: &str,
    limit: usize,
) -> Result<Answer, DocEnd> {
    let start = match call.position(cursor, state)? {
        None => 0,
        Some(position) => position.parse().map_err(|_| DocFault::of(DocsCode::CursorInvalid))?,
    };
    let rest = patch.get(start..).ok_or_else(|| DocFault::of(DocsCode::CursorInvalid))?;
    let most = call.bytes_aim();
    let mut used = 0;
    let mut end = rest.len();
    for (at, letter) in rest.char_indices() {
        used += Value::from(letter.to_string()).to_string().len() - 2;
        if used > most {
            end = rest[..at].rfind('\n').map_or(at, |line| line + 1);
            break;
        }
    }
    let next = start + end;
    let next_cursor = (next < patch.len()).then(|| call.cursor_at(state, &next.to_string()));
    out.insert("bytes_total".to_owned(), patch.len().into());
    put_doc(&mut out, one("unified", &rest[..end]));
    let lines = rest[..end].lines().count();
    let page = Page { limit, returned: lines, total: patch.lines().count(), next_cursor };
    Ok(Answer { result: out, page: Some(page), ..Answer::default() })
}
