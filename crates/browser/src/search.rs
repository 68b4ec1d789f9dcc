//! `/api/v1/search`: nodes by words, types, a condition and a state, in pages. It draws nothing.

use docs::{
    Column, Contract, Filter, FilterFault, FilterScope, Hash, Hit, NodeIx, Query, QueryFault, SearchScope,
    Snapshot, TooComplex,
};
use serde_json::{Map, Value, json};

use crate::faults::Refusal;
use crate::limits::{SEARCH_LIMIT, SEARCH_LIMIT_MAX, TYPES_MAX};
use crate::node::{mark_hidden, reference};
use crate::params::{Params, bad};

const KNOWN: &[(&str, bool)] = &[
    ("q", false),
    ("types", false),
    ("where", false),
    ("state", false),
    ("limit", false),
    ("cursor", false),
];
const STATES: [&str; 5] = ["error", "warn", "suspect", "orphan", "clean"];
/// Characters of a snippet that are sent.
const SNIPPET_CHARS_MAX: usize = 400;

/// What a request asks for.
#[derive(Debug)]
pub(crate) struct Asked {
    query: Option<Query>,
    types: Vec<String>,
    filter: Option<Filter>,
    state: Option<&'static str>,
    pub(crate) limit: usize,
    /// Hits that were sent already.
    skip: usize,
    /// Names everything above but the place, so that a cursor fits its own question alone.
    mark: String,
}

impl Asked {
    /// Reads and checks the query of a request.
    pub(crate) fn read(query: Option<&str>, snapshot: &Snapshot) -> Result<Asked, Refusal> {
        let params = Params::read(query, KNOWN)?;
        let contract = snapshot.contract();
        let text = params.one("q").filter(|text| !text.trim().is_empty());
        let parsed = text.map(Query::parse).transpose().map_err(|fault| query_refusal(&fault))?;
        let types = types(&params, contract)?;
        let filter = params.one("where").filter(|text| !text.trim().is_empty());
        let filter = filter
            .map(|text| Filter::parse(text, &FilterScope::of(contract)))
            .transpose()
            .map_err(|fault| filter_refusal(&fault))?;
        let state = match params.one("state") {
            None => None,
            Some(word) => Some(
                STATES
                    .into_iter()
                    .find(|known| *known == word)
                    .ok_or_else(|| bad("`state` is one of error, warn, suspect, orphan, clean."))?,
            ),
        };
        let limit = params.number("limit", SEARCH_LIMIT, SEARCH_LIMIT_MAX)?;
        let parts = json!([text, types, filter.as_ref().map(Filter::source), state, snapshot.snapshot_id()]);
        let mark = Hash::of(&[parts.to_string().as_bytes()]).hex()[..16].to_owned();
        let skip = match params.one("cursor") {
            None => 0,
            Some(cursor) => cursor
                .split_once('.')
                .filter(|(of, _)| *of == mark)
                .and_then(|(_, place)| place.parse().ok())
                .ok_or_else(|| bad("The cursor belongs to another search."))?,
        };
        Ok(Asked { query: parsed, types, filter, state, limit, skip, mark })
    }
}

fn types(params: &Params, contract: &Contract) -> Result<Vec<String>, Refusal> {
    let mut types: Vec<String> = Vec::new();
    for name in params.list("types") {
        if contract.type_def(name).is_none() {
            return Err(bad("`types` names a type that the contract does not declare."));
        }
        if !types.iter().any(|known| known == name) {
            types.push(name.to_owned());
        }
    }
    if types.len() > TYPES_MAX {
        return Err(bad("`types` names too many types."));
    }
    types.sort_unstable();
    Ok(types)
}

fn query_refusal(fault: &QueryFault) -> Refusal {
    bad(format!("The words cannot be searched for: {fault}."))
}

fn filter_refusal(fault: &FilterFault) -> Refusal {
    let mut message =
        format!("The condition is not valid at character {}: {}", fault.position, fault.message);
    if !message.ends_with('.') {
        message.push('.');
    }
    if !fault.near.is_empty() {
        let near: Vec<String> = fault.near.iter().map(|name| format!("`{name}`")).collect();
        message.push_str(&format!(" Did you mean {}?", near.join(", ")));
    }
    bad(message)
}

impl From<TooComplex> for Refusal {
    fn from(fault: TooComplex) -> Refusal {
        bad(format!("The condition is too much work: {fault}."))
    }
}

/// The hits of one page.
pub(crate) fn found(asked: &Asked, limit: usize, snapshot: &Snapshot) -> Result<Value, Refusal> {
    let mut hits = hits(asked, snapshot)?;
    // What the chips say: how many there would be of each type, whatever types are chosen.
    let mut by_type: Map<String, Value> = Map::new();
    for kind in &snapshot.contract().types {
        let count = hits.iter().filter(|hit| snapshot.node(hit.node).type_name == kind.name).count();
        if count > 0 {
            by_type.insert(kind.name.clone(), Value::from(count));
        }
    }
    if !asked.types.is_empty() {
        hits.retain(|hit| asked.types.contains(&snapshot.node(hit.node).type_name));
    }
    let total = hits.len();
    let page: Vec<Value> =
        hits.iter().skip(asked.skip).take(limit).map(|hit| shown(asked, hit, snapshot)).collect();
    let next = asked.skip + page.len();
    let terms = asked.query.as_ref().map(Query::terms).unwrap_or_default();
    Ok(json!({
        "hits": page,
        "total": total,
        "skipped": asked.skip.min(total),
        "by_type": by_type,
        "next_cursor": (next < total && !page.is_empty()).then(|| format!("{}.{next}", asked.mark)),
        "doc": { "query_terms": terms },
    }))
}

/// Every hit but for the types, best first; without words, in the order of ids.
fn hits(asked: &Asked, snapshot: &Snapshot) -> Result<Vec<Hit>, Refusal> {
    let mut hits = match &asked.query {
        Some(query) => snapshot.search(query, SearchScope { types: &[], filter: asked.filter.as_ref() })?,
        None => {
            let all = |node: NodeIx| Hit { node, class: 4, score: 0.0, matched: Vec::new() };
            match &asked.filter {
                Some(filter) => filter.select(snapshot)?.into_iter().map(all).collect(),
                None => snapshot.indices().map(all).collect(),
            }
        }
    };
    if let Some(word) = asked.state {
        hits.retain(|hit| {
            let state = snapshot.node(hit.node).state;
            match word {
                "error" => state.error,
                "warn" => state.warn,
                "suspect" => state.suspect,
                "orphan" => state.orphan,
                _ => state.is_clean(),
            }
        });
    }
    Ok(hits)
}

fn shown(asked: &Asked, hit: &Hit, snapshot: &Snapshot) -> Value {
    let mut object = reference(snapshot, hit.node);
    let Some(query) = &asked.query else { return Value::Object(object) };
    object.insert("class".to_owned(), Value::from(hit.class));
    object.insert("score".to_owned(), Value::from(hit.score));
    object.insert("matched".to_owned(), hit.matched.iter().copied().map(Column::as_str).collect());
    let snippet = snapshot.snippet(hit.node, query);
    let (snippet, _) = crate::node::cut_chars(&snippet, SNIPPET_CHARS_MAX);
    let title = object["doc"]["title"].as_str().unwrap_or_default().to_owned();
    mark_hidden(&mut object, [title.as_str(), snippet]);
    object.insert("doc".to_owned(), json!({ "title": title, "snippet": snippet }));
    Value::Object(object)
}
