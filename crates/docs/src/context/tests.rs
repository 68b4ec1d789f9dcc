//! What is near, in which form, and that a larger budget never drops anything.

use fault::Unwatched;
use testkit::Tree;

use super::*;
use crate::service::{ProjectRoot, ProjectService};
use crate::snapshot::LookUp;

const MANIFEST: &str = r#"
schema = "docforge/1"
[project]
id = "t"
title = "T"
[types.note]
[types.note.fields.status]
type = "enum"
values = ["open", "done"]
[types.note.fields.text]
type = "text"
[relations.needs]
from = ["note"]
to = ["note"]
inverse = "needed_by"
context = "always"
[relations.cites]
from = ["note"]
to = ["note"]
inverse = "cited_by"
weight = 8
[relations.hides]
from = ["note"]
to = ["note"]
inverse = "hidden_by"
context = "never"
[[sources]]
id = "main"
adapter = "markdown@1"
include = ["docs/*.md"]
"#;

/// A hub H with `count` neighbours around it, two of which it needs, and a chain behind the first.
fn snapshot(count: usize) -> std::sync::Arc<Snapshot> {
    let tree = Tree::new("");
    tree.file("docforge.toml", MANIFEST);
    let cited: Vec<String> = (0..count).map(|at| format!("N-{at:04}")).collect();
    let hub = format!(
        "---\nid: H\ntype: note\ntitle: Hub\nstatus: open\nneeds: [M-1, M-2]\ncites: [{}]\nhides: [X]\n---\n{}\n",
        cited.join(", "),
        "A long text about sessions. ".repeat(200)
    );
    tree.file("docs/h.md", &hub);
    for id in ["M-1", "M-2", "X", "L"] {
        let text = format!(
            "---\nid: {id}\ntype: note\ntitle: {id}\nstatus: done\ntext: said\n---\nFirst of {id}.\n\nMore.\n"
        );
        tree.file(&format!("docs/{id}.md"), &text);
    }
    for (at, id) in cited.iter().enumerate() {
        let body = "ü word ".repeat(at % 40 + 1);
        let text =
            format!("---\nid: {id}\ntype: note\ntitle: Note {at}\ncites: [L]\n---\n# Head\n\n{body}\n");
        tree.file(&format!("docs/{id}.md"), &text);
    }
    let root = ProjectRoot::open(&tree.root()).expect("a root");
    let service = ProjectService::load(root, &Unwatched).expect("loads");
    service.snapshot().expect("served")
}

fn request(snapshot: &Snapshot, id: &str, budget_tokens: usize) -> ContextRequest<'static> {
    let LookUp::Found(start) = snapshot.look_up(id) else { panic!("no {id}") };
    ContextRequest { start, budget_tokens, query: None, relations: None, depth: 3 }
}

fn ids(snapshot: &Snapshot, context: &Context) -> Vec<String> {
    context.items.iter().map(|item| snapshot.node(item.node).id.clone()).collect()
}

#[test]
fn what_the_contract_wants_is_there_and_what_it_hides_is_not() {
    let snapshot = snapshot(5);
    let context = snapshot.context(&request(&snapshot, "H", 4_000)).expect("fits");
    let shown = ids(&snapshot, &context);
    assert_eq!(shown[0], "H");
    for id in ["M-1", "M-2", "L", "N-0000", "N-0004"] {
        assert!(shown.iter().any(|one| one == id), "{id}: {shown:?}");
    }
    assert!(!shown.iter().any(|one| one == "X"));
    assert_eq!((context.omitted.count, context.policy.as_str()), (0, POLICY));
    let need = context.items.iter().find(|item| snapshot.node(item.node).id == "M-1").expect("there");
    assert!(need.form <= Form::Summary);
    assert_eq!(need.via.len(), 1);
    let far = context.items.iter().find(|item| snapshot.node(item.node).id == "L").expect("there");
    assert_eq!(far.via.len(), 2);
}

