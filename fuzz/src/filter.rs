//! The filter language: a fault has its place, and every test is two-valued, however it is put into parentheses.

use docs::{Filter, FilterProblem, FilterScope, NodeIx, Snapshot};

use super::sample::documents;

/// Holds `bytes` to it.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let snapshot = documents();
    let scope = FilterScope::of(snapshot.contract());
    let filter = match Filter::parse(text, &scope) {
        Ok(filter) => filter,
        Err(fault) => {
            assert!((1..=text.chars().count() + 1).contains(&fault.position), "{fault:?}");
            assert!(fault.near.len() <= 3 && !fault.message.is_empty());
            let is_plain = |c: char| !c.is_control() && c.is_ascii();
            assert!(fault.message.chars().all(is_plain), "{:?}", fault.message);
            return;
        }
    };
    assert_eq!(filter.source(), text);
    let Some(chosen) = select(&filter, snapshot) else { return };
    assert_eq!(select(&filter, snapshot).as_ref(), Some(&chosen), "asked again");
    let all: Vec<NodeIx> = snapshot.indices().collect();
    let others: Vec<NodeIx> = all.iter().filter(|ix| !chosen.contains(ix)).copied().collect();
    for (form, expected) in [
        (format!("  {text}\n"), &chosen),
        (format!("({text})"), &chosen),
        (format!("not ({text})"), &others),
        (format!("not (not ({text}))"), &chosen),
        (format!("({text}) and ({text})"), &chosen),
        (format!("({text}) or ({text})"), &chosen),
        (format!("({text}) or not ({text})"), &all),
        (format!("id = REQ-1 or ({text}) or id != REQ-1"), &all),
        (format!("({text}) and type = req or ({text}) and type = test"), &chosen),
    ] {
        match Filter::parse(&form, &scope) {
            Ok(form_filter) => {
                let found = select(&form_filter, snapshot);
                assert!(found.is_none() || found.as_ref() == Some(expected), "{form}");
            }
            Err(fault) => assert_eq!(fault.code, FilterProblem::TooComplex, "{form}: {fault}"),
        }
    }
}

/// By id bytes, each once; nothing when it is too much work.
fn select(filter: &Filter, snapshot: &Snapshot) -> Option<Vec<NodeIx>> {
    let chosen = filter.select(snapshot).ok()?;
    let ids: Vec<&str> = chosen.iter().map(|ix| snapshot.node(*ix).id.as_str()).collect();
    assert!(ids.is_sorted() && ids.windows(2).all(|pair| pair[0] != pair[1]));
    Some(chosen)
}
