//! `docforge_get_node` on the wire: one node, a piece of its body at a time.

use ::docs::{EdgeKind, Node, NodeIx, Snapshot, limits};
use fault::DocsCode;
use serde_json::{Map, Value, json};

use super::call::{Call, id_argument, names, node};
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault, Warning};
use super::page::{Ceiling, fitting};
use super::schema::{
    About, READING, count, diagnostic, edge, id, integer, list, node as node_schema, text, texts,
    tool as make, words,
};
use super::shape;
use crate::catalog::Tool;

pub(super) const NAME: &str = "docforge_get_node";

const PARTS: [&str; 5] = ["body", "fields", "relations", "inbound", "diagnostics"];
const BODY_BYTES_MAX: usize = 24 * 1024;
const BODY_BYTES: usize = 16 * 1024;
/// Edges that are shown of each side.
const EDGES_SHOWN: usize = 50;
/// Bytes of JSON that the edges of one side may take.
const EDGES_BYTES: usize = 16 * 1024;
/// Characters of JSON that are kept free around the body.
const AROUND_CHARS: usize = 2_000;

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        id(),
        words(
            "include",
            PARTS.len(),
            "Parts: body, fields, relations, inbound, diagnostics. Default all but diagnostics.",
        ),
        (
            "body_offset",
            json!({"type": "integer", "minimum": 0, "default": 0, "description": "First byte of the body, `doc.body_next` of the piece before. Default 0."}),
        ),
        integer("body_limit", (1, BODY_BYTES_MAX), BODY_BYTES, "Bytes of the body."),
    ]
}

