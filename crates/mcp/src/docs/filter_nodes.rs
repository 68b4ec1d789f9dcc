//! `docforge_filter_nodes` on the wire.

use ::docs::{NodeIx, Snapshot, SortKey, WordFault, near};
use fault::DocsCode;
use serde_json::{Map, Value, json};

use super::call::{Call, List, filter, filter_argument, names, too_complex};
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault};
use super::page::total;
use super::schema::{
    About, READING, cursor, limit, list, map, node, switch, text_argument, texts, tool as make, where_filter,
    words,
};
use super::shape::{node_ref_with, one, put_doc};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_filter_nodes";

const LIMIT_MAX: usize = 200;
const LIMIT: usize = 50;
const FIELDS_MAX: usize = 10;
const SORT_MAX: usize = 8;

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        where_filter(),
        words(
            "sort",
            SORT_MAX,
            "id, title, type, path or field:NAME, `-` in front for descending. Ties by id.",
        ),
        words("fields", FIELDS_MAX, "Fields that are shown under `doc.fields`, at most 10."),
        text_argument("group_by", 80, "type, path_dir or field:NAME: counts of groups in place of nodes."),
        switch("count_only", "Only `total`. Default false."),
        limit(LIMIT_MAX, LIMIT),
        cursor(),
    ]
}

pub(super) fn tool() -> Tool {
    let group = closed_object(
        vec![("count", super::schema::count()), ("doc", map()), ("hidden", texts())],
        &["count", "doc"],
    );
    make(
        About {
            name: NAME,
            title: "Filter nodes",
            description: "The nodes that meet a condition, sorted, or how many of them there are by type, folder or field. Names and \
                          values are checked against the contract, so that a slip is an error and not an empty list.",
            hints: READING,
        },
        properties(),
        &[],
        closed_object(
            vec![("nodes", list(node(Vec::new(), &[]))), ("groups", list(group)), ("total", json!({}))],
            &["total"],
        ),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let condition = filter_argument(&arguments, "where")?;
    let sort = names(&arguments, "sort")?;
    let fields = names(&arguments, "fields")?;
    for (name, given, most) in [("sort", sort.len(), SORT_MAX), ("fields", fields.len(), FIELDS_MAX)] {
        if given > most {
            let text = format!("'{name}' holds {given} items, at most {most} are accepted.");
            return Err(DocFault::new(DocsCode::InvalidArguments, text).into());
        }
    }
    let group_by = arguments.filled_text("group_by")?;
    let count_only = arguments.boolean("count_only")?.unwrap_or(false);
    if group_by.is_some() && (count_only || !sort.is_empty() || !fields.is_empty()) {
        let text = "'group_by' goes without 'sort', 'fields' and 'count_only'.";
        return Err(DocFault::new(DocsCode::InvalidArguments, text).into());
    }
    let most = call.limit(&arguments, LIMIT_MAX, LIMIT)?;
    let cursor = arguments.filled_text("cursor")?;
    let snapshot = call.snapshot()?;
    let contract = snapshot.contract();
    let keys: Vec<SortKey> =
        sort.iter().map(|word| contract.sort_key(word).map_err(word_fault)).collect::<Result<_, _>>()?;
    if let Some(unknown) = fields.iter().find(|name| !is_shown(&snapshot, name)) {
        let near = near(unknown, contract.field_names(), 3);
        return Err(DocFault::of(DocsCode::FieldUnknown).with("near", near).into());
    }
    let group_by = group_by.map(|word| contract.group_key(&word).map_err(word_fault)).transpose()?;
    let mut nodes: Vec<NodeIx> = match condition {
        Some(text) => filter(&snapshot, &text)?.select(&snapshot).map_err(|_| too_complex())?,
        None => snapshot.indices().collect(),
    };
    let mut out = Map::new();
    out.insert("total".to_owned(), total(nodes.len()));
    if count_only {
        return Ok(Answer { result: out, ..Answer::default() });
    }
    if let Some(key) = group_by {
        let groups = snapshot.groups(&nodes, &key);
        let list = List { total: groups.len(), limit: most, cursor, state: snapshot.snapshot_id() };
        let (shown, page) = call.page(list, groups.iter(), |(key, count)| {
            let mut group = one("count", *count);
            put_doc(&mut group, one("key", key.as_str()));
            Value::Object(group)
        })?;
        out.insert("groups".to_owned(), shown.into());
        return Ok(Answer { result: out, page: Some(page), ..Answer::default() });
    }
    if !keys.is_empty() {
        snapshot.sort(&mut nodes, &keys);
    }
    let list = List { total: nodes.len(), limit: most, cursor, state: snapshot.snapshot_id() };
    let (shown, page) = call.page(list, nodes.iter(), |ix| {
        let node = snapshot.node(*ix);
        let mut doc = one("title", node.title.as_str());
        if !fields.is_empty() {
            let shown = fields.iter().filter_map(|name| Some((name.clone(), node.field(name)?.to_json())));
            doc.insert("fields".to_owned(), Value::Object(shown.collect()));
        }
        Value::Object(node_ref_with(node, doc))
    })?;
    out.insert("nodes".to_owned(), shown.into());
    Ok(Answer { result: out, page: Some(page), ..Answer::default() })
}

/// Whether nodes can have a field: one that is declared, or any where undeclared ones are kept.
fn is_shown(snapshot: &Snapshot, name: &str) -> bool {
    let contract = snapshot.contract();
    contract.has_field(name)
        || contract.types.iter().any(|one| one.unknown_fields != ::docs::UnknownFields::Error)
}

fn word_fault(fault: WordFault) -> DocFault {
    match fault {
        WordFault::Unknown(reason) => {
            DocFault::new(DocsCode::InvalidArguments, format!("Unknown word: {reason}."))
        }
        WordFault::Field(near) => DocFault::of(DocsCode::FieldUnknown).with("near", near),
    }
}
