//! `docforge_search` on the wire.

use ::docs::limits::QUERY_CHARS_MAX;
use ::docs::{Column, Query, QueryFault, SearchScope};
use fault::DocsCode;
use serde_json::{Map, Value, json};

use super::call::{Call, List, check_types, filter, filter_argument, names, too_complex};
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault};
use super::schema::{
    About, READING, count, cursor, limit, list, map, node, text_argument, texts, tool as make, where_filter,
    words,
};
use super::shape::{node_ref_with, one, put_doc};
use crate::args::{ArgTrouble, Arguments};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_search";

const LIMIT_MAX: usize = 50;
const LIMIT: usize = 20;

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        text_argument(
            "query",
            QUERY_CHARS_MAX,
            "Words that must all match; \"a phrase\", begin*, -without, a | b. 1 to 512 characters, at most 24 terms.",
        ),
        words("types", 100, "Only nodes of these types. Default all."),
        where_filter(),
        limit(LIMIT_MAX, LIMIT),
        cursor(),
    ]
}

pub(super) fn tool() -> Tool {
    let hit = node(vec![("class", count()), ("score", json!({"type": "number"})), ("matched", texts())], &[]);
    make(
        About {
            name: NAME,
            title: "Search nodes",
            description: "Nodes that words mean, best first: exact id (class 0), old id (1), title (2), start of an id (3), then \
                          text by rank (4). Looks at ids, aliases, titles, headings, fields and bodies, folding case and \
                          accents. `matched` says where; `doc.snippet` shows the place in the body.",
            hints: READING,
        },
        properties(),
        &["query"],
        closed_object(vec![("hits", list(hit)), ("doc", map()), ("hidden", texts())], &["hits", "doc"]),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let text = arguments.text("query")?.ok_or_else(|| {
        DocFault::new(DocsCode::InvalidArguments, "'query' is required and must be a string.")
    })?;
    Arguments::at_most("query", &text, QUERY_CHARS_MAX, ArgTrouble::Pattern)?;
    let query = read_query(&text)?;
    let types = names(&arguments, "types")?;
    let condition = filter_argument(&arguments, "where")?;
    let most = call.limit(&arguments, LIMIT_MAX, LIMIT)?;
    let cursor = arguments.filled_text("cursor")?;
    let snapshot = call.snapshot()?;
    check_types(&snapshot, &types)?;
    let condition = condition.map(|text| filter(&snapshot, &text)).transpose()?;
    let scope = SearchScope { types: &types, filter: condition.as_ref() };
    let hits = snapshot.search(&query, scope).map_err(|_| too_complex())?;
    let list = List { total: hits.len(), limit: most, cursor, state: snapshot.snapshot_id() };
    let (shown, page) = call.page(list, hits.iter(), |hit| {
        let node = snapshot.node(hit.node);
        let mut doc = one("title", node.title.as_str());
        doc.insert("snippet".to_owned(), snapshot.snippet(hit.node, &query).into());
        let mut out = node_ref_with(node, doc);
        out.insert("class".to_owned(), hit.class.into());
        out.insert("score".to_owned(), json!(hit.score));
        let matched: Vec<&str> = hit.matched.iter().copied().map(Column::as_str).collect();
        out.insert("matched".to_owned(), matched.into());
        Value::Object(out)
    })?;
    let mut out = Map::new();
    out.insert("hits".to_owned(), shown.into());
    put_doc(&mut out, one("query_terms", query.terms()));
    Ok(Answer { result: out, page: Some(page), ..Answer::default() })
}

/// A query, or what is wrong with it.
pub(super) fn read_query(text: &str) -> Result<Query, DocFault> {
    Query::parse(text).map_err(|fault: QueryFault| {
        let code = DocsCode::parse(fault.code()).unwrap_or(DocsCode::QuerySyntax);
        DocFault::new(code, format!("{fault}. {}", code.remedy()))
    })
}