#[test]
fn the_budget_holds_and_twice_the_same_comes_out() {
    let snapshot = snapshot(300);
    for id in ["H", "L", "N-0007"] {
        for budget in [200, 500, 4_000, 20_000] {
            let request = request(&snapshot, id, budget);
            let context = snapshot.context(&request).expect("fits");
            assert!(context.tokens_used <= budget, "{id} {budget}: {}", context.tokens_used);
            assert_eq!(snapshot.context(&request).expect("fits"), context);
            assert_eq!(context.items[0].node, request.start);
            let sum: usize = context.items.iter().map(|item| item.tokens).sum();
            assert!(sum <= context.tokens_used);
            let all = context.items.len() + context.omitted.count;
            assert_eq!(all, snapshot.candidates(&request).len() + 1, "{id} {budget}");
        }
    }
    let small = snapshot.context(&request(&snapshot, "H", 500)).expect("fits");
    let start = &small.items[0];
    assert_eq!(start.form, Form::Full);
    let shown = start.doc["body"].as_str().expect("a body").len();
    assert_eq!(start.doc["body_next"], shown);
    assert!(start.tokens <= 500 / 2);
}

#[test]
fn a_larger_budget_never_drops_a_node() {
    let snapshot = snapshot(120);
    for id in ["H", "L", "N-0003"] {
        let mut before: Vec<String> = Vec::new();
        for budget in (200..6_000).step_by(37) {
            let context = snapshot.context(&request(&snapshot, id, budget)).expect("fits");
            let now = ids(&snapshot, &context);
            assert!(before.iter().all(|one| now.contains(one)), "{id} {budget}");
            before = now;
        }
        assert!(before.len() > 20, "{id}: {}", before.len());
    }
}

#[test]
fn a_budget_below_the_card_says_how_much_it_takes() {
    let tree = Tree::new("");
    tree.file("docforge.toml", MANIFEST);
    tree.file("docs/a.md", &format!("---\nid: A\ntype: note\ntitle: {}\n---\n", "ö".repeat(290)));
    let root = ProjectRoot::open(&tree.root()).expect("a root");
    let snapshot = ProjectService::load(root, &Unwatched).expect("loads").snapshot().expect("served");
    let fault = snapshot.context(&request(&snapshot, "A", 200)).expect_err("too small");
    assert!(snapshot.context(&request(&snapshot, "A", fault.needed)).is_ok());
    assert!(snapshot.context(&request(&snapshot, "A", fault.needed - 1)).is_err());
}

#[test]
fn a_plan_chooses_nodes_and_forms_and_foreign_ids_are_passed_over() {
    let snapshot = snapshot(5);
    let plan = ContextPlan {
        items: vec![
            ("elsewhere".to_owned(), Form::Full),
            ("X".to_owned(), Form::Card),
            ("L".to_owned(), Form::Full),
            ("X".to_owned(), Form::Full),
        ],
    };
    let id = ProviderId::new("mine@2").expect("a name");
    let context = snapshot.planned_context(&request(&snapshot, "H", 2_000), &id, &plan).expect("fits");
    let mut shown: Vec<(String, Form)> =
        context.items.iter().map(|item| (snapshot.node(item.node).id.clone(), item.form)).collect();
    shown.sort();
    assert_eq!(
        shown,
        [("H", Form::Full), ("L", Form::Full), ("X", Form::Card)].map(|(id, form)| (id.to_owned(), form))
    );
    assert_eq!(context.policy, "mine@2");
    for text in ["", "Mine@2", "mine", "mine@", "mine@x", "a b@1"] {
        assert_eq!(ProviderId::new(text), None, "{text}");
    }
}

#[test]
fn words_bring_near_what_they_mean() {
    let snapshot = snapshot(60);
    let query = Query::parse("\"Note 41\"").expect("a query");
    let plain = request(&snapshot, "H", 500);
    let asked = ContextRequest { query: Some(&query), ..plain.clone() };
    let score = |request: &ContextRequest<'_>| {
        let near = snapshot.candidates(request);
        near.into_iter().find(|one| snapshot.node(one.node).id == "N-0041").map(|one| one.score)
    };
    assert!(score(&asked) > score(&plain));
    assert_eq!(score(&asked), Some(0.35));
}
