//! Search on small projects: classes, columns, the query language, and that an index taken over finds what a new one
//! finds.

use std::fmt::Write as _;
use std::sync::Arc;

use super::*;
use crate::adapter;
use crate::assemble::{Parts, assemble};
use crate::contract;

const MANIFEST: &str = r#"
schema = "docforge/1"
[project]
id = "t"
title = "T"
[types.note]
unknown_fields = "keep"
[types.note.fields.secret]
type = "string"
search = false
[types.note.fields.seen]
type = "string"
hash = false
[types.task]
[relations.about]
from = ["*"]
to = ["*"]
inverse = "subject_of"
[[sources]]
id = "main"
adapter = "markdown@1"
include = ["**/*.md"]
type = "note"
"#;

fn build(files: &[(&str, &str)]) -> Snapshot {
    let contract = Arc::new(contract::load(MANIFEST).unwrap_or_else(|found| panic!("{found:#?}")));
    let source = &contract.sources[0];
    let loaded = |(path, text): &(&str, &str)| {
        Arc::new(adapter::read_markdown(&contract, source, path, text.as_bytes()))
    };
    let files: Vec<_> = files.iter().map(loaded).collect();
    assemble(Parts {
        contract: Arc::clone(&contract),
        files: &files,
        diagnostics: Vec::new(),
        exists: &|_| false,
        adapter_prefix: String::new(),
    })
}

/// `id/class` of every hit.
fn hits(snapshot: &Snapshot, query: &str) -> Vec<String> {
    let query = Query::parse(query).unwrap_or_else(|fault| panic!("{query}: {fault}"));
    let found = snapshot.search(&query, SearchScope::default()).unwrap();
    found.iter().map(|hit| format!("{}/{}", snapshot.node(hit.node).id, hit.class)).collect()
}

fn note(id: &str, head: &str, body: &str) -> String {
    format!("---\nid: {id}\n{head}---\n{body}\n")
}

fn few() -> Snapshot {
    let one = note(
        "N-1",
        "title: Session expiry\naliases: [OLD-1]\n",
        "# Rules\n\nSessions end after a multi-agent run; see N-2.",
    );
    let two = note(
        "N-2",
        "title: Lockout\ntype: task\nabout: [N-1]\n",
        "The session is locked. It is a'b and 東京都庁 Café.",
    );
    let three = note("N-22", "title: n-2\nsecret: hidden\ncolour: teal\n", "run agent multi");
    build(&[("a.md", &one), ("b.md", &two), ("c.md", &three)])
}

#[test]
fn names_come_in_classes_before_text() {
    let snapshot = few();
    assert_eq!(hits(&snapshot, "N-2"), ["N-2/0", "N-22/2", "N-1/4"]);
    assert_eq!(hits(&snapshot, "n-2"), ["N-2/0", "N-22/2", "N-1/4"]);
    assert_eq!(hits(&snapshot, "old-1"), ["N-1/1"]);
    assert_eq!(hits(&snapshot, "LOCKOUT"), ["N-2/2"]);
    assert_eq!(hits(&snapshot, "N-"), ["N-1/3", "N-2/3", "N-22/3"]);
}

#[test]
fn every_form_of_the_language_means_what_it_says() {
    let snapshot = few();
    assert_eq!(hits(&snapshot, "multi-agent"), ["N-1/4"]);
    assert_eq!(hits(&snapshot, "agent multi").len(), 2);
    assert_eq!(hits(&snapshot, "\"agent multi\""), ["N-22/4"]);
    assert_eq!(hits(&snapshot, "sess*").len(), 2);
    assert_eq!(hits(&snapshot, "session -locked"), ["N-1/4"]);
    assert_eq!(hits(&snapshot, "rules | teal").len(), 2);
    assert_eq!(hits(&snapshot, "run rules | teal").len(), 2);
    assert_eq!(hits(&snapshot, "run rules").len(), 1);
    assert_eq!(hits(&snapshot, "a'b"), ["N-2/4"]);
    assert_eq!(hits(&snapshot, "cafe"), ["N-2/4"]);
    assert!(hits(&snapshot, "hidden").is_empty() && hits(&snapshot, "NEAR(x)").is_empty());
}

