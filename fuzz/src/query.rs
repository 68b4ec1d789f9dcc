//! The query language: bounds, and every hit found again by going through the words of all documents.

use docs::{NodeIx, Query, QueryFault, SearchScope, Snapshot, Value};

use super::sample::documents;

/// Holds `bytes` to it.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let query = match Query::parse(text) {
        Ok(query) => query,
        Err(fault) => {
            assert_eq!(fault == QueryFault::TooLong, text.chars().count() > 512, "{fault}");
            assert!(["query_empty", "query_syntax", "argument_too_large"].contains(&fault.code()));
            return;
        }
    };
    let terms = query.terms();
    assert!((1..=24).contains(&terms.len()) && terms.iter().all(|term| !term.is_empty()));
    let snapshot = documents();
    let hits = snapshot.search(&query, SearchScope::default()).expect("there is no filter");
    assert!(hits.windows(2).all(|pair| pair[0].class <= pair[1].class), "best class first");
    for (at, hit) in hits.iter().enumerate() {
        assert!(hits[..at].iter().all(|earlier| earlier.node != hit.node), "each once");
        assert!(hit.class <= 4 && hit.score.is_finite() && (hit.class == 4 || hit.score == 0.0));
        assert!(!hit.matched.is_empty());
        let snippet = snapshot.snippet(hit.node, &query);
        assert!(!snippet.contains('\n'), "{snippet:?}");
    }
    let spaced = Query::parse(&format!("  {text}\t"));
    if text.chars().count() <= 509 {
        let spaced = spaced.expect("blanks around a query mean nothing");
        assert_eq!(spaced.terms(), terms);
        assert_eq!(snapshot.search(&spaced, SearchScope::default()).as_deref(), Ok(hits.as_slice()));
    }
    if text.contains('|') {
        return;
    }
    for ix in snapshot.indices() {
        let columns = columns(snapshot, ix);
        let is_met = terms.iter().all(|term| match term.strip_prefix('-') {
            Some(term) => !columns.iter().any(|words| holds(words, term)),
            None => columns.iter().any(|words| holds(words, term)),
        });
        let hit = hits.iter().find(|hit| hit.node == ix);
        assert!(!is_met || hit.is_some(), "{} is met by {terms:?}", snapshot.node(ix).id);
        assert!(
            is_met || hit.is_none_or(|hit| hit.class < 4),
            "{} is not met by {terms:?}",
            snapshot.node(ix).id
        );
    }
}

/// The words of a node, column by column; a field has a run of its own.
fn columns(snapshot: &Snapshot, ix: NodeIx) -> Vec<Vec<String>> {
    let node = snapshot.node(ix);
    let mut texts = vec![node.id.clone(), node.title.clone(), node.body.clone()];
    texts.extend(node.aliases.iter().chain(&node.headings).cloned());
    for field in &node.fields {
        match &field.value {
            // A truth value is no word.
            Value::Boolean(_) => {}
            Value::List(items) => texts.extend(items.iter().map(shown)),
            value => texts.push(shown(value)),
        }
    }
    texts.iter().map(|text| words(text)).collect()
}

fn shown(value: &Value) -> String {
    let json = value.to_json();
    json.as_str().map_or_else(|| json.to_string(), str::to_owned)
}

/// Cut as a query is cut: what a document of the sample holds is short enough to be one.
fn words(text: &str) -> Vec<String> {
    let plain: String = text.chars().map(|c| if "\"*|-".contains(c) { ' ' } else { c }).collect();
    let terms = Query::parse(&plain).map(|query| query.terms()).unwrap_or_default();
    terms.iter().flat_map(|term| term.split(' ')).map(str::to_owned).collect()
}

/// Whether the words of a term stand in a row.
fn holds(words: &[String], term: &str) -> bool {
    let (term, is_prefix) = term.strip_suffix('*').map_or((term, false), |term| (term, true));
    let wanted: Vec<&str> = term.split(' ').collect();
    words.windows(wanted.len()).any(|run| {
        let (last, before) = (run.len() - 1, &run[..run.len() - 1]);
        before.iter().zip(&wanted).all(|(word, wanted)| word == wanted)
            && if is_prefix { run[last].starts_with(wanted[last]) } else { run[last] == wanted[last] }
    })
}