pub(super) fn tool() -> Tool {
    let further = vec![
        ("resolved_via", text()),
        ("aliases", texts()),
        ("ordinal", count()),
        ("source", text()),
        ("relations", list(edge(true))),
        ("relations_total", count()),
        ("inbound", list(edge(true))),
        ("inbound_total", count()),
        ("diagnostics", list(diagnostic())),
        ("diagnostics_total", count()),
    ];
    let maybe =
        ["relations", "relations_total", "inbound", "inbound_total", "diagnostics", "diagnostics_total"];
    make(
        About {
            name: NAME,
            title: "Get a node",
            description: "One node by id: type, place, hash, fields, relations out and in, and its Markdown body, a piece at a \
                          time (`doc.body_next` is where the next one begins, null at the end). `node_hash` is the \
                          `base_hash` of a proposal. At most 50 edges a side are shown; the totals are exact, and \
                          docforge_backlinks and docforge_dependencies list the rest.",
            hints: READING,
        },
        properties(),
        &["id"],
        node_schema(further, &maybe),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let id = id_argument(&arguments, "id")?;
    let include = names(&arguments, "include")?;
    if let Some(wrong) = include.iter().find(|part| !PARTS.contains(&part.as_str())) {
        let near = ::docs::near(wrong, PARTS, 1);
        let text = format!("'include' takes {}.", PARTS.join(", "));
        return Err(DocFault::new(DocsCode::InvalidArguments, text).with("near", near).into());
    }
    let shows = |part: &str| {
        if include.is_empty() { part != "diagnostics" } else { include.iter().any(|one| one == part) }
    };
    let offset = arguments.integer("body_offset", 0, u64::from(u32::MAX))?.unwrap_or(0);
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    let most = if call.ceiling == Ceiling::None { u32::MAX as usize } else { BODY_BYTES_MAX };
    let default = if call.ceiling == Ceiling::None { most } else { BODY_BYTES };
    let limit = arguments.integer("body_limit", 1, most as u64)?;
    let limit = limit.map_or(default, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let snapshot = call.snapshot()?;
    let (ix, by_alias) = node(&snapshot, &id)?;
    let node = snapshot.node(ix);
    if shows("body") && (offset > node.body.len() || !node.body.is_char_boundary(offset)) {
        let text =
            "'body_offset' is not the start of a character of the body; use body_next of the piece before.";
        return Err(DocFault::new(DocsCode::InvalidArguments, text)
            .with("body_total", node.body.len())
            .into());
    }
    let mut answer = Answer::default();
    let mut out = Map::new();
    out.insert("resolved_via".to_owned(), if by_alias { "alias" } else { "id" }.into());
    out.insert("aliases".to_owned(), node.aliases.clone().into());
    out.insert("ordinal".to_owned(), node.ordinal.into());
    out.insert("source".to_owned(), node.source.as_str().into());
    for (part, is_out) in [("relations", true), ("inbound", false)] {
        if shows(part) {
            let (shown, all) = edges(call, &snapshot, ix, is_out);
            if shown.len() < all {
                answer.warnings.push(MORE_EDGES);
            }
            out.insert(part.to_owned(), shown.into());
            out.insert(format!("{part}_total"), all.into());
        }
    }
    if shows("diagnostics") {
        let own: Vec<_> =
            snapshot.diagnostics().iter().filter(|one| one.node.as_ref() == Some(&node.id)).collect();
        let bytes = call.bytes_aim().min(EDGES_BYTES);
        let shown = fitting(own.iter(), usize::MAX, bytes, |one| shape::diagnostic(one));
        if shown.len() < own.len() {
            answer.warnings.push(MORE_FINDINGS);
        }
        out.insert("diagnostics".to_owned(), shown.into());
        out.insert("diagnostics_total".to_owned(), own.len().into());
    }
    let mut doc = shape::one("title", node.title.as_str());
    if shows("fields") {
        let fields = node.fields.iter().map(|field| (field.name.clone(), field.value.to_json()));
        doc.insert("fields".to_owned(), Value::Object(fields.collect()));
    }
    let mut result = Map::new();
    if shows("body") {
        let used = Value::Object(out.clone()).to_string().chars().count()
            + Value::Object(doc.clone()).to_string().chars().count();
        let room = match call.ceiling {
            Ceiling::Wire => limits::ANSWER_CHARS_MAX.saturating_sub(used + AROUND_CHARS + 2_000),
            Ceiling::None => usize::MAX,
        };
        put_body(node, offset, limit, room, &mut doc);
    }
    result.extend(shape::node_ref_with(node, doc));
    result.extend(out);
    answer.result = result;
    Ok(answer)
}

const MORE_EDGES: Warning = Warning {
    code: "more_edges",
    message: "Not every edge is shown; docforge_dependencies and docforge_backlinks list them.",
};
const MORE_FINDINGS: Warning = Warning {
    code: "more_diagnostics",
    message: "Not every finding is shown; docforge_validate_project with `node` lists them.",
};

/// The first stated relations of one side, and how many there are.
fn edges(call: &Call<'_>, snapshot: &Snapshot, ix: NodeIx, is_out: bool) -> (Vec<Value>, usize) {
    let stated = |edge: &&::docs::Edge| edge.kind == EdgeKind::Relation;
    let all: Vec<_> = if is_out {
        snapshot.out(ix).filter(stated).collect()
    } else {
        snapshot.inbound(ix).filter(stated).collect()
    };
    let (most, bytes) = match call.ceiling {
        Ceiling::Wire => (EDGES_SHOWN, EDGES_BYTES),
        Ceiling::None => (usize::MAX, usize::MAX),
    };
    let shown = fitting(all.iter(), most, bytes, |edge| {
        shape::edge_with_node(snapshot, edge, if is_out { edge.to } else { edge.from })
    });
    (shown, all.len())
}

/// A piece of the body: at most `limit` bytes, and `room` characters once it is written as JSON.
fn put_body(node: &Node, offset: usize, limit: usize, room: usize, doc: &mut Map<String, Value>) {
    let rest = &node.body[offset..];
    let mut end = 0;
    let mut written = 0;
    for (at, letter) in rest.char_indices() {
        written += json_chars(letter);
        if at + letter.len_utf8() > limit || written > room {
            break;
        }
        end = at + letter.len_utf8();
    }
    // A character that is longer than the limit is given whole: a reader must get on.
    if end == 0
        && let Some(first) = rest.chars().next()
    {
        end = first.len_utf8();
    }
    let next = offset + end;
    doc.insert("body".to_owned(), rest[..end].into());
    doc.insert("body_total".to_owned(), node.body.len().into());
    doc.insert("body_next".to_owned(), if next < node.body.len() { json!(next) } else { Value::Null });
}

/// Characters that one character takes in JSON.
fn json_chars(letter: char) -> usize {
    match letter {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        letter if letter < ' ' => 6,
        _ => 1,
    }
}