#[test]
fn parts_of_east_asian_words_are_found() {
    let snapshot = few();
    for query in ["東京", "京都", "都庁", "東", "\"東京都庁\""] {
        assert_eq!(hits(&snapshot, query), ["N-2/4"], "{query}");
    }
    assert!(hits(&snapshot, "京東").is_empty());
}

#[test]
fn a_hit_says_where_it_was_found() {
    let snapshot = few();
    let found = |query: &str| {
        let query = Query::parse(query).unwrap();
        let hits = snapshot.search(&query, SearchScope::default()).unwrap();
        (hits[0].matched.clone(), hits[0].score)
    };
    assert_eq!(found("rules").0, [Column::Headings, Column::Body]);
    assert_eq!(found("teal").0, [Column::Fields]);
    assert_eq!(found("Session expiry"), (vec![Column::Title], 0.0));
    assert!(found("locked").1 > 0.0);
}

#[test]
fn a_scope_leaves_out_what_is_outside() {
    let snapshot = few();
    let query = Query::parse("N-").unwrap();
    let types = ["task".to_owned()];
    let hits = snapshot.search(&query, SearchScope { types: &types, filter: None }).unwrap();
    assert_eq!(hits.len(), 1);
    let scope = crate::filter::FilterScope::of(snapshot.contract());
    let filter = Filter::parse("count(in.about) = 1", &scope).unwrap();
    let hits = snapshot.search(&query, SearchScope { types: &[], filter: Some(&filter) }).unwrap();
    assert_eq!(snapshot.node(hits[0].node).id, "N-1");
    assert_eq!(hits.len(), 1);
}

#[test]
fn a_title_outranks_a_body_and_backlinks_break_near_ties() {
    let words = "filler ".repeat(20);
    let files: Vec<(String, String)> = (0..20)
        .map(|at| match at {
            3 => (format!("{at}.md"), note("T", "title: the needle\n", &words)),
            4 => (format!("{at}.md"), note("B1", "", &format!("{words} needle"))),
            5 => (format!("{at}.md"), note("B2", "", &format!("{words} needle"))),
            _ => (format!("{at}.md"), note(&format!("X{at}"), "about: [B2]\n", &words)),
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(hits(&build(&files), "needle"), ["T/4", "B2/4", "B1/4"]);
}

#[test]
fn an_index_taken_over_finds_what_a_new_one_finds() {
    let mut texts: Vec<(String, String)> = (0..40)
        .map(|at| {
            (format!("{at}.md"), note(&format!("N-{at}"), "", &format!("common word{} even{}", at, at % 2)))
        })
        .collect();
    fn views(texts: &[(String, String)]) -> Vec<(&str, &str)> {
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect()
    }
    fn shown(snapshot: &Snapshot) -> String {
        let mut out = String::new();
        for query in ["common", "even1", "word1*", "fresh", "\"common word7\" | seen", "N-"] {
            let query = Query::parse(query).unwrap();
            for hit in snapshot.search(&query, SearchScope::default()).unwrap() {
                write!(out, "{} {} {};", snapshot.node(hit.node).id, hit.class, hit.score).unwrap();
            }
        }
        out
    }
    let mut served = build(&views(&texts));
    shown(&served);
    for step in 0..12 {
        match step % 4 {
            0 => texts[step].1 = note(&format!("N-{step}"), "", "fresh common common text"),
            1 => texts[step].1 = note(&format!("N-{step}"), "seen: seen\n", "common"),
            2 => drop(texts.remove(step)),
            _ => texts.push((format!("z{step}.md"), note(&format!("A-{step}"), "", "even1 fresh"))),
        }
        let next = build(&views(&texts));
        next.succeeds(&served);
        assert_eq!(shown(&next), shown(&build(&views(&texts))), "step {step}");
        served = next;
    }
}
